import type { ActionStep } from '../../agent/lifecycle/action-step.ts';
import { memoryJournal, type ActionJournal } from '../../agent/lifecycle/action-journal.ts';
import { SystemClock } from '../../protocol/clock.ts';
import { seededRandom, type Random } from '../../protocol/ids.ts';
import type { Connector } from '../../protocol/link.ts';
import { createLog, silentLog, type Log } from '../../protocol/log.ts';
import { mqttConnector } from '../../protocol/mqtt-link.ts';
import { createServer, type Server } from '../../server/app.ts';
import { openStore } from '../../server/platform/store/open-store.ts';
import type { Store } from '../../server/platform/store/store.ts';
import type { CardholderOptions } from '../../simulator/cardholder.ts';
import { createFleet, type Fleet, type FleetNotice, type FleetParts } from '../../simulator/fleet.ts';
import type { SimulatedTerminal } from '../../simulator/simulated-terminal.ts';
import { createApi, type Api } from './api.ts';
import { createEngines, type Engines } from './engines.ts';
import { keepStoreOpen } from './keep-store-open.ts';
import { createMeter, metered, type LinkMeter } from './metered-connector.ts';
import { createReceivers, type Receivers } from './receivers.ts';
import { createFetch } from './fetch.ts';
import { createIdleDetector } from './idle-detector.ts';
import { keepRealSetImmediate } from './recording/real-set-immediate.ts';
import type { RunningTest } from './recording/recording-format.ts';
import { recordWorld, type WorldRecorder } from './recording/world-recorder.ts';
import { VirtualClock } from './virtual-clock.ts';
import { createWorldHooks } from './world-hooks.ts';
import type { ServerSettings } from '../../server/platform/settings.ts';

/** Options of a world; all have defaults. */
export interface WorldOptions {
  /** The same seed gives the same ids and faults. */
  seed?: string;
  /** Virtual time at the beginning, epoch milliseconds. */
  startMs?: number;
  /** Cardholder of the terminals; none by default, so that the test presents cards. */
  cardholder?: CardholderOptions;
  settings?: Partial<ServerSettings>;
  /** Wraps the connector of the terminals, to add faults. */
  terminalConnector?(connect: Connector, parts: { clock: VirtualClock; random: Random }): Connector;
  /** Wraps the store of the server, to observe it. */
  aroundStore?(store: Store): Store;
  /** The journal of each terminal; in memory by default, empty at the start. */
  journalFor?: FleetParts['journalFor'];
  /** Other engines than SQLite in memory and the embedded broker. */
  engines?: Engines;
  /** Log level on standard error; silent by default. */
  logLevel?: string;
  /** A log of the test's own, in place of `logLevel`. */
  log?: Log;
  /** The test that the world is recorded for. Detected, except in concurrent tests. */
  test?: RunningTest;
}

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
  /** Calls `watch` at each step of any terminal's machine, before its effects. */
  watchSteps(watch: (step: Step) => void): void;
  settled(): Promise<void>;
  advance(by: { ms?: number; seconds?: number; minutes?: number }): Promise<void>;
  /** Waits for a condition without advancing time; throws when the world is idle without it. */
  until<T>(what: string, beforeClose: () => T | Promise<T>): Promise<NonNullable<T>>;
  /** Stops the server and starts another on the same store. */
  restartServer(): Promise<void>;
  close(): Promise<void>;
}

type Step = Extract<FleetNotice, { what: 'stepped' }>;

export interface TerminalOptions {
  serialNumber?: string;
  accountId?: string;
  cardholder?: CardholderOptions;
}

const SETTINGS: ServerSettings = {
  mode: 'sandbox',
  secretKey: 'sk_sandbox_world',
  publicKey: 'pk_sandbox_world',
  pairingSecret: 'a pairing secret for worlds, long enough for anybody',
  dashboardToken: 'dash_a-token-for-worlds-that-is-long-enough',
  rateLimit: 'off',
  magicAmounts: undefined,
  publicUrl: 'http://tapbench.test',
};

const START_MS = Date.UTC(2026, 0, 5, 9, 0, 0);

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
  const random = seededRandom(options.seed ?? 'world');
  const clock = new VirtualClock(options.startMs ?? START_MS);
  const hooks = createWorldHooks();
  const log =
    options.log ?? (options.logLevel ? createLog({ level: options.logLevel }) : (hooks?.log ?? silentLog));
  const engines = options.engines ?? (await createEngines());
  const opened = engines?.store ?? (await openStore({ path: ':memory:', log }));
  const store = keepStoreOpen(options.aroundStore?.(opened) ?? opened);
  const receivers = createReceivers();
  const meter = createMeter();
  const recorder = await recordWorld(clock, options.test);
  const watchers: ((step: Step) => void)[] = [];
  if (recorder) watchers.push(({ terminalId, ...step }) => recorder.step(terminalId, step));
  const parts = {
    options,
    engines,
    random,
    clock,
    log,
    store: store.store,
    receivers,
    meter,
    watchers,
    recorder,
  };

  let server = await serverOf(parts);
  let accounts = await server.start();
  const calls = { open: 0 };
  const api = createApi(() => server, SETTINGS.secretKey, calls);
  const forFleet = fleetPartsOf(parts, () => server, api);
  const fleet = createFleet(forFleet);
  const idle = createIdleDetector({
    quiet: () => server.idle() && calls.open === 0 && meter.pendingPublishes === 0,
    activity: () => meter.activity,
    // Engines on the network need real time to become idle.
    ...(engines && { network: { clock: new SystemClock(), connecting: () => meter.connecting > 0 } }),
  });
  clock.settleWith(idle.settled);
  let serials = 0;

  let problem: unknown;
  const world: World = {
    clock,
    fleet,
    forTerminals: {
      ...forFleet,
      connect: forFleet.connectTerminal,
      stepped: (terminalId, step) => forFleet.onNotice?.({ what: 'stepped', terminalId, ...step }),
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
    until: idle.until,
    advance: ({ ms = 0, seconds = 0, minutes = 0 }) => clock.advance(ms + (seconds + minutes * 60) * 1000),
    async listen(name, eventTypes) {
      const receiver = receivers.open(name);
      const { body } = await api.post('/v1/webhooks', { url: receiver.url, active: true, eventTypes });
      return Object.assign(receiver, { secret: body.secret as string });
    },
    async addTerminal({ serialNumber = `SIM-${1000 + serials++}`, accountId, cardholder } = {}) {
      const caller = accountId ? api.as(accountId) : api;
      const location = await caller.post('/v1/in-person/locations', LOCATION);
      const registration = { serialNumber, locationId: location.body.id };
      const { body } = await caller.post('/v1/in-person/terminals', registration);
      await fleet.add({ terminalId: body.id, ...(cardholder && { cardholder }) });
      await idle.until('the terminal comes online', () => fleet.terminal(body.id)?.online);
      await fleet.controlled();
      return fleet.terminal(body.id)!;
    },
    async restartServer() {
      await server.stop();
      server = await serverOf(parts);
      accounts = await server.start();
    },
    async close() {
      await advanceUntilDone(clock, fleet.close());
      await hooks?.beforeClose(world).catch((found: unknown) => (problem = found));
      await advanceUntilDone(clock, server.stop());
      await store.close();
      await engines?.close?.();
      onClosed();
      if (problem) throw problem;
    },
  };
  hooks?.onStart(world);
  return world;
}

// Closing may need time to pass, as for a disconnect over a slow link.
const CLOSING_SECONDS_MAX = 120;

async function advanceUntilDone(clock: VirtualClock, closing: Promise<void>): Promise<void> {
  let closed = false;
  void closing.finally(() => (closed = true)).catch(() => {});
  for (let seconds = 0; !closed && seconds < CLOSING_SECONDS_MAX; seconds++) await clock.advance(1000);
  await closing;
}

const LOCATION = {
  name: 'Corner Shop',
  address: { lineOne: '1 High Street', city: 'London', country: 'GB', postalCode: 'SW1A 1AA' },
};

interface Parts {
  options: WorldOptions;
  engines: Engines | undefined;
  random: Random;
  clock: VirtualClock;
  log: Log;
  store: Store;
  receivers: Receivers;
  meter: LinkMeter;
  watchers: ((step: Step) => void)[];
  recorder: WorldRecorder | undefined;
}

async function serverOf(parts: Parts): Promise<Server> {
  const { options, engines, random, clock, log, store, receivers, meter } = parts;
  const broker = engines?.broker;
  const server = await createServer({
    settings: { ...SETTINGS, ...options.settings },
    store,
    clock,
    // Engines on the network use real time.
    realClock: engines ? new SystemClock() : clock,
    random,
    log,
    outgoing: receivers.outgoing,
    instanceId: 'world',
    ...(broker && {
      externalBroker: {
        connect: metered(mqttConnector({ url: broker.url, clock, random, log }), meter),
        credentials: broker.credentials,
      },
    }),
  });
  parts.recorder?.server(server);
  return server;
}

function fleetPartsOf(
  { options, engines, random, clock, log, meter, watchers }: Parts,
  server: () => Server,
  api: Api,
): FleetParts & { connectTerminal: Connector } {
  const broker = engines?.broker;
  const journals = new Map<string, ActionJournal>();
  const way = broker ? { url: broker.url } : { openStream: () => server().broker!.openStream() };
  const connect = metered(mqttConnector({ ...way, clock, random, log }), meter);
  return {
    connect,
    connectTerminal: options.terminalConnector?.(connect, { clock, random }) ?? connect,
    clock,
    random,
    log,
    api: {
      async request(method, path, body) {
        const answer = await api.raw(method, path, body === undefined ? '' : JSON.stringify(body));
        if (broker && path.startsWith('/pairing/') && answer.status === 200) await broker.admit(answer.body);
        return answer;
      },
    },
    journalFor(terminalId) {
      if (options.journalFor) return options.journalFor(terminalId);
      const journal = journals.get(terminalId) ?? memoryJournal();
      journals.set(terminalId, journal);
      return journal;
    },
    cardholder: options.cardholder ?? { script: 'none' },
    readLatencyMs: 0,
    onNotice(notice) {
      if (notice.what === 'stepped') for (const watch of watchers) watch(notice);
    },
  };
}
