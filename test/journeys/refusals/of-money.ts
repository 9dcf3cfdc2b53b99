import { BANK_ACCOUNT } from '../../../cli/trigger/account-paths.ts';
import type { Json, RefusalCases, RefusalContext } from './refusal-context.ts';

/** A sub account that is verified, is paid out by hand and has 20.00 to be paid out, to a bank account of its own. */
async function earner(
  context: RefusalContext,
  method: object = BANK_ACCOUNT,
): Promise<{ path: string; methodId: string; id: string }> {
  const { api, created, nonHosted, world } = context;
  const { id } = await nonHosted({ settings: { payouts: { schedule: { type: 'Manual' } } } });
  const path = `/v1/accounts/${id}`;
  await created(api.post(`/sandbox/accounts/${id}/verification`, { outcome: 'Verified' }));
  const { id: methodId } = await created(api.post(`${path}/payout-methods`, method));
  const session = await created(
    api.as(id).post('/v1/payment-sessions', { amount: 2_000, currency: 'GBP', customerEmail: 'a@b.example' }),
  );
  const cardDetails = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2030', cvc: '123' };
  const paid = { clientSecret: session.clientSecret, cardDetails };
  await created(api.as(id).post('/v1/payment-sessions/attempt-payment', paid));
  await world.advance({ minutes: 5 * 24 * 60 });
  return { path, methodId, id };
}

async function paidOut(context: RefusalContext, change: object = {}, method?: object): Promise<Json> {
  const { path, methodId } = await earner(context, method);
  const order = { amount: 1_000, currency: 'GBP', payoutMethodId: methodId, ...change };
  return context.api.post(`${path}/payouts`, order);
}

/** What is refused of payout methods, payouts, transfers and conversions. */
export const OF_MONEY = {
  async payout_method_exists({ api, nonHosted, created }) {
    const path = `/v1/accounts/${(await nonHosted()).id}/payout-methods`;
    await created(api.post(path, BANK_ACCOUNT));
    return api.post(path, BANK_ACCOUNT);
  },
  payout_country: async ({ api, nonHosted }) =>
    api.post(`/v1/accounts/${(await nonHosted()).id}/payout-methods`, { ...BANK_ACCOUNT, country: 'FR' }),
  bank_account: async ({ api, nonHosted }) =>
    api.post(`/v1/accounts/${(await nonHosted()).id}/payout-methods`, {
      ...BANK_ACCOUNT,
      bankAccount: { ...BANK_ACCOUNT.bankAccount, bankId: '1' },
    }),
  async payouts_not_manual(context) {
    const { path, methodId } = await earner(context);
    await context.api.patch(path, { settings: { payouts: { schedule: { type: 'Automatic' } } } });
    return context.api.post(`${path}/payouts`, { amount: 100, currency: 'GBP', payoutMethodId: methodId });
  },
  payout_method_invalid: (context) => paidOut(context, {}, { ...BANK_ACCOUNT, displayName: 'invalid' }),
  payout_currency: (context) => paidOut(context, { currency: 'EUR' }),
  payout_too_small: (context) => paidOut(context, { amount: 99 }),
  async payout_unverified({ api, nonHosted, created }) {
    const { id } = await nonHosted({ settings: { payouts: { schedule: { type: 'Manual' } } } });
    const method = await created(api.post(`/v1/accounts/${id}/payout-methods`, BANK_ACCOUNT));
    const order = { amount: 1_000, currency: 'GBP', payoutMethodId: method.id };
    return api.post(`/v1/accounts/${id}/payouts`, order);
  },
  async payout_frozen(context) {
    const { path, methodId, id } = await earner(context);
    const order = { amount: 100, currency: 'GBP', payoutMethodId: methodId };
    return context.withSettings(id, { frozen: true }, () => context.api.post(`${path}/payouts`, order));
  },
  balance_short: (context) => paidOut(context, { amount: 2_001 }),
  payout_dates_backwards: async ({ api, nonHosted }) =>
    api.get(`/v1/accounts/${(await nonHosted()).id}/payouts?startDate=2025-02-02&endDate=2025-02-01`),
  async payout_settled(context) {
    const { body } = await paidOut(context);
    await context.created(context.api.post(`/sandbox/payouts/${body.id}/outcome`, { status: 'Completed' }));
    return context.api.post(`/sandbox/payouts/${body.id}/outcome`, { status: 'Failed' });
  },
  transfer_sides: ({ api }) => api.post('/v1/transfers', { amount: 1, currency: 'GBP' }),
  terms_not_agreed: ({ api }) =>
    api.post('/v1/conversions', {
      sell: { amount: 100, currency: 'EUR' },
      buy: { currency: 'GBP' },
      termAgreement: false,
    }),
  same_currency: ({ api }) =>
    api.post('/v1/conversions', {
      sell: { amount: 100, currency: 'GBP' },
      buy: { currency: 'GBP' },
      termAgreement: true,
    }),
  wallet_domain_name: ({ api }) =>
    api.post('/v1/wallet-pay/web-domains', { domainName: 'https://a.example' }),
  async wallet_domain_used({ api, created }) {
    await created(api.post('/v1/wallet-pay/web-domains', { domainName: 'shop.example' }));
    return api.post('/v1/apple-pay/web-domains', { domainName: 'SHOP.example' });
  },
  async wallet_domains_limit({ branchApi, created }) {
    for (let count = 0; count < 99; count++) {
      await created(branchApi.post('/v1/wallet-pay/web-domains', { domainName: `shop-${count}.example` }));
    }
    return branchApi.post('/v1/wallet-pay/web-domains', { domainName: `shop-99.example` });
  },
} as const satisfies RefusalCases;
