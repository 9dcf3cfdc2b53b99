import { SystemClock } from '../../protocol/clock.ts';
import { seededRandom } from '../../protocol/ids.ts';
import { createLog, silentLog } from '../../protocol/log.ts';
import type { Server } from '../../server/app.ts';
import { openStore } from '../../server/platform/store/open-store.ts';
import { createFleet, type Fleet, type FleetParts } from '../../simulator/fleet.ts';
import type { ActionStep } from '../../agent/lifecycle/action-step.ts';
import type { SimulatedTerminal } from '../../simulator/simulated-terminal.ts';
import { createApi, successOf, type Api } from './api.ts';
import { createEngines } from './engines.ts';
import { createFetch } from './fetch.ts';
import { createIdleDetector } from './idle-detector.ts';
import { keepStoreOpen } from './keep-store-open.ts';
import { createMeter } from './metered-connector.ts';
import { createReceivers, type Receivers } from './receivers.ts';
import { keepRealSetImmediate } from './recording/real-set-immediate.ts';
import { recordWorld } from './recording/world-recorder.ts';
import { VirtualClock } from './virtual-clock.ts';
import { createWorldHooks } from './world-hooks.ts';
import { addImagedTerminals, imageTaker } from './world-image.ts';
import type { TerminalOptions, WorldOptions } from './world-options.ts';
import { fleetPartsOf, serverOf, SETTINGS, type Step } from './world-parts.ts';

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
  const { image } = options;
  const seed = image?.seed ?? options.seed ?? 'world';
  const random = seededRandom(seed);
  const clock = image
    ? VirtualClock.continuing(image.nowMs, image.offsetMs)
    : new VirtualClock(options.startMs ?? START_MS);
  const hooks = createWorldHooks();
  const log =
    options.log ?? (options.logLevel ? createLog({ level: options.logLevel }) : (hooks?.log ?? silentLog));
  const engines = options.engines ?? (await createEngines());
  const opened = engines?.store ?? (await openStore({ log, ...(image && { copyOf: image.database }) }));
  const store = keepStoreOpen(options.aroundStore?.(opened) ?? opened);
  const receivers = createReceivers();
  for (const name of image?.receivers ?? []) receivers.open(name);
  const meter = createMeter();
  const recorder = await recordWorld(clock, options.test);
  const watchers: ((step: Step) => void)[] = [];
  if (recorder) watchers.push(({ terminalId, ...step }) => recorder.step(terminalId, step));
  const parts = {
    options,
    seed,
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

  const composeServer = async () => {
    const composed = await serverOf(parts);
    composed.services.exportTerminals = () => fleet.exportState();
    return composed;
  };
  let server = await composeServer();
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
  if (image) await addImagedTerminals(image, fleet, idle.until);
  const takeImage = imageTaker({ store: store.store, fleet, clock, receivers, seed });
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
    forkable: store.store.copyTo !== undefined,
    async fork(changes = {}) {
      await idle.settled();
      return startWorld({ ...options, ...changes, image: await takeImage() });
    },
    until: idle.until,
    advance: ({ ms = 0, seconds = 0, minutes = 0 }) => clock.advance(ms + (seconds + minutes * 60) * 1000),
    async listen(name, eventTypes) {
      const receiver = receivers.open(name);
      const webhook = { url: receiver.url, active: true, eventTypes };
      const { secret } = successOf(await api.post('/v1/webhooks', webhook), 'POST /v1/webhooks');
      return Object.assign(receiver, { secret: secret as string });
    },
    async addTerminal({ serialNumber = `SIM-${1000 + serials++}`, accountId, cardholder } = {}) {
      const caller = accountId ? api.as(accountId) : api;
      const post = async (path: string, body: object) =>
        successOf(await caller.post(path, body), `POST ${path}`);
      const location = await post('/v1/in-person/locations', LOCATION);
      const { id } = await post('/v1/in-person/terminals', { serialNumber, locationId: location.id });
      await fleet.add({ terminalId: id, ...(cardholder && { cardholder }) });
      await idle.until('the terminal comes online', () => fleet.terminal(id)?.online);
      await fleet.controlled();
      return fleet.terminal(id)!;
    },
    async restartServer() {
      await server.stop();
      server = await composeServer();
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
