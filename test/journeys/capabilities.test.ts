import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Api } from '../../testing/world/api.ts';
import { card, openCheckout } from '../kit/checkout.ts';
import { openTill } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { BUSINESS, good } from './one-of-each.ts';

let world: World;
let accountId: string;
let branch: Api;

beforeEach(async () => {
  world = await startWorld();
  accountId = good(await world.api.post('/v1/accounts', BUSINESS)).id;
  branch = world.api.as(accountId);
});
afterEach(() => world.close());

async function request(capabilities: object): Promise<void> {
  const asked = Object.entries(capabilities).map(([name, requested]) => [name, { requested }]);
  const account = await world.api.patch(`/v1/accounts/${accountId}`, {
    capabilities: Object.fromEntries(asked),
  });
  for (const [name, requested] of Object.entries(capabilities)) {
    const status = requested ? 'Enabled' : 'NotRequested';
    expect(good(account).capabilities[name]).toMatchObject({ requested, status });
  }
}

test('capabilities: a terminal of a Hosted account takes a payment although no request named a capability', async () => {
  const { id } = good(await world.api.post('/v1/accounts', { email: 'ana@corner.example' }));
  const till = openTill(world, await world.addTerminal({ accountId: id }), id);
  expect(await till.takes(1000)).toMatchObject({ status: 'Captured' });
  const patched = await world.api.patch(`/v1/accounts/${id}`, {
    capabilities: { inPersonPayments: { requested: false } },
  });
  expect([patched.status, patched.body.errors[0].code]).toEqual([400, 'bad_request']);
});

test('capabilities: those in the request are as requested, the others are those of the platform', async () => {
  const capabilities = { amexPayments: { requested: false }, visaPayments: { requested: true } };
  const account = good(await world.api.post('/v1/accounts', { ...BUSINESS, capabilities }));
  const platform = good(await world.api.get(`/v1/accounts/${world.platformId}`));
  const { mastercardPayments, inPersonPayments } = platform.capabilities;
  expect([mastercardPayments.requested, inPersonPayments.requested]).toEqual([true, true]);
  expect(account.capabilities).toMatchObject({
    visaPayments: { requested: true, status: 'Enabled' },
    mastercardPayments: { requested: true, status: 'Enabled' },
    amexPayments: { requested: false, status: 'NotRequested' },
    inPersonPayments: { requested: true, status: 'Enabled' },
  });
});

test(
  'capabilities: a card is declined as disabled until its scheme is requested',
  { tags: ['spec:2.3/card-scheme-requested'] },
  async () => {
    await request({ amexPayments: false });
    const shop = openCheckout(branch);
    const pays = async (number: string) => {
      const { status, lastError } = await shop.pay(await shop.session(), number);
      return lastError ?? status;
    };
    const [visa, mastercard, amex] = ['4242424242424242', '5555555555554444', '378282246310005'] as const;
    expect([await pays(visa), await pays(mastercard)]).toEqual(['Captured', 'Captured']);
    expect(await pays(amex)).toBe('payment_method_option_amex_disabled');
    await request({ visaPayments: false, amexPayments: true });
    expect([await pays(mastercard), await pays(amex)]).toEqual(['Captured', 'Captured']);
    expect(await pays(visa)).toBe('payment_method_option_visa_disabled');
  },
);

test('capabilities: a stored card is declined when its scheme is no longer requested', async () => {
  const shop = openCheckout(branch);
  const first = good(
    await shop.attempt(await shop.session(), {
      cardDetails: card(),
      paymentMethodOptions: { store: true },
    }),
  );
  await request({ visaPayments: false });
  const paid = await shop.session({
    customerDetails: { id: first.customerDetails.id },
    attemptPayment: { paymentMethod: { id: first.paymentMethod.tokenizedDetails.id } },
  });
  expect(paid.lastError).toBe('payment_method_option_visa_disabled');
});

test(
  'capabilities: a terminal takes payments, of the requested schemes, while inPersonPayments is requested',
  { tags: ['spec:2.3/in-person-requested'] },
  async () => {
    await request({ inPersonPayments: false });
    const till = openTill(world, await world.addTerminal({ accountId }), accountId);
    const refused = await till.pay(1000);
    expect([refused.status, refused.body.errors[0].code, refused.body.errors[0].message]).toEqual([
      400,
      'bad_request',
      'the capability inPersonPayments of the account is not enabled: request it first',
    ]);
    await request({ inPersonPayments: true });
    expect(await till.takes(1000)).toMatchObject({ status: 'Captured' });
    await request({ visaPayments: false });
    expect(await till.takes(1000)).toMatchObject({ lastError: 'payment_method_option_visa_disabled' });
    await request({ inPersonPayments: false });
    expect((await till.pay(1000)).status).toBe(400);
  },
);
