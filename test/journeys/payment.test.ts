import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTill, type Till } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

const HEARD = [
  'Terminal.action_updated',
  'PaymentSession.approved',
  'PaymentSession.captured',
  'PaymentSession.declined',
  'PaymentSession.voided',
] as const;

let world: World;
let till: Till;
beforeEach(async () => {
  world = await startWorld();
  till = openTill(world, await world.addTerminal());
});
afterEach(() => world.close());

test(
  'terminal payment: a tapped card is captured, and the webhooks arrive in order',
  {
    tags: [
      'spec:4.12/POST/in-person/terminals/{id}/payment',
      'spec:4.12/result-by-webhook',
      'spec:6/terminal-events',
    ],
  },
  async () => {
    const shop = await world.listen('shop', [...HEARD]);

    const started = await till.pay(1742, { paymentSession: { metadata: { order: '42' } } });
    expect(started.status).toBe(200);
    expect(started.body.action).toMatchObject({
      status: 'InProgress',
      error: null,
      transaction: { type: 'Payment', amounts: { requested: 1742 }, currency: 'GBP' },
    });
    await till.reaches('awaitingCard');
    expect(till.terminal.screen.join(' ')).toContain('17.42 GBP');
    till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
    await world.settled();

    const sessionId = started.body.action.transaction.paymentSessionId;
    expect(await till.session(sessionId)).toMatchObject({
      status: 'Captured',
      entryMode: 'InPerson',
      metadata: { order: '42' },
      paymentMethod: { card: { scheme: 'Visa', last4: '0085' } },
    });
    expect(await till.action()).toMatchObject({
      status: 'Succeeded',
      completedTimestamp: expect.any(Number),
    });
    expect(await till.movements(sessionId)).toEqual(['Authorization', 'Capture']);
    expect(shop.types()).toEqual([
      'Terminal.action_updated',
      'PaymentSession.approved',
      'Terminal.action_updated',
      'PaymentSession.captured',
    ]);
    expect(shop.signedWith(shop.secret)).toBe(true);
    expect(JSON.stringify(shop.deliveries)).not.toContain('_secret_');
  },
);

test('terminal payment: both copies are printed, and the sandbox returns the receipt', async () => {
  await till.takes(1742);
  expect(till.terminal.printed.map(({ copy }) => copy)).toEqual(['merchantCopy', 'customerCopy']);
  const { id } = await till.action();
  const { body } = await world.api.get(`/sandbox/actions/${id}/receipt`);
  expect(body.customerCopy).toContain('17.42');
  expect(body.customerCopy).toContain('0085');
});

test('terminal payment: an amount that ends in 901 is declined with a reason, and a new payment can start at once', async () => {
  const shop = await world.listen('shop', [...HEARD]);
  const session = await till.takes(1901);
  expect(session).toMatchObject({ status: 'PendingPayment', lastError: 'insufficient_funds' });
  expect(await till.action()).toMatchObject({ status: 'Failed', error: { code: 'insufficient_funds' } });
  expect(await till.movements(session.id)).toEqual([]);
  expect(shop.types()).toEqual([
    'Terminal.action_updated',
    'Terminal.action_updated',
    'PaymentSession.declined',
  ]);
  expect(await till.takes(1000)).toMatchObject({ status: 'Captured' });
});

test('terminal payment: a busy terminal refuses a second payment', async () => {
  await till.pay(1000);
  expect(await till.pay(2000)).toMatchObject({
    status: 409,
    body: { code: '409', errors: [{ code: 'conflict' }] },
  });
});

test('terminal payment: without a card the action times out after two minutes', async () => {
  const started = await till.pay(1000);
  await till.reaches('awaitingCard');
  await world.advance({ seconds: 119 });
  expect(await till.action()).toMatchObject({ status: 'InProgress' });
  await world.advance({ seconds: 2 });
  expect(await till.action()).toMatchObject({ status: 'Failed', error: { code: 'timeout' } });
  expect(await till.session(started.body.action.transaction.paymentSessionId)).toMatchObject({
    status: 'PendingPayment',
  });
});

test('terminal payment: the cardholder presses cancel', async () => {
  await till.pay(1000);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'press-keys', keys: ['cancel'] });
  await world.settled();
  expect(await till.action()).toMatchObject({ status: 'Failed', error: { code: 'cancelled_on_terminal' } });
});

test('terminal payment: an inserted card asks for its PIN, and again after a wrong one', async () => {
  const started = await till.pay(1000);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contact-pin' });
  await till.reaches('awaitingPin');
  till.terminal.perform({ act: 'press-keys', keys: ['9', '9', '9', '9', 'enter'] });
  await till.reaches('awaitingPin');
  till.terminal.perform({ act: 'press-keys', keys: ['1', '2', '3', '4', 'enter'] });
  await world.settled();
  const session = await till.session(started.body.action.transaction.paymentSessionId);
  expect(session).toMatchObject({ status: 'Captured' });
});

test('terminal payment: a slow cardholder has all the time that the terminal allows', async () => {
  const started = await till.pay(1000);
  await till.reaches('awaitingCard');
  await world.advance({ seconds: 119 });
  till.terminal.perform({ act: 'present-card', card: 'visa-contact-pin' });
  await till.reaches('awaitingPin');
  await world.advance({ seconds: 59 });
  till.terminal.perform({ act: 'press-keys', keys: ['9', '9', '9', '9', 'enter'] });
  await till.reaches('awaitingPin');
  await world.advance({ seconds: 59 });
  till.terminal.perform({ act: 'press-keys', keys: ['1', '2', '3', '4', 'enter'] });
  await world.settled();
  const session = await till.session(started.body.action.transaction.paymentSessionId);
  expect(session).toMatchObject({ status: 'Captured' });
});

test('terminal payment: a scheme that the merchant does not accept is declined', async () => {
  const paymentSettings = { paymentMethodOptions: { disabled: ['Amex'] } };
  const started = await till.pay(1000, { paymentSession: { paymentSettings } });
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'amex-contactless' });
  await world.settled();
  const code = 'payment_method_option_amex_disabled';
  expect(await till.action()).toMatchObject({ status: 'Failed', error: { code } });
  const session = await till.session(started.body.action.transaction.paymentSessionId);
  expect(session).toMatchObject({ status: 'PendingPayment', lastError: code, paymentSettings });
});

test('terminal payment: a printer without paper fails the copies, not the payment', async () => {
  till.terminal.perform({ act: 'paper', sheets: 0 });
  expect(await till.takes(1000)).toMatchObject({ status: 'Captured' });
  expect(await till.action()).toMatchObject({
    status: 'Succeeded',
    transaction: {
      receiptDetail: { merchantCopy: { status: 'Failed' }, customerCopy: { status: 'Failed' } },
    },
  });
});

test("terminal payment: a platform takes its fee from a sub account's payment, without seeing the terminal", async () => {
  const shop = await world.listen('platform', ['PaymentSession.captured']);
  const terminal = await world.addTerminal({ accountId: world.subAccountId });
  const branch = openTill(world, terminal, world.subAccountId);
  const session = await branch.takes(2000, { paymentSession: { platformFee: 150 } });
  expect(session).toMatchObject({ status: 'Captured', platformFee: 150 });
  expect((await world.api.get(`/v1/payment-sessions/${session.id}`)).status).toBe(404);
  expect((await world.api.get(`/v1/in-person/terminals/${terminal.terminalId}`)).status).toBe(404);
  expect(shop.deliveries[0]!.event).toMatchObject({
    accountId: world.subAccountId,
    data: { id: session.id },
  });
});
