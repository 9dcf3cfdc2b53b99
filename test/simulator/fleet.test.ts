import { expect, test } from 'vitest';
import { memoryJournal } from '../../agent/lifecycle/action-journal.ts';
import { seededRandom } from '../../protocol/ids.ts';
import { createLog } from '../../protocol/log.ts';
import { BAD_NETWORK, withNetworkFaults } from '../../simulator/network-faults.ts';
import { createFleet, type FleetActivity, type FleetParts } from '../../simulator/fleet.ts';
import type { SandboxApi } from '../../simulator/pairing.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';
import { fakeServer, terminalIdOf } from './fake-server.ts';

function setUp(
  parts: (server: ReturnType<typeof fakeServer>, clock: VirtualClock) => Partial<FleetParts> = () => ({}),
) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5, 9));
  const server = fakeServer(clock);
  const lines: string[] = [];
  const activities: FleetActivity[] = [];
  const fleet = createFleet({
    connect: server.broker.connect,
    clock,
    random: seededRandom('fleet'),
    api: server.api,
    log: createLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } }),
    journalFor: memoryJournal,
    onActivity: (activity) => void activities.push(activity),
    ...parts(server, clock),
  });
  return { clock, server, fleet, lines, activities };
}

const [ONE, TWO] = [terminalIdOf(1), terminalIdOf(2)];

test('fleet: pairs and starts its terminals, and opens one more link that controls them all', async () => {
  const { clock, server, fleet, activities } = setUp();
  await Promise.all([fleet.add({ terminalId: ONE }), fleet.add({ terminalId: TWO, deviceType: 'PIN Pad' })]);
  await fleet.controlled();
  await clock.advance(0);

  expect(server.paired.sort()).toEqual([
    'POST /pairing/simulators',
    `POST /pairing/terminals/${ONE}`,
    `POST /pairing/terminals/${TWO}`,
  ]);
  expect(server.broker.online.sort()).toEqual(['server', 'simulators', ONE, TWO].sort());
  expect(fleet.terminals().map(({ online }) => online)).toEqual([true, true]);
  expect(fleet.terminal(TWO)?.device.hasPrinter).toBe(false);
  expect(activities.filter(({ what }) => what === 'started').map(({ terminalId }) => terminalId)).toEqual([
    ONE,
    TWO,
  ]);
});

test('fleet: emits an activity each time that a terminal is online', async () => {
  const { clock, server, fleet, activities } = setUp();
  const online = () => activities.filter(({ what }) => what === 'online').map(({ terminalId }) => terminalId);
  await Promise.all([fleet.add({ terminalId: ONE }), fleet.add({ terminalId: TWO })]);
  await fleet.controlled();
  await clock.advance(0);
  expect(online().sort()).toEqual([ONE, TWO]);

  server.simulate(ONE, { act: 'network', state: 'off' }, 'r1');
  server.simulate(ONE, { act: 'network', state: 'on' }, 'r2');
  await clock.advance(0);
  expect(online().at(-1)).toBe(ONE);
  expect(online()).toHaveLength(3);
});

test('fleet: performs a /sandbox call on its terminal and replies with the state of the terminal', async () => {
  const { clock, server, fleet, activities } = setUp();
  await fleet.add({ terminalId: ONE, cardholder: { script: 'none' } });
  await fleet.controlled();
  const actionId = server.start(ONE);
  await clock.advance(1000);
  server.simulate(ONE, { act: 'present-card', card: 'mastercard-contactless' }, 'r1');
  server.simulate(TWO, { act: 'present-card', card: 'mastercard-contactless' }, 'r2');
  server.simulate(ONE, { act: 'present-card', card: 'gold-card' }, 'r3');
  await clock.advance(5000);

  expect(server.answers).toMatchObject([
    { requestId: 'r1', ok: true, terminal: { power: 'on', network: 'on', paperSheets: 1000 } },
    { requestId: 'r3', ok: false, problem: expect.stringContaining('the cards are:') },
  ]);
  expect(server.ended).toContain(actionId);
  expect(activities.some(({ what }) => what === 'simulated')).toBe(true);
  expect(activities.some(({ what }) => what === 'stepped')).toBe(true);
});

test('fleet: a terminal without power is still controlled, and can be switched on again', async () => {
  const { clock, server, fleet } = setUp();
  await fleet.add({ terminalId: ONE });
  await fleet.controlled();
  server.simulate(ONE, { act: 'power', state: 'off' });
  await clock.advance(0);
  expect(fleet.terminal(ONE)?.online).toBe(false);

  server.simulate(ONE, { act: 'power', state: 'on' });
  await clock.advance(0);
  expect(fleet.terminal(ONE)?.online).toBe(true);
  expect(server.answers.map(({ terminal }) => terminal?.power)).toEqual(['off', 'on']);
});

test('fleet: add retries until the server is up', async () => {
  let up = false;
  const { clock, fleet, lines } = setUp((server) => {
    const api: SandboxApi = {
      async request(method, path) {
        if (!up) throw new Error('connect ECONNREFUSED');
        return server.api.request(method, path);
      },
    };
    return { api };
  });
  const added = fleet.add({ terminalId: ONE });
  await clock.advance(10_000);
  expect(fleet.terminals()).toEqual([]);
  expect(lines.length).toBeGreaterThan(2);

  up = true;
  await clock.advance(60_000);
  await added;
  await fleet.controlled();
  expect(fleet.terminal(ONE)?.online).toBe(true);
});

test('fleet: add rejects when the server refuses to pair, and can be called again', async () => {
  let refusals = 0;
  const { clock, fleet } = setUp((server) => ({
    api: {
      async request(method, path) {
        if (path.endsWith(ONE) && refusals++ === 0)
          return { status: 404, body: { errors: [{ message: 'no such terminal' }] } };
        return server.api.request(method, path);
      },
    },
  }));
  await expect(fleet.add({ terminalId: ONE })).rejects.toMatchObject({ code: 'server_answer' });
  expect(fleet.terminals()).toEqual([]);

  await fleet.add({ terminalId: ONE });
  await clock.advance(0);
  expect(fleet.terminal(ONE)?.online).toBe(true);
});

test('fleet: adding twice pairs once; remove stops a terminal, also while it is being paired', async () => {
  const { clock, server, fleet, activities } = setUp();
  await Promise.all([fleet.add({ terminalId: ONE }), fleet.add({ terminalId: ONE })]);
  expect(server.paired.filter((call) => call.endsWith(ONE))).toHaveLength(1);

  const adding = fleet.add({ terminalId: TWO });
  await fleet.remove(TWO);
  await adding;
  await fleet.remove(ONE);
  await fleet.remove(ONE);
  await clock.advance(60_000);

  expect(fleet.terminals()).toEqual([]);
  expect(server.broker.online).not.toContain(ONE);
  expect(server.broker.online).not.toContain(TWO);
  expect(activities.filter(({ what }) => what === 'removed')).toHaveLength(2);
});

test('fleet: close leaves no terminal online and no timer', async () => {
  const { clock, server, fleet } = setUp();
  await Promise.all([1, 2, 3].map((number) => fleet.add({ terminalId: terminalIdOf(number) })));
  await fleet.controlled();
  server.start(ONE);
  await clock.advance(500);
  await fleet.close();
  await fleet.add({ terminalId: TWO });
  await clock.advance(0);

  expect(server.broker.online).toEqual(['server']);
  expect(clock.due).toEqual([]);
});

test('fleet: a thousand idle terminals need no timer, and can pay', async () => {
  const { clock, server, fleet } = setUp(() => ({ onActivity: undefined, readLatencyMs: 0 }));
  const ids = Array.from({ length: 1000 }, (_, number) => terminalIdOf(number));
  await Promise.all(ids.map((terminalId) => fleet.add({ terminalId })));
  await fleet.controlled();
  await clock.advance(0);

  expect(fleet.terminals().filter(({ online }) => online)).toHaveLength(1000);
  expect(clock.due).toEqual([]);
  expect(new Set(fleet.terminals().map(({ device }) => device)).size).toBe(1);

  const actions = ids.slice(0, 50).map((terminalId) => server.start(terminalId));
  await clock.advance(5000);
  expect(actions.filter((actionId) => !server.ended.has(actionId))).toEqual([]);
  expect(clock.due).toEqual([]);
});

test('fleet: on a bad network every payment ends, and each approval prints one pair of copies', async () => {
  const bad = { ...BAD_NETWORK, upMs: { min: 500, max: 4000 } };
  const { clock, server, fleet } = setUp(({ broker }, time) => ({
    connectTerminal: withNetworkFaults(broker.connect, { clock: time, seed: 'storm', faults: bad }),
  }));
  const ids = Array.from({ length: 40 }, (_, number) => terminalIdOf(number));
  await Promise.all(ids.map((terminalId) => fleet.add({ terminalId })));
  await clock.advance(0);
  const expiresAtMs = clock.nowMs() + 600_000;
  const actions = ids.map((terminalId) => server.start(terminalId, { expiresAtMs }));
  await clock.advance(180_000);

  expect(actions.filter((actionId) => !server.ended.has(actionId))).toEqual([]);
  const idle = fleet.terminals().filter(({ status }) => status.actionId === undefined);
  expect(idle).toHaveLength(ids.length);
  expect(fleet.terminals().map(({ printed }) => printed.length)).toEqual(ids.map(() => 2));
});

test('fleet: no password is in the log or on the wire', async () => {
  const { clock, server, fleet, lines } = setUp();
  await fleet.add({ terminalId: ONE });
  await fleet.controlled();
  server.start(ONE);
  await clock.advance(5000);

  expect(`${lines.join('\n')}${server.broker.overheard()}`).not.toContain('password of');
});

test('fleet: exports its terminals, also one that is not paired yet, and another fleet starts where they stood', async () => {
  const { clock, server, fleet } = setUp();
  await fleet.add({ terminalId: ONE, cardholder: { script: 'none' } });
  await clock.advance(0);
  server.start(ONE);
  await clock.advance(0);
  fleet.terminal(ONE)!.perform({ act: 'present-card', card: 'visa-contact-pin' });
  await clock.advance(1000);
  void fleet.add({ terminalId: TWO, deviceType: 'PIN Pad' });
  const exported = fleet.exportState();
  await clock.advance(0);
  const members = await exported;
  expect(members).toMatchObject([{ terminalId: ONE, state: { version: 1 } }, { terminalId: TWO }]);

  const other = setUp();
  for (const member of JSON.parse(JSON.stringify(members)) as typeof members) await other.fleet.add(member);
  await other.clock.advance(0);
  expect(other.fleet.terminal(ONE)!.status).toEqual(fleet.terminal(ONE)!.status);
  expect(other.fleet.terminal(ONE)!.status.state).toBe('awaitingPin');
  expect(other.fleet.terminal(TWO)!.device.deviceType).toBe('PIN Pad');
});

test('fleet: refuses a terminal with a state that cannot be used, and takes it without', async () => {
  const { fleet } = setUp();
  const earlier = setUp().fleet;
  await earlier.add({ terminalId: ONE });
  const [member] = await earlier.exportState();
  const newer = { ...member!.state, version: 2 } as never;
  await expect(fleet.add({ terminalId: ONE, state: newer })).rejects.toThrow('terminal has version 2');
  expect(fleet.terminals()).toEqual([]);
  await fleet.add({ terminalId: ONE });
  expect(fleet.terminals()).toHaveLength(1);
});
