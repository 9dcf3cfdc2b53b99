import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTill, type Till } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

let world: World;
let till: Till;
beforeEach(async () => {
  world = await startWorld();
  till = openTill(world, await world.addTerminal());
});
afterEach(() => world.close());

/** The states of a terminal's machine in which its power can go, and how a payment comes there. */
const STATES: [string, { card: string; receipts: 'Terminal' | 'PointOfSale'; confirmed?: object }][] = [
  ['awaitingCard', { card: 'visa-contactless', receipts: 'Terminal' }],
  ['reading', { card: 'visa-contactless', receipts: 'Terminal' }],
  ['awaitingPin', { card: 'visa-contact-pin', receipts: 'Terminal' }],
  ['verifyingPin', { card: 'visa-contact-pin', receipts: 'Terminal' }],
  ['authorising', { card: 'visa-contactless', receipts: 'Terminal' }],
  ['merchantCopy', { card: 'visa-contactless', receipts: 'Terminal' }],
  ['customerCopy', { card: 'visa-contactless', receipts: 'Terminal' }],
  ['completing', { card: 'visa-contactless', receipts: 'Terminal' }],
  ['awaitingMerchantReceipt', { card: 'visa-contactless', receipts: 'PointOfSale' }],
  [
    'awaitingCustomerReceipt',
    {
      card: 'visa-contactless',
      receipts: 'PointOfSale',
      confirmed: { merchantCopy: { status: 'Succeeded' } },
    },
  ],
];

/** Cuts the power at the first step of the terminal into `state`. */
function cutAt(state: string): { happened: boolean } {
  const cut = { happened: false };
  world.watchSteps((step) => {
    if (cut.happened || !step.state.split('.').includes(state)) return;
    cut.happened = true;
    till.terminal.perform({ act: 'power', state: 'off' });
  });
  return cut;
}

async function play(card: string): Promise<void> {
  if (!till.terminal.screen.length) return;
  till.terminal.perform({ act: 'present-card', card });
  await world.settled();
  till.terminal.perform({ act: 'press-keys', keys: ['1', '2', '3', '4', 'enter'] });
  await world.settled();
}

describe.each(STATES)('power cut: while %s', (state, { card, receipts, confirmed }) => {
  test('back at once: the action continues and the money moves once', async () => {
    const cut = cutAt(state);
    const { body } = await till.pay(1000, { receipts });
    const sessionId = body.action.transaction.paymentSessionId;
    await world.settled();
    await play(card);
    if (confirmed) await till.confirm(confirmed);
    await world.settled();
    expect(cut.happened).toBe(true);

    till.terminal.perform({ act: 'power', state: 'on' });
    await world.settled();
    await play(card);
    if (receipts === 'PointOfSale') {
      if (!confirmed) await till.confirm({ merchantCopy: { status: 'Succeeded' } });
      await till.confirm({ customerCopy: { status: 'Succeeded' } });
    }
    await world.settled();

    expect(await till.action()).toMatchObject({ status: 'Succeeded' });
    expect(await till.session(sessionId)).toMatchObject({ status: 'Captured' });
    expect(await till.movements(sessionId)).toEqual(['Authorization', 'Capture']);
    expect(till.terminal.status).toEqual({});
  });

  test('back after all deadlines: terminal and server agree that it failed, and no money stays moved', async () => {
    const cut = cutAt(state);
    const { body } = await till.pay(1000, { receipts });
    const sessionId = body.action.transaction.paymentSessionId;
    await world.settled();
    await play(card);
    if (confirmed) await till.confirm(confirmed);
    await world.settled();
    expect(cut.happened).toBe(true);

    await world.advance({ minutes: 5 });
    expect(await till.action()).toMatchObject({ status: 'Failed' });
    const movements = await till.movements(sessionId);
    expect([[], ['Authorization', 'Void']]).toContainEqual(movements);

    till.terminal.perform({ act: 'power', state: 'on' });
    await world.until(
      'the terminal to learn that its action has ended',
      () => !till.terminal.status.actionId,
    );
    await world.settled();
    expect(till.terminal.status).toEqual({});
    expect(await till.movements(sessionId)).toEqual(movements);
    expect(await till.takes(2000)).toMatchObject({ status: 'Captured' });
  });
});

test('terminal payment: a terminal that is off when it starts counts as offline after ten seconds', async () => {
  till.terminal.perform({ act: 'power', state: 'off' });
  await world.settled();
  expect((await till.pay(1000)).body.action.status).toBe('InProgress');
  await world.advance({ seconds: 11 });
  expect(await till.action()).toMatchObject({ status: 'Failed', error: { code: 'terminal_offline' } });
  till.terminal.perform({ act: 'power', state: 'on' });
  await world.settled();
  expect(till.terminal.status).toEqual({});
});

test('terminal payment: a terminal that reconnects within ten seconds takes it', async () => {
  till.terminal.perform({ act: 'network', state: 'off' });
  await till.pay(1000);
  await world.advance({ seconds: 5 });
  till.terminal.perform({ act: 'network', state: 'on' });
  await till.reaches('awaitingCard');
});

test('GET /sandbox/terminals: returns which terminals are connected', async () => {
  const online = async () =>
    (await world.api.get(`/sandbox/terminals/${till.terminal.terminalId}`)).body.online;
  expect(await online()).toBe(true);
  till.terminal.perform({ act: 'power', state: 'off' });
  // A broker on the network publishes the last will when it notices that the connection is lost.
  await world.until('the terminal is offline', async () => !(await online()));
});
