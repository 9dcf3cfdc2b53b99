import { afterEach, expect, test } from 'vitest';
import { openReaderFixture, type ReaderFixture } from '../../kit/reader-fixture.ts';

let shop: ReaderFixture;
afterEach(() => shop.close());

/** Drivers whose terminals can be neither cancelled nor asked for everything later. */
const DRIVERS = ['caisse-ap', 'ecr17', 'concert'];

async function pays(driver: string, amountMinor: number, card: string) {
  shop = await openReaderFixture({ driver });
  const { body } = await shop.till.pay(amountMinor, { currency: 'EUR' });
  await shop.is('atDevice');
  shop.hold(card);
  const action = await shop.ended(120_000);
  return { action, session: await shop.till.session(body.action.transaction.paymentSessionId) };
}

test.each(DRIVERS)('%s twin: a payment is approved by its bank, and captured', async (driver) => {
  const { action, session } = await pays(driver, 1742, 'visa-contactless');
  expect(action).toMatchObject({ status: 'Succeeded' });
  expect(session).toMatchObject({ status: 'Captured' });
});

test.each(DRIVERS)('%s twin: a payment that its bank declines has failed', async (driver) => {
  const { action } = await pays(driver, 1742, 'visa-declined');
  expect(action).toMatchObject({ status: 'Failed', error: { code: 'card_declined' } });
});

/** Takes a payment whose answer is lost once the bank has approved it. */
async function loses(driver: string) {
  shop = await openReaderFixture({ driver });
  const { body } = await shop.till.pay(1742, { currency: 'EUR' });
  await shop.is('atDevice');
  shop.terminal.twin.controls['fault-after-approval']!.run('cut');
  shop.hold('visa-contactless');
  return body.action.transaction.paymentSessionId;
}

test('caisse-ap twin: an approval whose answer is lost has an unknown outcome, which a person settles', async () => {
  const sessionId = await loses('caisse-ap');
  await shop.soon('the unknown outcome', () => shop.terminal.status.state === 'outcomeUnknown', 300_000);
  const { terminalId } = shop.terminal;
  await shop.world.api.post(`/sandbox/terminals/${terminalId}/settle`, { outcome: 'Charged' });
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
  expect(await shop.till.session(sessionId)).toMatchObject({ status: 'Captured' });
});

test('ecr17 twin: an approval whose answer is lost is found by the last result', async () => {
  const sessionId = await loses('ecr17');
  expect(await shop.ended(300_000)).toMatchObject({ status: 'Succeeded' });
  expect(await shop.till.session(sessionId)).toMatchObject({ status: 'Captured' });
});
