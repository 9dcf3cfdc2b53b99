import { afterEach, beforeEach, expect, test } from 'vitest';
import { LOSS_DETECTED_MS } from '../../../../../protocol/link.ts';
import { openTill, type Till } from '../../../../../testing/world/till.ts';
import { startWorld, type World } from '../../../../../testing/world/world.ts';
import type { ActionEvent } from '../../../../../server/api/in-person/actions/action.machine.ts';
import { lockAction } from '../../../../../server/api/in-person/actions/action.records.ts';
import {
  applyActionEvent,
  type EventFacts,
} from '../../../../../server/api/in-person/actions/apply-action-event.ts';
import { VISA } from '../shop-server.ts';

let world: World;
let till: Till;
beforeEach(async () => {
  world = await startWorld();
  till = openTill(world, await world.addTerminal());
});
afterEach(() => world.close());

/** Gives the gateway what it has with an external broker. */
function onExternalBroker(): void {
  Object.assign(world.server.services.gateway, { lossDetectedMs: LOSS_DETECTED_MS });
}

/** Lets the network lose the commands to start an action. */
async function loseStarts(times = 10): Promise<void> {
  const fault = { at: 'message.command', what: 'lost', when: { message: 'action.start', times } };
  const { status, body } = await world.api.post('/sandbox/faults', { faults: [fault] });
  expect([status, body.errors]).toEqual([200, undefined]);
}

const offline = { status: 'Failed', error: { code: 'terminal_offline' } };

test('deadline to accept: ten seconds at the embedded broker', async () => {
  await loseStarts();
  await till.pay(1000);
  await world.advance({ seconds: 9 });
  expect((await till.action()).status).toBe('InProgress');
  await world.advance({ seconds: 1 });
  expect(await till.action()).toMatchObject(offline);
});

test('deadline to accept: 45 seconds for a terminal that an external broker takes as connected', async () => {
  onExternalBroker();
  await loseStarts();
  await till.pay(1000);
  await world.advance({ seconds: 44 });
  expect((await till.action()).status).toBe('InProgress');
  await world.advance({ seconds: 1 });
  expect(await till.action()).toMatchObject(offline);
});

test('deadline to accept: ten seconds for a terminal whose last will says that it is offline', async () => {
  onExternalBroker();
  await loseStarts();
  await till.pay(1000);
  await world.fleet.remove(till.terminal.terminalId);
  await world.advance({ seconds: 10 });
  expect(await till.action()).toMatchObject(offline);
});

test('deadline to accept: ten seconds where a magic amount loses the command', async () => {
  onExternalBroker();
  await till.pay(1921);
  await world.advance({ seconds: 10 });
  expect(await till.action()).toMatchObject(offline);
});

test('deadline to accept: a terminal that connects again after 15 seconds accepts the action', async () => {
  onExternalBroker();
  // The first, and the one after ten seconds: only the answer to the inquiry is left.
  await loseStarts(2);
  await till.pay(1000);
  await world.advance({ seconds: 15 });
  till.terminal.perform({ act: 'network', state: 'off' });
  till.terminal.perform({ act: 'network', state: 'on' });
  await till.reaches('awaitingCard');
  expect((await till.action()).status).toBe('InProgress');
});

test('deadline to accept: a start that is lost is sent again to a terminal that an external broker takes as connected', async () => {
  onExternalBroker();
  await loseStarts(2);
  await till.pay(1000);
  await world.advance({ seconds: 20 });
  await till.reaches('awaitingCard');
  expect((await till.action()).status).toBe('InProgress');
});

test('deadline to accept: an extended one does not end the action once it is accepted', async () => {
  onExternalBroker();
  await loseStarts(1);
  await till.pay(1000);
  await world.advance({ seconds: 10 });
  await till.reaches('awaitingCard');
  await world.advance({ seconds: 60 });
  expect((await till.action()).status).toBe('InProgress');
});

const APPROVED = { decision: { outcome: 'approved', authorisationCode: '614027' }, card: VISA } as const;

test('deadline to print: it passes after an approval in the first seconds, of an outcome that was unknown', async () => {
  await till.pay(1000);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'network', state: 'off' });
  await world.advance({ seconds: 5 });
  const { id } = await till.action();
  const { services } = world.server;
  const take = (event: ActionEvent, facts?: EventFacts) =>
    services.store.transaction(async (tx) =>
      applyActionEvent(tx, services, (await lockAction(tx, id))!, event, facts),
    );
  await take({ type: 'outcome.unknown' });
  await world.advance({ seconds: 2 });
  expect(await take({ type: 'issuer.approved' }, { storedDecision: APPROVED })).toMatchObject({
    phase: 'printing',
  });
  await world.advance({ seconds: 59 });
  expect((await till.action()).status).toBe('InProgress');
  await world.advance({ seconds: 1 });
  expect(await till.action()).toMatchObject({ status: 'Failed', error: { code: 'timeout' } });
});
