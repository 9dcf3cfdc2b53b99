import { SystemClock } from '../../protocol/clock.ts';
import { seededRandom } from '../../protocol/ids.ts';
import { createLog, silentLog, type Log } from '../../protocol/log.ts';
import { openStore } from '../../server/platform/store/open-store.ts';
import type { Store } from '../../server/platform/store/store.ts';
import type { composeServer } from '../../world/compose-world.ts';
import { createMeter } from '../../world/metered-connector.ts';
import type { AnswersLeft } from '../../world/replay/recorded-answers.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';
import { openWorldLog, type WorldLog } from '../run-log/world-log.ts';
import { createReceivers, type Receivers } from './receivers.ts';
import {
  createEngines,
  createWorldHooks,
  SETTINGS,
  type Engines,
  type WorldHooks,
  type WorldOptions,
} from './world-options.ts';

const START_MS = Date.UTC(2026, 0, 5, 9, 0, 0);

/** What a world has before its servers and its terminals, and keeps when one of them is replaced. */
export interface WorldBase {
  seed: string;
  clock: VirtualClock;
  hooks: WorldHooks | undefined;
  engines: Engines | undefined;
  store: { store: Store; close(): Promise<void> };
  answers: AnswersLeft | undefined;
  worldLog: WorldLog | undefined;
  receivers: Receivers;
  /** What servers and terminals are composed of. */
  parts: Parameters<typeof composeServer>[0];
}

/** Opens the clock, the engines, the store and the receivers of a world, and begins its log. */
export async function openWorldBase(options: WorldOptions): Promise<WorldBase> {
  const { copy } = options;
  const seed = copy?.seed ?? options.seed ?? 'world';
  const random = seededRandom(seed);
  const clock = copy
    ? VirtualClock.continuing(copy.nowMs, copy.offsetMs)
    : new VirtualClock(options.startMs ?? START_MS);
  const hooks = options.unrecorded ? undefined : createWorldHooks();
  const log =
    options.log ?? (options.logLevel ? createLog({ level: options.logLevel }) : (hooks?.log ?? silentLog));
  const engines = options.engines ?? (await createEngines());
  const opened = engines?.store ?? (await openEmbeddedStore(options, log));
  const store = keepStoreOpen(options.aroundStore?.(opened) ?? opened);
  const answers = options.answers?.copy();
  const meter = createMeter();
  const worldLog = options.unrecorded ? undefined : await openWorldLog(clock, options.test);
  // Engines on the network use real time.
  const realClock = engines ? new SystemClock() : clock;
  const receivers = createReceivers(realClock);
  for (const name of copy?.receivers ?? []) receivers.open(name);
  return {
    seed,
    clock,
    hooks,
    engines,
    store,
    answers,
    worldLog,
    receivers,
    parts: {
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
    },
  };
}

async function openEmbeddedStore({ copy }: WorldOptions, log: Log): Promise<Store> {
  return copy?.stores?.open(log) ?? openStore({ log, ...(copy && { copyOf: copy.database }) });
}

/** Wraps a store so that servers cannot close it. */
function keepStoreOpen(store: Store): { store: Store; close(): Promise<void> } {
  return { store: { ...boundStore(store), close: async () => {} }, close: () => store.close() };
}

/** Returns a store that passes all on to another one, for a test to replace some of its functions. */
export function boundStore(store: Store): Store {
  return {
    engine: store.engine,
    ...(store.trouble && { trouble: store.trouble }),
    get: (sql, ...parameters) => store.get(sql, ...parameters),
    all: (sql, ...parameters) => store.all(sql, ...parameters),
    run: (sql, ...parameters) => store.run(sql, ...parameters),
    transaction: (body, options) => store.transaction(body, options),
    ...(store.copyTo && { copyTo: (path, before) => store.copyTo!(path, before) }),
    close: () => store.close(),
  };
}
