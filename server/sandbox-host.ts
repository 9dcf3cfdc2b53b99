import { messageOf } from '../protocol/failures.ts';
import { createIds } from '../protocol/ids.ts';
import type { Clock } from '../protocol/clock.ts';
import type { Server as HttpServer } from 'node:http';
import { wasTerminalRegistered } from './api/in-person/terminals/terminal.records.ts';
import { countOtherInstances } from './platform/instances/other-instances.ts';
import type { Outgoing } from './platform/outgoing.ts';
import type { SandboxClock } from './platform/sandbox-clock.ts';
import type { Services } from './platform/services.ts';
import type { Queries, Store, StoreClosing } from './platform/store/store.ts';
import { createSandbox, type Sandbox, type SandboxParts } from './sandbox.ts';
import { writeFirstObjects, type SetUpSandbox } from './sandboxes/first-objects.ts';
import { pathPrefixOf } from './sandboxes/sandbox-contexts.ts';
import { randomOf, type SandboxRecord } from './sandboxes/sandbox-record.schema.ts';
import { appliedSettings } from './sandboxes/sandbox-settings.ts';
import type { OpenSandbox, StartOptions } from './sandboxes/open-sandbox.ts';
import { createSandboxTerminals, type SandboxTerminals } from './sandboxes/sandbox-terminals.ts';
import { createSandboxRegistry, type SandboxRegistry } from './sandboxes/sandbox-registry.ts';
import { createSandboxes, type Sandboxes } from './sandboxes/sandbox-service.ts';
import { nextWakeMs, sleepStateOf } from './sandboxes/sleep-state.ts';
import type { SnapshotLimits } from './sandboxes/snapshots/snapshot-service.ts';
import type { SandboxStorage } from './sandboxes/sandbox-storage.ts';

/** What a server needs for sandboxes besides `default`. */
export interface SandboxHosting {
  storage: SandboxStorage;
  /** Sandboxes that there may be; 1,000. */
  countMax?: number;
  /** Real time without use after which a sandbox sleeps, milliseconds; never unless given. */
  sleepAfterMs?: number;
  /** By default 100 snapshots of 256 MB. */
  snapshots?: Partial<SnapshotLimits>;
  /** Opens the clock of a sandbox, with the offset that its store has. */
  openClock(queries: Queries): Promise<SandboxClock>;
  /** Opens the client with which a sandbox calls webhooks, on its clock. */
  openOutgoing(clock: Clock): Outgoing;
  /** Writes what the program that runs the server adds to a sandbox that is no fork. */
  setUp?: SetUpSandbox;
  /**
   * Called when a sandbox that is open needs its terminals: starts what it needs, such as simulated terminals. Resolves when
   * they are ready.
   * @param terminals the simulated terminals that it begins with: a fork, or one that slept
   * @param hasSlept whether they continue there, whatever their journals have
   * @param isNew whether it was not set up yet: it is no fork, and never had a terminal
   * @returns a function that ends it
   */
  onOpened?(services: Services, options: OpenedOptions): Promise<() => Promise<void>>;
}

interface OpenedOptions {
  /** Aborted when the sandbox closes: `onOpened` then waits for nothing any more. */
  ending: AbortSignal;
  isNew: boolean;
  journalFolder: string | undefined;
  terminals: unknown;
  hasSlept: boolean;
}

interface HostParts {
  hosting: SandboxHosting;
  /** Of the sandbox `default`, whose settings the others share. */
  main: Services;
  common: Pick<SandboxParts, 'realClock' | 'random' | 'log' | 'instanceId' | 'terminalMachine'>;
  /** The way of a sandbox to the broker. */
  brokerFor(services: { name: string; pairingSecret: string }): SandboxParts['broker'];
  http(): HttpServer;
  /** Called with each sandbox that is opened. */
  onOpen(services: Services): void;
  /** Called with the name of each sandbox that is deleted. */
  onRemove(name: string): void;
  /** Whether a terminal or simulator of another program is connected to a sandbox. */
  isConnected(name: string): boolean;
}

const COUNT_MAX = 1_000;
const SNAPSHOT_LIMITS: SnapshotLimits = { countMax: 100, bytesMax: 256_000_000 };

/** Holds the sandboxes of a server besides `default`. */
export function hostSandboxes(parts: HostParts): { registry: SandboxRegistry; sandboxes: Sandboxes } {
  const { hosting, main, common } = parts;
  const registry = createSandboxRegistry({
    storage: hosting.storage,
    realClock: common.realClock,
    log: common.log,
    start: (record, store, options) => startSandbox(parts, record, store, options),
    applySettings({ settings, gateway, clock }, record) {
      Object.assign(settings, appliedSettings(main.settings, record.settings));
      // The message has the pace of the terminals.
      gateway.publishClock(clock.offsetMs);
    },
    defaultKeys: keysOf(main.settings),
    onRemove: parts.onRemove,
    countMax: hosting.countMax ?? COUNT_MAX,
    sleepAfterMs: hosting.sleepAfterMs,
  });
  const ids = createIds(common.realClock, common.random);
  const sandboxes = createSandboxes({
    registry,
    main,
    ids,
    realClock: common.realClock,
    storage: hosting.storage.snapshots,
    limits: { ...SNAPSHOT_LIMITS, ...hosting.snapshots },
    fill: (tx, record) => writeFirstObjects(tx, record, { ...hosting, random: common.random }),
  });
  return { registry, sandboxes };
}

function keysOf({ secretKey, publicKey, dashboardToken, hostKey }: Services['settings']): string[] {
  return [secretKey, publicKey, dashboardToken, ...(hostKey === undefined ? [] : [hostKey])];
}

async function startSandbox(
  parts: HostParts,
  record: SandboxRecord,
  store: Store,
  { isNew, startsTerminals }: StartOptions,
): Promise<OpenSandbox> {
  const { hosting, main, common } = parts;
  const { name, keys, seed, opens } = record;
  let stop = (closing?: StoreClosing) => store.close(closing);
  try {
    const clock = await hosting.openClock(store);
    const outgoing = hosting.openOutgoing(clock);
    const broker = parts.brokerFor({ name, pairingSecret: keys.pairingSecret });
    const sandbox = createSandbox({
      ...common,
      random: randomOf({ seed, opens }, common.random),
      log: common.log.child({ sandbox: name }),
      settings: {
        ...main.settings,
        ...keys,
        ...appliedSettings(main.settings, record.settings),
        sandbox: name,
        seed: seed ?? undefined,
        publicUrl: main.settings.publicUrl + pathPrefixOf(name),
      },
      store,
      clock,
      outgoing,
      sharedStore: hosting.storage.shared !== undefined,
      // A fork has the keys of its source until it is opened first.
      replaceKeys: true,
      broker,
    });
    const { services, context, dashboard } = sandbox;
    stop = async (closing) => {
      context.closing = true;
      await dashboard.stop();
      await sandbox.stop(() => outgoing.close(), closing);
    };
    parts.onOpen(services);
    dashboard.serveLive(parts.http(), pathPrefixOf(name));
    await sandbox.start({ isFilled: isNew && record.from === null });
    services.log.debug({}, 'a sandbox was opened');
    const opened = openedSandbox(parts, { record, sandbox, isEmbedded: broker.isEmbedded, stop });
    // To an external broker they may take long to connect.
    if (startsTerminals || !broker.isEmbedded) startBeside(opened);
    return opened;
  } catch (thrown) {
    await stop().catch(() => undefined);
    throw thrown;
  }
}

interface StartedSandbox {
  record: SandboxRecord;
  sandbox: Sandbox;
  /** Whether its terminals connect to this process. */
  isEmbedded: boolean;
  stop(closing?: StoreClosing): Promise<void>;
}

/** Returns the terminals of a sandbox that is open. None of them runs yet. */
function terminalsOf(
  { storage, onOpened }: SandboxHosting,
  record: SandboxRecord,
  services: Services,
): SandboxTerminals {
  const endNothing = async () => undefined;
  return createSandboxTerminals(async (ending) => {
    // Not the first time it is opened: the process may have ended before it was set up.
    const isNew = record.from === null && !(await wasTerminalRegistered(services.store));
    // What it left behind is taken once.
    if (ending.aborted) return endNothing;
    const asleep = await storage.takeAsleep(record);
    const end = await onOpened?.(services, {
      isNew,
      journalFolder: storage.journalFolder(record),
      terminals: asleep ?? (await storage.readTerminals(record)),
      hasSlept: asleep !== undefined,
      ending,
    });
    return end ?? endNothing;
  });
}

/** Starts the terminals of a sandbox while requests that have nothing to do with them are answered. */
function startBeside({ terminals, services }: OpenSandbox): void {
  terminals.start().catch((thrown: unknown) => {
    services.log.error({ problem: messageOf(thrown) }, 'the terminals of a sandbox could not be started');
  });
}

function openedSandbox(parts: HostParts, { record, sandbox, isEmbedded, stop }: StartedSandbox): OpenSandbox {
  const { hosting, main, common } = parts;
  const { storage } = hosting;
  const { services, context, dashboard } = sandbox;
  const terminals = terminalsOf(hosting, record, services);
  const isRecorded = () => services.recordings?.isRecording() ?? false;
  // Its terminals may take longer to connect than it may be idle.
  const isNeeded = () =>
    terminals.state === 'starting' ||
    dashboard.live.isWatched() ||
    parts.isConnected(record.name) ||
    !sandbox.idle() ||
    isRecorded();
  return {
    context,
    services,
    terminals,
    async sleepState() {
      // Its terminals may be simulated here and used through another server.
      if (storage.shared && (await runsBesides(main.store, common))) return undefined;
      return sleepStateOf(services, { isEmbedded, isNeeded });
    },
    isRecorded,
    isNeeded,
    wakeMs: () => nextWakeMs(services),
    closePages: () => dashboard.stop(),
    beginClosing({ deleted } = {}) {
      context.closing = true;
      context.deleted = deleted !== undefined;
      terminals.beginEnding();
    },
    async close(options = {}) {
      const { deleted } = options;
      this.beginClosing(options);
      if (deleted === 'elsewhere') await services.store.close();
      await terminals.end();
      await stop({ isDeleted: deleted !== undefined });
    },
  };
}

/** Returns whether another server runs on the same database. */
function runsBesides(
  store: Store,
  { instanceId, realClock }: Pick<SandboxParts, 'instanceId' | 'realClock'>,
): Promise<boolean> {
  return store.transaction(async (tx) => (await countOtherInstances(tx, instanceId, realClock.nowMs())) > 0, {
    serializable: 'start',
  });
}
