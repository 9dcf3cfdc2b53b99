import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Answer } from '../../testing/world/api.ts';
import { openCheckout, type Checkout } from '../kit/checkout.ts';
import { upload } from '../kit/form.ts';
import { ledgerProblems } from '../kit/ledger.ts';
import { openTill } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const DAY = 24 * 60;

let world: World;
let shop: Checkout;

beforeEach(async () => {
  world = await startWorld();
  shop = openCheckout(world.api);
});
afterEach(async () => {
  expect(await ledgerProblems(world)).toEqual([]);
  await world.close();
});

function dispute(session: Json, body: object = {}): Promise<Answer> {
  return world.api.post(`/sandbox/payment-sessions/${session.id}/disputes`, body);
}

function decide(id: string, status: string): Promise<Answer> {
  return world.api.post(`/sandbox/disputes/${id}/outcome`, { status });
}

async function typesOf(session: Json): Promise<string[]> {
  return (await shop.transactions(session)).map(({ type }) => type);
}

async function total(accountId?: string): Promise<number> {
  const api = accountId ? world.api.as(accountId) : world.api;
  const { pending, cleared, available } = (await api.get('/v1/balances?currency=GBP')).body.items[0];
  return pending.amount + cleared.amount + available.amount;
}

/** Uploads a small file. */
async function uploaded(category = 'Evidence'): Promise<string> {
  return (await upload(world.api, category)).body.id;
}

test(
  'dispute: opening takes the money, evidence is submitted, and winning returns the money',
  {
    tags: [
      'spec:4.9/GET/disputes/{disputeId}',
      'spec:4.9/PATCH/disputes/{disputeId}/evidence',
      'spec:4.9/DELETE/disputes/{disputeId}/evidence',
      'spec:4.9/POST/disputes/{disputeId}/challenge',
      'spec:3/evidence-while-open',
      'spec:4.9/no-evidence-after-challenge',
    ],
  },
  async () => {
    const heard = await world.listen('shop', ['Dispute.created', 'Dispute.challenged', 'Dispute.closed']);
    const session = await shop.captured({ amount: 5_000, customerEmail: 'ada@example.com' });
    const before = await total();
    const opened = (await dispute(session, { category: 'CardholderDispute' })).body;
    expect(opened).toMatchObject({
      amount: 5_000,
      currency: 'GBP',
      status: 'Open',
      category: 'CardholderDispute',
      reason: { code: '13.1' },
      respondBy: world.clock.nowMs() / 1000 + 14 * 86_400,
      paymentSession: { id: session.id, paymentType: 'Standard', paymentMethod: { card: { last4: '4242' } } },
      customer: { email: 'ada@example.com', id: session.customerDetails?.id ?? expect.any(String) },
    });
    expect(opened.evidence).toBeUndefined();
    expect(opened.recommendedEvidence).toContain('ProofOfDelivery');
    expect(await total()).toBe(before - 5_000);
    expect(await typesOf(session)).toEqual(['Authorization', 'Capture', 'Chargeback']);

    const path = `/v1/disputes/${opened.id}`;
    expect((await world.api.post(`${path}/challenge`)).status).toBe(400);
    const fileId = await uploaded();
    await world.api.patch(`${path}/evidence`, {
      text: { billingAddress: '1 High Street', uncategorised: 'He was here' },
      files: { proofOfDelivery: { id: fileId } },
    });
    await world.api.patch(`${path}/evidence`, { text: { shippingAddress: '2 High Street' } });
    const less = await world.api.delete(`${path}/evidence`, { text: ['uncategorised', 'shippingAddress'] });
    expect(less.body.evidence).toEqual({
      text: { billingAddress: '1 High Street' },
      files: { proofOfDelivery: { id: fileId } },
    });

    expect((await world.api.post(`${path}/challenge`)).body.status).toBe('Challenged');
    expect((await world.api.patch(`${path}/evidence`, { text: { billingAddress: 'x' } })).status).toBe(400);
    expect((await world.api.delete(`${path}/evidence`, { text: ['billingAddress'] })).status).toBe(400);
    expect((await decide(opened.id, 'Won')).body.status).toBe('Won');
    expect(await total()).toBe(before);
    expect((await typesOf(session)).at(-1)).toBe('ChargebackReversal');
    expect((await decide(opened.id, 'Lost')).status).toBe(400);
    await world.settled();
    expect(heard.types()).toEqual(['Dispute.created', 'Dispute.challenged', 'Dispute.closed']);
    expect(heard.deliveries.at(-1)!.event.data).toEqual((await world.api.get(path)).body);
  },
);

test(
  'dispute: lost, accepted and expired disputes stay lost; a withdrawn one returns the money',
  { tags: ['spec:4.9/POST/disputes/{disputeId}/accept', 'spec:4.9/accept'] },
  async () => {
    const open = async () => {
      const session = await shop.captured({ amount: 1_000 });
      return { session, id: (await dispute(session)).body.id as string };
    };
    const statusOf = async (id: string) => (await world.api.get(`/v1/disputes/${id}`)).body.status;

    const lost = await open();
    await world.api.patch(`/v1/disputes/${lost.id}/evidence`, { text: { uncategorised: 'losing_evidence' } });
    await world.api.post(`/v1/disputes/${lost.id}/challenge`);
    const accepted = await open();
    expect((await world.api.post(`/v1/disputes/${accepted.id}/accept`)).body.status).toBe('Accepted');
    expect((await world.api.post(`/v1/disputes/${accepted.id}/accept`)).status).toBe(400);
    const expired = await open();
    const withdrawn = await open();
    expect((await decide(withdrawn.id, 'Won')).status).toBe(400);
    expect((await decide(withdrawn.id, 'Cancelled')).body.status).toBe('Cancelled');

    await world.advance({ minutes: 14 * DAY });
    expect(await statusOf(expired.id)).toBe('Expired');
    expect(await statusOf(lost.id)).toBe('Challenged');
    await world.advance({ minutes: 16 * DAY });
    expect(await statusOf(lost.id)).toBe('Lost');
    for (const { session } of [lost, accepted, expired])
      expect((await typesOf(session)).at(-1)).toBe('Chargeback');
    expect((await typesOf(withdrawn.session)).at(-1)).toBe('ChargebackReversal');

    const page = (await world.api.get('/v1/disputes?limit=3')).body;
    expect(page.items).toHaveLength(3);
    expect((await world.api.get(`/v1/disputes?startsAfter=${page.paginationToken}`)).body.items).toHaveLength(
      1,
    );
  },
);

test('dispute: only a captured payment that was not refunded is disputed, and only once', async () => {
  const waiting = await shop.approved();
  expect((await dispute(waiting)).status).toBe(400);
  const session = await shop.captured({ amount: 3_000 });
  await shop.move(session, 'refunds', { amount: 1_000 });
  expect((await dispute(session, { amount: 2_001 })).status).toBe(400);
  expect((await dispute(session, { category: 'Other' })).status).toBe(400);
  expect((await dispute(session)).body.amount).toBe(2_000);
  expect((await dispute(session)).status).toBe(400);
  expect((await dispute({ id: 'ps_0' })).status).toBe(404);
});

test(
  'dispute evidence: refused when it is of the wrong kind or its file was not uploaded',
  { tags: ['spec:4.9/evidence-files'] },
  async () => {
    const { id } = (await dispute(await shop.captured())).body;
    const given = async (body: object) => {
      const answer = await world.api.patch(`/v1/disputes/${id}/evidence`, body);
      return [answer.status, answer.body.errors?.[0].code];
    };
    expect(await given({ files: { receipt: { id: 'fl_0' } } })).toEqual([404, 'not_found']);
    expect(await given({ text: { billingAddress: 5 } })).toEqual([400, 'invalid_field']);
    expect(await given({ text: { billingAddress: 'x'.repeat(5001) } })).toEqual([400, 'invalid_field']);
    const removal = await world.api.delete(`/v1/disputes/${id}/evidence`, { files: ['nonsense'] });
    expect(removal.status).toBe(400);
  },
);

test(
  'disputes: a platform sees those of its sub accounts, and pays what a sub account cannot',
  { tags: ['spec:4.9/GET/disputes'] },
  async () => {
    const branchApi = world.api.as(world.subAccountId);
    const session = await openCheckout(branchApi).captured({ amount: 2_000, platformFee: 1_500 });
    const opened = (await dispute(session)).body;
    expect(opened.subAccount).toEqual({ id: world.subAccountId });
    const moved = (await world.api.get('/v1/balance-transactions')).body.items.map(({ type }: Json) => type);
    expect(moved).toContain('PlatformChargeback');

    const own = (await dispute(await shop.captured())).body;
    expect(own.subAccount).toBeUndefined();
    expect((await branchApi.get(`/v1/disputes/${opened.id}`)).status).toBe(200);
    expect((await branchApi.get(`/v1/disputes/${own.id}`)).status).toBe(404);
    expect((await branchApi.get('/v1/disputes')).body.items).toHaveLength(1);
    expect((await world.api.get('/v1/disputes')).body.items).toHaveLength(2);
    const events = (await branchApi.get('/v1/events?limit=50')).body.items;
    expect(events.map(({ eventType }: Json) => eventType)).toContain('Dispute.created');

    await decide(opened.id, 'Cancelled');
    const back = (await world.api.get('/v1/balance-transactions')).body.items.map(({ type }: Json) => type);
    expect(back).toContain('PlatformChargebackReversal');
  },
);

test('dispute: an amount that ends in 955 is disputed on capture, when magic amounts are on', async () => {
  const magic = await startWorld({ settings: { magicAmounts: 'on' } });
  try {
    const session = await openCheckout(magic.api).captured({ amount: 1_955 });
    expect((await magic.api.get('/v1/disputes')).body.items).toMatchObject([
      { amount: 1_955, status: 'Open', category: 'Fraudulent', paymentSession: { id: session.id } },
    ]);
  } finally {
    await magic.close();
  }
  await shop.captured({ amount: 1_955 });
  expect((await world.api.get('/v1/disputes')).body.items).toEqual([]);
});

test(
  'refunds: a disputed payment is refused, unless the money came back',
  { tags: ['spec:4.9/disputed-not-refunded'] },
  async () => {
    const session = await shop.captured({ amount: 5_000 });
    const opened = (await dispute(session, { amount: 3_000 })).body;
    const refused = async (body?: object) => {
      const answer = await shop.move(session, 'refunds', body);
      return [answer.status, answer.body.errors?.[0].message];
    };
    expect(await refused({ amount: 2_001 })).toEqual([
      400,
      'amount must be 1 to 2000, the amount left to refund',
    ]);
    expect((await shop.move(session, 'refunds')).body).toMatchObject({ type: 'Refund', amount: 2_000 });
    const disputed = 'the rest of the payment is disputed and cannot be refunded';
    expect(await refused()).toEqual([400, disputed]);
    await world.api.post(`/v1/disputes/${opened.id}/accept`);
    expect(await refused({ amount: 1 })).toEqual([400, disputed]);
    expect((await dispute(session)).status).toBe(400);

    const other = await shop.captured({ amount: 5_000 });
    const withdrawn = (await dispute(other)).body;
    expect((await shop.move(other, 'refunds', { amount: 1 })).status).toBe(400);
    await decide(withdrawn.id, 'Cancelled');
    expect((await shop.move(other, 'refunds')).body).toMatchObject({ amount: 5_000 });
  },
);

test(
  'terminal refund: a disputed payment is refused, and a payment under refund is not disputed',
  { tags: ['spec:4.9/disputed-not-refunded-in-person'] },
  async () => {
    const till = openTill(world, await world.addTerminal());
    const { id } = await till.takes(1000);
    const opened = (await dispute({ id }, { amount: 600 })).body;
    expect((await till.refund(id, { amount: 401 })).status).toBe(400);
    expect((await till.refund(id)).body.action.transaction.amounts).toEqual({ requested: 400 });
    await decide(opened.id, 'Cancelled');
    const refused = await dispute({ id });
    expect([refused.status, refused.body.errors[0].message]).toEqual([
      400,
      'another refund of this payment is in progress: wait for it to end',
    ]);
    await till.cancel();
    await dispute({ id });
    expect((await till.refund(id)).body.errors[0].message).toContain('is disputed');
  },
);
