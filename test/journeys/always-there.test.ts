import { BANK_ACCOUNT } from '../../cli/trigger/account-paths.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { individual } from '../server/api/accounts/account-bodies.ts';
import { openCheckout } from '../kit/checkout.ts';
import { openTill } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { BUSINESS, good } from './one-of-each.ts';

// Members that client libraries declare without saying that they may be absent (docs/choices.md, Required properties).

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const INDIVIDUAL = { onboardingFlow: 'NonHosted', entityType: 'Individual', individual };
const DAY = 24 * 60;

test('account: a capability always has its lists, and requestedTimestamp once it is requested', async () => {
  const capabilities = { amexPayments: { requested: false } };
  const account = good(await world.api.post('/v1/accounts', { ...BUSINESS, capabilities }));
  for (const capability of Object.values(account.capabilities))
    expect(capability).toMatchObject({ requiredFields: [], requiredDocuments: [] });
  expect(account.capabilities.visaPayments.requestedTimestamp).toBe(account.createdTimestamp);
  expect(account.capabilities.visaPayments).toMatchObject({
    available: true,
    enabledTimestamp: account.createdTimestamp,
  });
  expect(account.capabilities.amexPayments).toMatchObject({ available: false });
  expect(account.capabilities.amexPayments).not.toHaveProperty('requestedTimestamp');
  expect(account.capabilities.amexPayments).not.toHaveProperty('enabledTimestamp');
  expect(account.capabilities.amexPayments.lastUpdatedTimestamp).toBe(account.createdTimestamp);
  const change = { capabilities: { amexPayments: { requested: true } } };
  const changed = good(await world.api.patch(`/v1/accounts/${account.id}`, change));
  expect(changed.capabilities.amexPayments.requestedTimestamp).toBe(changed.lastUpdatedTimestamp);
});

test('account: the documents of its block and the persons of its verification are always there', async () => {
  const company = good(await world.api.post('/v1/accounts', BUSINESS));
  expect(company.business.documents).toEqual([]);
  expect(company.verification.persons).toMatchObject({ status: 'Required', required: expect.any(Array) });
  const person = good(await world.api.post('/v1/accounts', INDIVIDUAL));
  expect(person.individual.documents).toEqual([]);
  expect(person.verification.persons).toEqual({ status: 'NotRequired', required: [] });
  const hosted = good(await world.api.post('/v1/accounts', { email: 'ana@corner.example' }));
  expect(hosted.verification.persons).toEqual({ status: 'NotRequired', required: [] });
});

test('payment session: splitPaymentDetail is always there, empty without splits, in its events too', async () => {
  const shop = await world.listen('shop', ['PaymentSession.captured']);
  const session = await openCheckout(world.api).captured();
  expect(session.splitPaymentDetail).toEqual({ items: [] });
  const { event } = await world.until('the delivery', () => shop.deliveries[0]);
  expect(event).toMatchObject({ data: { splitPaymentDetail: { items: [] } } });
});

test('subscription: paymentSettings is always there, with the statement descriptor of the account', async () => {
  const customer = good(await world.api.post('/v1/customers', { email: 'sam@example.com' }));
  const price = { amount: 500, currency: 'GBP', interval: { unit: 'Days', count: 1 } };
  const made = await world.api.post('/v1/subscriptions', { customer: { id: customer.id }, price });
  const { statementDescriptor } = good(
    await world.api.post('/v1/payment-sessions', { amount: 500, currency: 'GBP' }),
  );
  expect(good(made).paymentSettings).toEqual({ statementDescriptor });
});

test('balance: lastUpdatedTimestamp of a balance that never changed is when its account was created', async () => {
  const account = good(await world.api.post('/v1/accounts', INDIVIDUAL));
  await world.advance({ minutes: DAY });
  const { items } = good(await world.api.as(account.id).get('/v1/balances?currency=GBP'));
  expect(items[0].lastUpdatedTimestamp).toBe(account.createdTimestamp);
});

test('bank account: bankIdType is null with an IBAN, in the payout method and in its payouts', async () => {
  const manual = { settings: { payouts: { schedule: { type: 'Manual' } } } };
  const { id } = good(await world.api.post('/v1/accounts', { ...INDIVIDUAL, ...manual }));
  const methods = `/v1/accounts/${id}/payout-methods`;
  const bankAccount = { accountNumberType: 'Iban', accountNumber: 'DE89370400440532013000' };
  const iban = { type: 'BankAccount', currency: 'EUR', country: 'DE', bankAccount };
  const method = good(await world.api.post(methods, iban));
  expect(method).toMatchObject({
    bankAccount: { bankIdType: null },
    verification: { status: 'NotSupported' },
  });
  expect(good(await world.api.get(`${methods}/${method.id}`))).toEqual(method);
  expect(good(await world.api.post(methods, BANK_ACCOUNT)).bankAccount.bankIdType).toBe('SortCode');

  const transfer = { amount: 500, currency: 'EUR', destination: { accountId: id } };
  await openCheckout(world.api).captured({ amount: 9000, currency: 'EUR' });
  await world.advance({ minutes: 4 * DAY });
  expect(good(await world.api.post('/v1/transfers', transfer)).status).toBe('Completed');
  const body = { amount: 500, currency: 'EUR', payoutMethodId: method.id };
  const payout = good(await world.api.post(`/v1/accounts/${id}/payouts`, body));
  expect(payout.payoutMethod.bankAccount.bankIdType).toBeNull();
  // No payment is in it: the days are that on which it was made.
  const day = new Date(payout.createdTimestamp * 1000).toISOString().slice(0, 10);
  expect(payout).toMatchObject({ paymentsTakenDateFrom: day, paymentsTakenDateTo: day });
});

test('terminal action: its error always has the settings of the action', async () => {
  const till = openTill(world, await world.addTerminal());
  await till.takes(1_901, { receipts: 'PointOfSale' });
  expect((await till.action()).error).toEqual({
    code: 'insufficient_funds',
    settings: { receiptPrintingSource: 'PointOfSale' },
  });
});
