import { CARDS, encoded, STORE } from '../../kit/checkout.ts';
import type { Json, RefusalCases, RefusalContext } from './refusal-context.ts';

const STRANGER = 'ac_00000000-0000-4000-8000-000000000000';

const partsOf = (accountId: string, amount: number, more: object = {}) => ({
  items: [{ accountId, amount, ...more }],
});

/** A payment of which two captures were created, 500 each, the first with a part of 300 for the sub account. */
async function capturedTwice({ shop, created, subAccountId }: RefusalContext): Promise<Json> {
  const session = await shop.approved({ amount: 1_000 });
  const splits = partsOf(subAccountId, 300, { fee: { amount: 30 } });
  await created(shop.move(session, 'captures', { amount: 500, captureType: 'NotFinal', splits }));
  await created(shop.move(session, 'captures', { amount: 500 }));
  return session;
}

/** A captured payment, and the part of it that is the sub account's. */
async function divided({ shop, subAccountId }: RefusalContext): Promise<{ session: Json; partId: string }> {
  const session = await shop.captured({ splits: partsOf(subAccountId, 600, { fee: { amount: 60 } }) });
  return { session, partId: session.splitPaymentDetail.items[0].id };
}

/** What is refused of payment sessions before they are approved. */
export const OF_SESSIONS = {
  currency_disabled: ({ shop, platformId, withSettings }) =>
    withSettings(platformId, { currencies: ['EUR'] }, () => shop.create()),
  amount_out_of_range: ({ shop }) => shop.create({ amount: 29 }),
  fee_without_account: ({ shop }) => shop.create({ platformFee: 1 }),
  fee_too_large: ({ branch }) => branch.create({ amount: 100, platformFee: 101 }),
  session_final: async ({ shop }) => shop.update(await shop.captured(), { amount: 100 }),
  async session_expired({ shop, world }) {
    const session = await shop.session();
    await world.advance({ minutes: 7 * 24 * 60 });
    return shop.attempt(session);
  },
  verification_terms: ({ shop }) => shop.create({ verifyAccount: true, amount: 0, captureFlow: 'Automatic' }),
  splits_not_allowed: ({ branch, subAccountId }) => branch.create({ splits: partsOf(subAccountId, 1) }),
  splits_too_large: ({ shop, subAccountId }) =>
    shop.create({ amount: 100, splits: partsOf(subAccountId, 101) }),
  split_account: ({ shop }) => shop.create({ splits: partsOf(STRANGER, 1) }),
  split_fee_too_large: ({ shop, subAccountId }) =>
    shop.create({ splits: partsOf(subAccountId, 10, { fee: { amount: 11 } }) }),
  fee_account: ({ shop }) =>
    shop.create({ platformSettings: { paymentFees: { combined: { bookTo: STRANGER } } } }),
  moto_not_allowed: ({ shop, platformId, withSettings }) =>
    withSettings(platformId, { motoAllowed: false }, () => shop.create({ entryMode: 'MOTO' })),
  preauth_not_allowed: ({ shop, platformId, withSettings }) =>
    withSettings(platformId, { preAuthAllowed: false }, () => shop.create({ authorizationType: 'PreAuth' })),
  return_url: ({ shop }) => shop.create({ returnUrl: 'http://shop.example' }),
  async series_mismatch({ shop }) {
    const first = await shop.captured({ paymentType: 'Unscheduled' }, STORE);
    const later = { paymentType: 'Unscheduled', previousPayment: { id: first.id } };
    return shop.create({ ...later, currency: 'EUR' });
  },
  customer_unnamed: ({ shop }) => shop.create({ attemptPayment: { paymentMethod: { id: 'pmt_x' } } }),
  email_missing: async ({ shop }) => shop.attempt(await shop.session({ customerEmail: undefined })),
  async in_person_attempt({ shop, till }) {
    return shop.attempt(await (await till()).takes(1_901));
  },
  async in_person_update({ shop, till }) {
    return shop.update(await (await till()).takes(1_901), { amount: 100 });
  },
  store_missing: async ({ shop }) => shop.attempt(await shop.session({ paymentType: 'Unscheduled' })),
  email_set: async ({ shop }) => shop.update(await shop.session(), { customerEmail: 'kim@example.com' }),
  one_payment_method: async ({ shop }) => shop.attempt(await shop.session(), {}),
  async method_of_another({ shop, payer }) {
    const [one, other] = [await payer(), await payer()];
    const attemptPayment = { paymentMethod: { id: other.methodId } };
    return shop.create({ customerDetails: { id: one.customerId }, attemptPayment });
  },
  async method_used_once({ shop }) {
    const { paymentMethod } = await shop.captured();
    return shop.attempt(await shop.session(), { paymentMethod: { id: paymentMethod.tokenizedDetails.id } });
  },
  one_of_three_ds: async ({ shop }) => shop.goOn(await shop.pay(await shop.session(), CARDS.challenge), {}),
  async three_ds_data({ shop }) {
    const session = await shop.session();
    await shop.pay(session, CARDS.challenge);
    return shop.goOn(session, { challengeResult: 'x' });
  },
  no_required_action: async ({ shop }) => shop.goOn(await shop.session(), { fingerprint: encoded({}) }),
  async other_action({ shop }) {
    const session = await shop.session();
    await shop.pay(session, CARDS.challenge);
    return shop.goOn(session, { fingerprint: encoded({}) });
  },
} as const satisfies RefusalCases;

/** What is refused of captures, voids, refunds and disputes. */
export const OF_MOVEMENTS = {
  not_approved: async ({ shop }) => shop.move(await shop.session(), 'captures'),
  async not_manual({ shop, till }) {
    // Approved, and captured by nobody's call: the point of sale prints its receipts first.
    return shop.move(await (await till()).takes(1_000, { receipts: 'PointOfSale' }), 'captures');
  },
  capture_verification: async ({ shop }) =>
    shop.move(await shop.captured({ verifyAccount: true, amount: 0 }), 'captures'),
  capture_too_large: async ({ shop }) => shop.move(await shop.approved(), 'captures', { amount: 1_251 }),
  async void_after_capture({ shop, created }) {
    const session = await shop.approved();
    await created(shop.move(session, 'captures', { amount: 1, captureType: 'NotFinal' }));
    return shop.move(session, 'voids');
  },
  refund_not_captured: async ({ shop }) => shop.move(await shop.approved(), 'refunds'),
  async refund_not_in_person({ shop, till }) {
    return (await till()).refund((await shop.captured()).id);
  },
  async refund_in_flight({ shop, till, created }) {
    const counter = await till();
    const session = await counter.takes(1_000);
    await created(counter.refund(session.id, { amount: 1 }));
    return shop.move(session, 'refunds');
  },
  refund_too_large: async ({ shop }) => shop.move(await shop.captured(), 'refunds', { amount: 1_251 }),
  async refund_disputed({ api, shop, created }) {
    const session = await shop.captured();
    await created(api.post(`/sandbox/payment-sessions/${session.id}/disputes`, {}));
    return shop.move(session, 'refunds');
  },
  async nothing_left({ shop, created }) {
    const session = await shop.captured();
    await created(shop.move(session, 'refunds'));
    return shop.move(session, 'refunds');
  },
  no_platform_fee: async ({ shop }) =>
    shop.move(await shop.captured(), 'refunds', { refundPlatformFee: true }),
  capture_unnamed: async (context) => context.shop.move(await capturedTwice(context), 'refunds'),
  async refund_not_sum(context) {
    const { session, partId } = await divided(context);
    return context.shop.move(session, 'refunds', {
      amount: 7,
      splits: { items: [{ id: partId, amount: 6 }] },
    });
  },
  async split_refund_too_large(context) {
    const { session, partId } = await divided(context);
    return context.shop.move(session, 'refunds', { splits: { items: [{ id: partId, amount: 601 }] } });
  },
  async split_fee_refund_too_large(context) {
    const { session, partId } = await divided(context);
    const items = [{ id: partId, amount: 6, fee: { amount: 61 } }];
    return context.shop.move(session, 'refunds', { splits: { items } });
  },
  async split_twice(context) {
    const { session, partId } = await divided(context);
    const item = { id: partId, amount: 6 };
    return context.shop.move(session, 'refunds', { splits: { items: [item, item] } });
  },
  not_disputable: async ({ api, shop }) =>
    api.post(`/sandbox/payment-sessions/${(await shop.approved()).id}/disputes`, {}),
  dispute_too_large: async ({ api, shop }) =>
    api.post(`/sandbox/payment-sessions/${(await shop.captured()).id}/disputes`, { amount: 1_251 }),
  async dispute_state({ api, shop, created }) {
    const path = `/sandbox/payment-sessions/${(await shop.captured()).id}/disputes`;
    const { id } = await created(api.post(path, {}));
    await created(api.post(`/v1/disputes/${id}/accept`));
    return api.patch(`/v1/disputes/${id}/evidence`, { text: { uncategorised: 'late' } });
  },
  async dispute_without_evidence({ api, shop, created }) {
    const path = `/sandbox/payment-sessions/${(await shop.captured()).id}/disputes`;
    return api.post(`/v1/disputes/${(await created(api.post(path, {}))).id}/challenge`);
  },
} as const satisfies RefusalCases;
