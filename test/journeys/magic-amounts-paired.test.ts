import { afterEach, beforeEach, expect, test } from 'vitest';
import { ActionAccepted, AuthoriseAction } from '../../protocol/messages/action.messages.ts';
import { Presence } from '../../protocol/messages/presence.messages.ts';
import { cardholderOf } from '../../server/api/in-person/actions/magic-amounts.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { hostileTerminal, type HostileTerminal } from './hostile-terminal.ts';

let world: World;
let terminal: HostileTerminal;
beforeEach(async () => {
  world = await startWorld();
  terminal = await hostileTerminal(world);
  await terminal.publish(Presence, { online: true });
});
afterEach(() => world.close());

const action = async () => (await world.api.get(`/v1/in-person/terminals/${terminal.id}`)).body.action;

async function pay(requested: number): Promise<string> {
  const body = { amounts: { requested }, currency: 'GBP' };
  return (await world.api.post(`/v1/in-person/terminals/${terminal.id}/payment`, body)).body.action.id;
}

const CARD = {
  scheme: 'Visa',
  bin: '492993',
  last4: '5598',
  expiryMonth: '12',
  expiryYear: '2030',
  entryMode: 'Contactless',
} as const;

test('magic amounts: decline a paired real terminal, unless it authorises at its own bank', async () => {
  const actionId = await pay(1901);
  await terminal.publish(ActionAccepted, { actionId, seq: 1 });
  await terminal.publish(AuthoriseAction, { actionId, seq: 2, card: CARD, verification: 'None' });
  expect(await action()).toMatchObject({ status: 'Failed', error: { code: 'insufficient_funds' } });

  const ownBank = await pay(2901);
  const device = { authorisationCode: '123456', reference: '0012 52500038' };
  await terminal.publish(ActionAccepted, { actionId: ownBank, seq: 1 });
  await terminal.publish(AuthoriseAction, {
    actionId: ownBank,
    seq: 2,
    card: CARD,
    verification: 'None',
    device,
  });
  expect(await action()).toMatchObject({ id: ownBank, status: 'InProgress', error: null });
});

test('magic amounts: 921 loses the command to a paired terminal', async () => {
  await pay(1921);
  await world.advance({ minutes: 5 });
  expect(await action()).toMatchObject({ status: 'Failed', error: { code: 'terminal_offline' } });
});

test('magic amounts: 920 and 922 act on a simulated cardholder only', () => {
  const settings = { magicAmounts: undefined };
  const of = (serialNumber: string, amountMinor: number) =>
    cardholderOf({ serialNumber, amountMinor, settings });
  expect([of('SIM1', 1920), of('SIM1', 1922)]).toEqual(['walkAway', 'pressCancel']);
  expect([of('1853012345', 1920), of('1853012345', 1922)]).toEqual([undefined, undefined]);
});
