import { afterEach, expect, test } from 'vitest';
import { openPage } from '../../server/dashboard/open-page.ts';
import { openReaderFixture, type ReaderFixture } from '../../kit/reader-fixture.ts';

let shop: ReaderFixture;
afterEach(() => shop.close());

const reversalsOf = async (actionId: string) =>
  (await shop.world.api.get(`/sandbox/actions/${actionId}`)).body.deviceReversals;
const open = async () => (shop = await openReaderFixture({ driver: 'zvt' }));

test('ZVT terminal: authorises at its own bank, and its printed lines are the point-of-sale receipts', async () => {
  const { till, world } = await open();
  const { body } = await shop.pays(1742, 'visa-contactless', { receipts: 'PointOfSale' });
  await shop.is('awaitingMerchantReceipt');
  const receipt = await world.api.get(`/sandbox/actions/${body.action.id}/receipt`);
  expect(receipt.body.merchantCopy).toMatch(/H Ä N D L E R B E L E G[^]*GBP +17\.42/);
  expect(receipt.body.customerCopy).toMatch(/K U N D E N B E L E G/);
  expect(JSON.stringify(receipt.body)).not.toMatch(/[0-9]{12,}0085/);
  await till.confirm({ merchantCopy: { status: 'Succeeded' } });
  await till.confirm({ customerCopy: { status: 'Succeeded' } });
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
  expect(await till.session(body.action.transaction.paymentSessionId)).toMatchObject({ status: 'Captured' });
});

test('ZVT terminal: a copy that could not be printed reverses the payment at the server and on the terminal', async () => {
  const { till, terminal } = await open();
  const { body } = await shop.pays(1742, 'visa-contactless', { receipts: 'PointOfSale' });
  await shop.is('awaitingMerchantReceipt');
  await till.confirm({ merchantCopy: { status: 'Failed' } });
  expect(await shop.ended()).toMatchObject({ status: 'Failed', error: { code: 'receipt_failed' } });
  expect(await till.session(body.action.transaction.paymentSessionId)).toMatchObject({ status: 'Voided' });
  expect(terminal.status).toEqual({});
  expect(await reversalsOf(body.action.id)).toEqual([
    {
      reference: '0001/52500041',
      outcome: 'Reversed',
      amount: 1742,
      currency: 'GBP',
      reason: null,
      createdTimestamp: expect.any(Number),
    },
  ]);
});

test('ZVT terminal: a late approval is reversed, and the server shows receipt and amount while the payment stays unpaid', async () => {
  const { till, world, terminal } = await open();
  const { body } = await shop.pays(1742, 'visa-contactless');
  // The bank is asked: the terminal does not abort any more.
  await world.advance({ ms: 700 });
  expect(terminal.status.state).toBe('awaitingCard');
  await till.cancel();
  expect(await shop.ended()).toMatchObject({ status: 'Cancelled' });
  const [reversal] = await shop.soon('the report of the reversal', async () => {
    const reversals = await reversalsOf(body.action.id);
    return reversals.length > 0 ? reversals : undefined;
  });
  expect(reversal).toMatchObject({ reference: '0001/52500041', outcome: 'Reversed', amount: 1742 });
  const sessionId = body.action.transaction.paymentSessionId;
  expect(await till.session(sessionId)).toMatchObject({ status: 'PendingPayment' });
  expect(await till.action()).toMatchObject({ status: 'Cancelled' });

  const page = await openPage(world, { kind: 'action', id: body.action.id });
  const titles = page.last('timeline')!.entries.map(({ title }) => title);
  expect(titles).toContain('reversal.reported Reversed 0001/52500041 17.42 GBP');
});

test('ZVT terminal: an approval of an interrupted payment is reversed after a restart of the server, and reported', async () => {
  const { world, terminal } = await open();
  const { body } = await shop.pays(1742, 'visa-contactless');
  await world.advance({ ms: 900 });
  await terminal.unplug();
  expect(await shop.ended()).toMatchObject({ status: 'Failed', error: { code: 'unexpected_error' } });
  await world.restartServer();
  terminal.plugIn();
  const [reversal] = await shop.soon(
    'the report of the reversal',
    async () => {
      const reversals = await reversalsOf(body.action.id);
      return reversals.length > 0 ? reversals : undefined;
    },
    120_000,
  );
  expect(reversal).toMatchObject({ reference: '0001/52500041', outcome: 'Reversed', amount: 1742 });
});

test('ZVT terminal: a cancelled payment is aborted on the terminal, which then takes the next one', async () => {
  const { till } = await open();
  await till.pay(1742);
  await shop.is('awaitingCard');
  await till.cancel();
  expect(await shop.ended()).toMatchObject({ status: 'Cancelled' });
  await shop.pays(900, 'mastercard-contactless');
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
});

test("ZVT terminal: a chip card asks for its PIN on the terminal's keypad", async () => {
  const { terminal } = await open();
  await shop.pays(1742, 'visa-contact-pin');
  await shop.world.advance({ seconds: 5 });
  terminal.twin.controls['type']!.run('1234');
  terminal.twin.controls['confirm']!.run();
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
});
