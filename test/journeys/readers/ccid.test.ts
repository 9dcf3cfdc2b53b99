import { afterEach, expect, test } from 'vitest';
import { openReaderFixture, type ReaderFixture } from '../../kit/reader-fixture.ts';

let shop: ReaderFixture;
afterEach(() => shop.close());

const open = async () => (shop = await openReaderFixture({ driver: 'ccid' }));
const PIN = ['1', '2', '3', '4', 'enter'] as const;

test.each(['visa-contact-pin', 'mastercard-contact-pin', 'amex-contact-pin'])(
  "CCID reader: %s is inserted, its PIN entered, its cryptogram verified, and it accepts the issuer's response",
  async (card) => {
    const { till, terminal } = await open();
    const states: string[] = [];
    shop.world.server.services.activities.listen('test', (activity) => {
      if (activity.kind === 'terminal.stepped') states.push(activity.state);
    });
    const { body } = await shop.pays(1742, card);
    await shop.is('awaitingPin');
    terminal.press([...PIN]);
    expect(await shop.ended()).toMatchObject({ status: 'Succeeded', error: null });
    const sessionId = body.action.transaction.paymentSessionId;
    expect(await till.session(sessionId)).toMatchObject({ status: 'Captured', amount: 1742 });
    expect(states).toContain('completingCard');
  },
);

test('CCID reader: a wrong PIN shows the tries that are left, and the right one is accepted', async () => {
  const { terminal } = await open();
  await shop.pays(1742, 'visa-contact-pin');
  await shop.is('awaitingPin');
  terminal.press(['9', '9', '9', '9', 'enter']);
  await shop.soon('what is left', () => /Wrong PIN|Declined/.test(terminal.agent.screen.at(-1) ?? ''));
  expect(terminal.agent.screen.at(-1)).toBe('Wrong PIN, 2 tries left');
  terminal.press([...PIN]);
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
});

test.each([
  ['visa-blocked-pin', 'security_violation'],
  ['visa-wrong-cryptogram', 'suspected_fraud'],
])('CCID reader: %s is declined, %s', async (card, code) => {
  const { till, terminal } = await open();
  const { body } = await shop.pays(1742, card);
  const action = await shop.soon('the end', async () => {
    if (terminal.status.state === 'awaitingPin') terminal.press([...PIN]);
    const seen = await till.action();
    return seen.status === 'InProgress' ? undefined : seen;
  });
  expect(action).toMatchObject({ status: 'Failed', error: { code } });
  const sessionId = body.action.transaction.paymentSessionId;
  expect(await till.session(sessionId)).toMatchObject({ status: 'PendingPayment' });
});

test('CCID reader: a card removed during PIN entry is asked for again', async () => {
  const { terminal } = await open();
  await shop.pays(1742, 'visa-contact-pin');
  await shop.is('awaitingPin');
  terminal.tray.remove();
  await shop.is('awaitingCard');
  shop.hold('visa-contact-pin');
  await shop.is('awaitingPin');
  terminal.press([...PIN]);
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
});

test('CCID reader: cancel on the PIN pad ends the action', async () => {
  const { terminal } = await open();
  await shop.pays(1742, 'visa-contact-pin');
  await shop.is('awaitingPin');
  terminal.press(['1', 'cancel']);
  expect(await shop.ended()).toMatchObject({ status: 'Failed', error: { code: 'cancelled_on_terminal' } });
});

test('CCID reader: unplugged during PIN entry the action fails; plugged in again the next one succeeds', async () => {
  const { terminal, world } = await open();
  await shop.pays(1742, 'visa-contact-pin');
  await shop.is('awaitingPin');
  await terminal.unplug();
  terminal.press([...PIN]);
  expect(await shop.ended(200_000)).toMatchObject({
    status: 'Failed',
    error: { code: 'unexpected_error', reason: 'pipe: the other end hung up' },
  });
  terminal.tray.remove();
  terminal.plugIn();
  await world.advance({ seconds: 10 });
  await shop.pays(900, 'visa-contact-pin');
  await shop.is('awaitingPin');
  terminal.press([...PIN]);
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
});
