import { afterEach, beforeEach, expect, test } from 'vitest';
import { LOSS_NOTICED_MS } from '../../../../protocol/link.ts';
import { openTill, type Till } from '../../../kit/till.ts';
import { startWorld, type World } from '../../../kit/world.ts';

let world: World;
let till: Till;
beforeEach(async () => {
  world = await startWorld();
  till = openTill(world, await world.addTerminal());
});
afterEach(() => world.close());

/** Gives the gateway what it has with an external broker. */
function onExternalBroker(): void {
  Object.assign(world.server.services.gateway, { lossNoticedMs: LOSS_NOTICED_MS });
}

/** Lets the network lose the commands to start an action. */
async function loseStarts(): Promise<void> {
  const fault = { at: 'message.command', what: 'lost', when: { message: 'action.start', times: 10 } };
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
