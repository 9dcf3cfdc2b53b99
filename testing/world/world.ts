import type { ActionStep } from '../../agent/lifecycle/action-transition.ts';
import { SystemClock } from '../../protocol/clock.ts';
import { seededRandom } from '../../protocol/ids.ts';
import { createLog, silentLog } from '../../protocol/log.ts';
import type { Server } from '../../server/app.ts';
import type { ServerEnd } from '../../server/traces/recording.ts';
import { openStore } from '../../server/platform/store/open-store.ts';
import {
  createFleet,
  type Fleet,
  type FleetMember,
  type FleetActivity,
  type FleetParts,
} from '../../simulator/fleet.ts';
import type { SimulatedTerminal } from '../../simulator/simulated-terminal.ts';
import { createApi, successOf, type Api, type OpenCalls } from './api.ts';
import {
  createEngines,
  createWorldHooks,
  SETTINGS,
  type TerminalOptions,
  type WorldOptions,
} from './world-options.ts';
import { createFetch } from './fetch.ts';
import { createIdleDetector } from '../../world/idle-detector.ts';
import { keepStoreOpen, createServerLife, startAgain } from './server-life.ts';
import { createMeter } from '../../world/metered-connector.ts';
import { createReceivers, type Receivers } from './receivers.ts';
import { keepRealSetImmediate } from '../run-log/real-set-immediate.ts';
import { recordWorld } from '../run-log/world-log.ts';
import { addTerminals, composeFleetParts, composeServer } from '../../world/compose-world.ts';
import { traceWorld } from '../run-log/world-trace.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';
import { imageTaker } from './world-image.ts';

/**
 * Server, broker and terminals in one process, on virtual time, without open ports. `advance` advances time; `until`
 * waits without advancing it.
 */
export interface World {
  readonly clock: VirtualClock;
  readonly server: Server;
  readonly fleet: Fleet;
  /** Dependencies for a terminal outside the fleet. */
  readonly forTerminals: Pick<FleetParts, 'connect' | 'api' | 'random' | 'log' | 'clock'> & {
    /** To be called at each step of its machine. */
    stepped(terminalId: string, step: ActionStep): void;
  };
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
  addTerminal(options?: TerminalOptions): Promise<SimulatedTerminal>;
  /** Adds the simulator of a terminal that is registered to the fleet, and waits until it is online. */
  simulate(member: FleetMember): Promise<SimulatedTerminal>;
  /** Calls `watch` at each step of any terminal's machine, before its effects. */
  watchSteps(watch: (step: Step) => void): void;
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
  until<T>(what: string | (() => string), look: () => T | Promise<T>): Promise<NonNullable<T>>;
  /** Stops the server and starts another on the same store. */
  restartServer(): Promise<void>;
  close(): Promise<void>;
}

const START_MS = Date.UTC(2026, 0, 5, 9, 0, 0);

/** A step of a terminal's machine. */
type Step = Extract<FleetActivity, { what: 'stepped' }>;

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

// oxlint-disable-next-line max-lines-per-function -- to be split
async function openWorld(options: WorldOptions, onClosed: () => void): Promise<World> {
  const { image } = options;
  const seed = image?.seed ?? options.seed ?? 'world';
  const random = seededRandom(seed);
  const clock = image
    ? VirtualClock.continuing(image.nowMs, image.offsetMs)
    : new VirtualClock(options.startMs ?? START_MS);
  const hooks = options.unrecorded ? undefined : createWorldHooks();
  const log =
    options.log ?? (options.logLevel ? createLog({ level: options.logLevel }) : (hooks?.log ?? silentLog));
  const engines = options.engines ?? (await createEngines());
  const opened =
    engines?.store ??
    image?.stores?.open(log) ??
    (await openStore({ log, ...(image && { copyOf: image.database }) }));
  const store = keepStoreOpen(options.aroundStore?.(opened) ?? opened);
  const answers = options.answers?.copy();
  const meter = createMeter();
  const worldLog = options.unrecorded ? undefined : await openWorldLog(clock, options.test);
  const watchers: ((step: Step) => void)[] = [];
  if (worldLog) watchers.push(({ terminalId, ...step }) => worldLog.step(terminalId, step));
  // Engines on the network use real time.
  const realClock = engines ? new SystemClock() : clock;
  const receivers = createReceivers(realClock);
  for (const name of image?.receivers ?? []) receivers.open(name);
  const parts = {
    settings: { ...SETTINGS, ...options.settings, seed },
    store: store.store,
    clock,
    realClock,
    random,
    log,
    outgoing: answers?.around(receivers.outgoing) ?? receivers.outgoing,
    meter,
    broker: engines?.broker,
    ...(options.observers && { observers: options.observers }),
  };

  const newServer = async () => {
    const outgoing = options.outgoing?.() ?? parts.outgoing;
    const life = createServerLife(parts.store, outgoing);
    const kill = () => {
      life.end();
      composed.kill();
      void outgoing.close();
      startAgain(calls, () => startNext('killed'));
    };
    const { store: living, outgoing: carried } = life;
    const composed: Server = await composeServer({
      ...parts,
      store: living,
      outgoing: carried,
      killer: { kill },
    });
    worldLog?.server(composed);
    composed.services.program.onExport(() => fleet.exportState());
    return composed;
  };
  /** Starts a server on the store of the one that has ended, and goes on with what that one was recording. */
  const startNext = async (ended: ServerEnd) => {
    const { recordings } = server.services;
    server = await newServer();
    if (recordings) server.services.recordings?.continueFrom(recordings, ended);
    trace?.continueWith(server, ended);
    accounts = await server.start();
  };
  const calls: OpenCalls = { open: 0, onCall: worldLog?.addCall };
  let server = await newServer();
  let accounts = await server.start();
  const api = createApi(() => server, SETTINGS.secretKey, calls);
  const forFleet = composeFleetParts(parts, {
    server: () => server,
    request: (method, path, body) => api.raw(method, path, body === undefined ? '' : JSON.stringify(body)),
    terminalConnector: (connect) => options.terminalConnector?.(connect, { clock, random }) ?? connect,
    journalFor: options.journalFor,
    cardholder: options.cardholder ?? { script: 'none' },
    readLatencyMs: options.pacedByDevices ? undefined : 0,
    onActivity(activity) {
      if (activity.what === 'stepped') for (const watch of watchers) watch(activity);
    },
  });
  const fleet = createFleet({
    ...forFleet,
    onAct(terminalId, act) {
      worldLog?.addCall();
      forFleet.onAct?.(terminalId, act);
    },
  });
  // Those that a fault delays wait for the clock, and so do those that advance it.
  const heldCalls = () => {
    const { clockAdvances, faults } = server.services;
    return (faults?.heldCalls() ?? 0) + clockAdvances.openCalls;
  };
  const waitsForStore = () => server.services.faults?.holdsStore() ?? false;
  // The others that wait are sent by calls: those that deliver an event again. A call that advances the clock may be
  // made without being counted, past the client of the world.
  const waitingJobs = () => receivers.waiting - Math.max(0, calls.open - heldCalls());
  const idle = createIdleDetector({
    quiet: () =>
      meter.pendingPublishes === 0 && (waitsForStore() || (!calls.starting && server.idle(waitingJobs()))),
    activity: () => meter.activity,
    // Engines on the network need real time to become idle.
    ...(engines && { network: { clock: new SystemClock(), connecting: () => meter.connecting > 0 } }),
  });
  clock.settleWith(idle.settled);
  if (image) await addTerminals(image.terminals, fleet, idle.until);
  const startTwin = () => startWorld({ ...options, log: silentLog, unrecorded: true });
  const trace =
    engines || !beginsTheSame(options) ? undefined : worldLog?.keepTrace(() => traceWorld(server, startTwin));
  const images = imageTaker({ store: store.store, fleet, clock, receivers, seed });
  let serials = 0;

  let problem: unknown;
  const world: World = {
    clock,
    fleet,
    forTerminals: {
      ...forFleet,
      connect: forFleet.connectTerminal,
      stepped: (terminalId, step) => forFleet.onActivity?.({ what: 'stepped', terminalId, ...step }),
    },
    api,
    fetch: createFetch(() => server, calls),
    receivers,
    ...accounts,
    get server() {
      return server;
    },
    watchSteps: (watch) => void watchers.push(watch),
    settled: idle.settled,
    forkable: store.store.copyTo !== undefined,
    async fork(changes = {}) {
      await idle.settled();
      await server.services.faults?.storeCounts();
      const left = answers && { answers: answers.copy() };
      return startWorld({ ...options, ...left, ...changes, image: await images.take() });
    },
    until: idle.until,
    advance({ ms = 0, seconds = 0, minutes = 0 }) {
      worldLog?.addCall();
      return clock.advance(ms + (seconds + minutes * 60) * 1000);
    },
    async listen(name, eventTypes) {
      const receiver = receivers.open(name);
      const webhook = { url: receiver.url, active: true, eventTypes };
      const { secret } = successOf(await api.post('/v1/webhooks', webhook), 'POST /v1/webhooks');
      return Object.assign(receiver, { secret: secret as string });
    },
    async addTerminal({ serialNumber = `SIM-${1000 + serials++}`, accountId, ...member } = {}) {
      const caller = accountId ? api.as(accountId) : api;
      const post = async (path: string, body: object) =>
        successOf(await caller.post(path, body), `POST ${path}`);
      const location = await post('/v1/in-person/locations', LOCATION);
      const { id } = await post('/v1/in-person/terminals', { serialNumber, locationId: location.id });
      return world.simulate({ terminalId: id, ...member });
    },
    async simulate(member) {
      await fleet.add(member);
      await idle.until('the terminal comes online', () => fleet.terminal(member.terminalId)?.online);
      await fleet.controlled();
      return fleet.terminal(member.terminalId)!;
    },
    async restartServer() {
      await server.stop();
      await startNext('stopped');
    },
    async close() {
      trace?.end();
      // Closing may need time to pass, as for a disconnect over a slow link.
      await clock.advanceUntil(fleet.close());
      await hooks?.beforeClose(world).catch((found: unknown) => (problem = found));
      while (calls.starting) await clock.advanceUntil(calls.starting);
      await clock.advanceUntil(server.stop());
      await store.close();
      images.close();
      await engines?.close?.();
      onClosed();
      if (problem) throw problem;
    },
  };
  hooks?.onStart(world);
  return world;
}

/** Whether a second world with these options begins as the first, and leaves what the test owns alone. */
function beginsTheSame({ aroundStore, journalFor, terminalConnector }: WorldOptions): boolean {
  return !aroundStore && !journalFor && !terminalConnector;
}

const LOCATION = {
  name: 'Corner Shop',
  address: { lineOne: '1 High Street', city: 'London', country: 'GB', postalCode: 'SW1A 1AA' },
};
