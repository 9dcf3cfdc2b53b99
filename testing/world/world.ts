import type { Server } from '../../server/app.ts';
import { silentLog } from '../../protocol/log.ts';
import type { Fleet } from '../../simulator/fleet.ts';
import type { SimulatedTerminal } from '../../simulator/simulated-terminal.ts';
import { addTerminals } from '../../world/compose-world.ts';
import { createIdleDetector, type IdleDetector } from '../../world/idle-detector.ts';
import { delay, SystemClock } from '../../protocol/clock.ts';
import { deliverAll, type LinkMeter } from '../../world/metered-connector.ts';
import type { VirtualClock } from '../../world/virtual-clock.ts';
import { keepRealSetImmediate } from '../run-log/real-set-immediate.ts';
import { traceWorld } from '../run-log/world-trace.ts';
import { createApi, successOf, type Api } from './api.ts';
import { createFetch } from './fetch.ts';
import type { Receivers } from './receivers.ts';
import { startServers, type WorldServers } from './server-life.ts';
import { openWorldBase, type WorldBase } from './world-base.ts';
import { createWorldCopier, type WorldCopier } from './world-copy.ts';
import { SETTINGS, type WorldOptions } from './world-options.ts';
import {
  createTerminals,
  type Step,
  type NewTerminal,
  type TerminalParts,
  type WorldMember,
} from './world-terminals.ts';

/**
 * Server, broker and terminals in one process, on virtual time, without open ports. `advance` advances time; `until`
 * waits without advancing it.
 */
export interface World {
  readonly clock: VirtualClock;
  readonly server: Server;
  readonly fleet: Fleet;
  /** Dependencies for a terminal outside the fleet. */
  readonly forTerminals: TerminalParts;
  /** Client of the API as the platform; `api.as(subAccountId)` as a sub account. */
  readonly api: Api;
  /** A `fetch` that reaches the server at its `publicUrl`. */
  readonly fetch: typeof globalThis.fetch;
  /** The webhook endpoints. */
  readonly receivers: Receivers;
  readonly platformId: string;
  readonly subAccountId: string;
  /** Opens a receiver and registers it for these event types. */
  listen(name: string, eventTypes: string[]): Promise<ReturnType<Receivers['open']> & { secret: string }>;
  /** Registers a terminal at a new location, adds it to the fleet and waits until it is online. */
  addTerminal(options?: NewTerminal): Promise<SimulatedTerminal>;
  /** Adds the simulator of a terminal that is registered to the fleet, and waits until it is online. */
  simulate(member: WorldMember): Promise<SimulatedTerminal>;
  /** Calls `watch` at each step of any terminal's machine, before its effects. */
  watchSteps(watch: (step: Step) => void): void;
  /** Calls `watch` with the server, and with each that follows it, before that starts. */
  watchServers(watch: (server: Server) => void): void;
  settled(): Promise<void>;
  /** Whether `fork` works: it does on SQLite. */
  readonly forkable: boolean;
  /**
   * Starts another world with a copy of everything in this one: objects, terminals as they stand, webhooks with a new
   * receiver of the same name for each, and the time. Both go on by themselves.
   * @param changes options that differ from those of this world
   * @throws Error for a world on another engine than SQLite
   */
  fork(changes?: WorldOptions): Promise<World>;
  advance(by: { ms?: number; seconds?: number; minutes?: number }): Promise<void>;
  /** Waits for a condition without advancing time; throws when the world is idle without it. */
  until<T>(what: string | (() => string), check: () => T | Promise<T>): Promise<NonNullable<T>>;
  /** Waits on the clock, as the code that is tested does. It does not advance it. */
  sleep(ms: number): Promise<void>;
  /** Stops the server and starts another on the same store. */
  restartServer(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a world. The test must close it. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const releaseImmediates = keepRealSetImmediate();
  try {
    return await openWorld(options, releaseImmediates);
  } catch (error) {
    releaseImmediates();
    throw error;
  }
}

async function openWorld(options: WorldOptions, onClosed: () => void): Promise<World> {
  const base = await openWorldBase(options);
  const { clock, receivers, engines, worldLog, answers, seed } = base;
  const { store } = base.store;
  const servers: WorldServers = await startServers(base, options, () => terminals.fleet.exportState());
  const server = () => servers.current;
  const api = createApi(server, SETTINGS.secretKey, servers.calls);
  const terminals = createTerminals(options, { base, server, api });
  const { fleet } = terminals;
  const sleeps = { pending: 0 };
  const idle = detectIdle(base, servers, sleeps);
  clock.settleWith(idle.settled);
  if (options.copy) await addTerminals(options.copy.terminals, fleet, idle.until);
  const startTwin = () => startWorld({ ...options, log: silentLog, unrecorded: true });
  const isTraced = !engines && beginsTheSame(options);
  const trace = isTraced ? worldLog?.keepTrace(() => traceWorld(server(), startTwin)) : undefined;
  if (trace) servers.whenNext(trace.continueWith);
  const copies = createWorldCopier({ store, fleet, clock, receivers, seed });
  const world: World = {
    clock,
    fleet,
    forTerminals: terminals.forTerminals,
    api,
    fetch: createFetch(server, servers.calls),
    receivers,
    ...servers.accounts,
    get server() {
      return server();
    },
    watchSteps: terminals.watchSteps,
    watchServers(watch) {
      watch(server());
      servers.whenNext(watch);
    },
    settled: idle.settled,
    forkable: store.copyTo !== undefined,
    async fork(changes = {}) {
      await idle.settled();
      await server().services.faults?.storeCounts();
      const left = answers && { answers: answers.copy() };
      return startWorld({ ...options, ...left, ...changes, copy: await copies.take() });
    },
    until: idle.until,
    async sleep(ms) {
      sleeps.pending += 1;
      await delay(clock, ms).finally(() => (sleeps.pending -= 1));
    },
    advance({ ms = 0, seconds = 0, minutes = 0 }) {
      worldLog?.addCall();
      return clock.advance(ms + (seconds + minutes * 60) * 1000);
    },
    async listen(name, eventTypes) {
      const receiver = receivers.open(name);
      const webhook = { url: receiver.url, active: true, eventTypes };
      const { secret } = successOf(await api.post('/v1/webhooks', webhook), 'POST /v1/webhooks');
      return Object.assign(receiver, { secret });
    },
    addTerminal: (given) => terminals.register(given, idle),
    simulate: (member) => terminals.simulate(member, idle),
    restartServer: servers.restart,
    async close() {
      trace?.end();
      const problem = await closeWorld(world, { base, servers, copies });
      onClosed();
      if (problem) throw problem;
    },
  };
  base.hooks?.onStart(world);
  return world;
}

interface ClosedWorld {
  base: WorldBase;
  servers: WorldServers;
  copies: WorldCopier;
}

/** Ends all that a world is made of. Returns what the hooks of its suite found wrong; undefined for nothing. */
async function closeWorld(world: World, { base, servers, copies }: ClosedWorld): Promise<unknown> {
  const { clock, hooks, engines, store } = base;
  const { calls } = servers;
  let problem: unknown;
  // Closing may need time to pass, as for a disconnect over a slow link.
  await clock.advanceUntil(world.fleet.close());
  await hooks?.beforeClose(world).catch((found: unknown) => (problem = found));
  while (calls.starting) await clock.advanceUntil(calls.starting);
  await clock.advanceUntil(servers.current.stop());
  await store.close();
  copies.close();
  await engines?.close?.();
  return problem;
}

/** Returns what waits until nothing is under way between the parts of a world. */
function detectIdle(
  { engines, receivers, parts: { meter } }: WorldBase,
  servers: WorldServers,
  sleeps: { pending: number },
): IdleDetector {
  const { calls } = servers;
  // Those that a fault delays wait for the clock, and so do those that advance it.
  const heldCalls = () => {
    const { clockAdvances, faults } = servers.current.services;
    return (faults?.heldCalls() ?? 0) + clockAdvances.openCalls;
  };
  receivers.functions.countWaitsBy(() => sleeps.pending + heldCalls());
  const waitsForStore = () => servers.current.services.faults?.holdsStore() ?? false;
  // The others that wait are sent by calls: those that deliver an event again. A call that advances the clock may be
  // made without being counted, past the client of the world.
  const waitingJobs = () => {
    const sentBesides = servers.current.services.faults?.sentBesides() ?? 0;
    return receivers.waiting - sentBesides - Math.max(0, calls.open - heldCalls());
  };
  return createIdleDetector({
    quiet: () =>
      meter.pendingPublishes === 0 &&
      (waitsForStore() || (!calls.starting && servers.current.idle(waitingJobs()))),
    activity: () => meter.activity,
    functions: receivers.functions,
    // Engines on the network need real time to become idle.
    ...(engines && { network: networkOf(meter) }),
  });
}

/** What a world waits for whose parts are on the network. */
function networkOf(meter: LinkMeter) {
  const clock = new SystemClock();
  return { clock, connecting: () => meter.connecting > 0, deliverAll: () => deliverAll(meter, clock) };
}

/** Whether a second world with these options begins as the first, and leaves what the test owns alone. */
function beginsTheSame({ aroundStore, journalFor, terminalConnector }: WorldOptions): boolean {
  return !aroundStore && !journalFor && !terminalConnector;
}
