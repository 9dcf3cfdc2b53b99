import { expect, onTestFinished, test } from 'vitest';
import { replayTrace } from '../../../world/replay/replay-trace.ts';
import { createFaultPlans } from '../../../server/platform/faults/fault-plans.ts';
import { struckStore } from '../../../server/platform/faults/struck-commits.ts';
import type { Store } from '../../../server/platform/store/store.ts';
import { openTill } from '../../../testing/world/till.ts';
import { startFaultTill, startFaultWorld } from './fault-world.ts';

const NETWORK_DOWN = { at: 'terminal.state', what: 'network-down', when: { state: 'authorising' } } as const;

/** Plans on the store of a world, whose transactions fail while `isAway`. */
async function startPlans() {
  const { world } = await startFaultWorld();
  const { services } = world.server;
  const state = { isAway: false, given: [] as string[] };
  const transaction: Store['transaction'] = (body, options) =>
    state.isAway ? Promise.reject(new Error('the disk is full')) : services.store.transaction(body, options);
  const store: Store = { ...services.store, transaction };
  const plans = createFaultPlans({
    ...services,
    store,
    giveBack: (terminalId, what) => void state.given.push(`${terminalId} ${what}`),
  });
  await plans.start(false);
  onTestFinished(() => plans.stop());
  const recoveries = () => services.store.all('SELECT terminal_id, what FROM fault_recoveries');
  return { world, plans, store, state, recoveries };
}

test('faults: what a fault took is stored once the store works again, where it failed before', async () => {
  const { world, plans, state, recoveries } = await startPlans();
  state.isAway = true;
  plans.giveBackLater('trm_1', 'power', 60_000);
  await world.advance({ ms: 3_500 });
  expect(await recoveries()).toEqual([]);
  state.isAway = false;
  await world.advance({ seconds: 5 });
  expect(await recoveries()).toEqual([{ terminal_id: 'trm_1', what: 'power' }]);
  await world.advance({ minutes: 1 });
  expect([state.given, await recoveries()]).toEqual([['trm_1 power'], []]);
});

test('faults: occurrences of a write that failed are stored with the next', async () => {
  const { world, plans, state } = await startPlans();
  const seed = { title: '', seed: '7' };
  const faults = [{ at: 'api.request', what: 'unavailable', when: { nth: 9 } } as const];
  await plans.create({ ...seed, faults });
  plans.strike({ at: 'api.request', operation: 'GET /v1/customers', ids: [] });
  state.isAway = true;
  expect(await plans.storeCounts()).toBe(false);
  state.isAway = false;
  await world.advance({ seconds: 2 });
  const { store } = world.server.services;
  expect(await store.all('SELECT seen FROM fault_plans')).toEqual([{ seen: '[1]' }]);
});

test('faults of the server: a strike that cannot be stored does not kill', async () => {
  const { plans, store, state } = await startPlans();
  await plans.create({ title: '', seed: '7', faults: [{ at: 'server.commit', what: 'kill-before' }] });
  plans.admitKills('at once');
  const kills: string[] = [];
  const parts = { faults: plans, kill: () => void kills.push('killed') };
  state.isAway = true;
  const written = struckStore(store, parts).run('UPDATE fault_plans SET title = ?', 'written');
  await expect(written).rejects.toThrow('the disk is full');
  expect([kills, plans.unstruck()]).toEqual([[], []]);
});

test('faults: a reset forgets what faults took, so that a stop after it stores nothing of terminals that are gone', async () => {
  const { world, put, till } = await startFaultTill();
  await put({ ...NETWORK_DOWN, delayMs: 600_000 });
  const asked = till.pay(1742);
  await world.advance({ seconds: 2 });
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.advance({ seconds: 2 });
  const stored = () => world.server.services.store.all('SELECT what FROM fault_recoveries');
  expect(await stored()).toEqual([{ what: 'network' }]);
  await world.api.post('/sandbox/reset', {});
  await world.server.services.faults!.storeCounts();
  expect(await stored()).toEqual([]);
  await world.advance({ minutes: 11 });
  await asked.catch(() => undefined);
});

test('recordings: after a reset none is refused for a message that was lost before it', async () => {
  const { world, put, till } = await startFaultTill();
  await put({ at: 'message.command', what: 'lost', when: { message: 'action.start' } });
  const asked = till.pay(1742);
  await world.settled();
  const reasons = () => world.server.services.faults!.heldBack();
  expect(reasons()).toEqual(['a message']);
  await world.api.post('/sandbox/reset', {});
  expect(reasons()).toEqual([]);
  await world.advance({ minutes: 5 });
  await asked.catch(() => undefined);
});

test('recordings: none is refused for the lost message of a terminal that is deleted', async () => {
  const { world, put, till } = await startFaultTill();
  const other = openTill(world, await world.addTerminal());
  await put({ at: 'message.command', what: 'lost', when: { times: 100 } });
  await till.pay(1742);
  await other.pay(1742);
  await world.advance({ minutes: 5 });
  const reasons = () => world.server.services.faults!.heldBack();
  expect(reasons()).toEqual(['a message']);
  await world.api.delete(`/v1/in-person/terminals/${till.terminal.terminalId}`);
  expect(reasons()).toEqual(['a message']);
  await world.api.delete(`/v1/in-person/terminals/${other.terminal.terminalId}`);
  expect(reasons()).toEqual([]);
});

test('replay: a recording of a server that ignores plans of faults is replayed without them', async () => {
  const { world, put } = await startFaultWorld();
  await put({ at: 'api.request', what: 'unavailable', when: { times: 100 } });
  const fork = await world.fork({ settings: { faults: 'off' } });
  onTestFinished(() => fork.close());
  const recording = await fork.server.services.recordings!.startUnlisted('ignored');
  expect(await fork.api.get('/v1/customers')).toMatchObject({ status: 200 });
  await fork.advance({ seconds: 1 });
  const trace = await recording.stop();
  expect(trace.header.settings.faults).toBe('off');
  expect(await replayTrace(trace)).toMatchObject({ outcome: 'identical' });
  trace.header.settings.faults = 'on';
  expect(await replayTrace(trace)).toMatchObject({ outcome: 'diverged' });
});
