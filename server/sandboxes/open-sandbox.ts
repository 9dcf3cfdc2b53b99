import type { Clock } from '../../protocol/clock.ts';
import type { RequestContext } from '../platform/http/request-context.ts';
import type { Services } from '../platform/services.ts';
import type { Store } from '../platform/store/store.ts';
import type { Rest } from './rest.ts';
import type { OwnSettings, SandboxRecord } from './sandbox-record.schema.ts';
import type { SandboxStorage } from './sandbox-storage.ts';

/** A sandbox whose store is open and whose jobs run. */
export interface OpenSandbox {
  readonly context: RequestContext;
  readonly services: Services;
  /** Starts what calls the sandbox itself, such as its simulated terminals. Called once, when requests reach it. */
  surround(): Promise<void>;
  /** Returns what it leaves behind when it sleeps; undefined while it has to stay open. */
  rest(): Promise<Rest | undefined>;
  /** Whether pages, terminals of other programs or jobs need it now. */
  isNeeded(): boolean;
  /** Returns when something is due in it, in real time; null for nothing. */
  wakeMs(): Promise<number | null>;
  /** Closes the connections of open pages, for which the HTTP server would wait. */
  closePages(): Promise<void>;
  close(): Promise<void>;
}

/** Puts a sandbox together around its store, and starts it. Closes the store when it fails. */
export type StartSandbox = (record: SandboxRecord, store: Store) => Promise<OpenSandbox>;

/** A stored sandbox, open or closed. */
export interface SandboxEntry {
  record: SandboxRecord;
  /** Defined while it is open. */
  readonly opened: OpenSandbox | undefined;
  /** Real time at which it was opened last, epoch milliseconds; 0 before, Infinity while it is being opened. */
  readonly openedMs: number;
  /** Opens it unless it is open. @throws Fault when its store cannot be opened */
  open(): Promise<OpenSandbox>;
  /**
   * Closes it until it is opened again, unless it has to stay open.
   * @param maySleep asked again when all is ready
   */
  sleep(maySleep: (rest: Rest) => boolean): Promise<void>;
  close(): Promise<void>;
  /** Stores the settings of its own, which apply from now on. */
  saveSettings(settings: OwnSettings): Promise<void>;
  /** Applies settings of its own that are stored. */
  applySettings(settings: OwnSettings | undefined): void;
  /** Stores when it was last used and when something is due in it, unless that is stored. */
  saveUse(): Promise<void>;
}

/** What an entry needs of its server. */
export interface EntryParts {
  storage: SandboxStorage;
  start: StartSandbox;
  /** Changes the settings of an open sandbox to what its record says. */
  applySettings(services: Services, record: SandboxRecord): void;
  realClock: Clock;
}

export function createSandboxEntry(record: SandboxRecord, parts: EntryParts): SandboxEntry {
  const { storage, start, realClock } = parts;
  let opening: Promise<OpenSandbox> | undefined;
  let opened: OpenSandbox | undefined;
  let closing: Promise<void> | undefined;
  // The settings are stored while nothing else is: each of these waits for those that began before it.
  let saving: Promise<unknown> = Promise.resolve();
  let openedMs = 0;
  let stored = { usedMs: record.usedMs, wakeMs: record.wakeMs };

  async function openStored(): Promise<OpenSandbox> {
    try {
      await Promise.allSettled([closing, saving]);
      // It does not sleep meanwhile: its terminals may take longer to connect than it may be idle.
      openedMs = Infinity;
      // After a crash it is opened again at the next start: what is due in it is unknown.
      entry.record = await storage.countOpen({ ...entry.record, wakeMs: 0 });
      stored = { usedMs: entry.record.usedMs, wakeMs: 0 };
      opened = await start(entry.record, await storage.open(entry.record));
      await opened.surround();
      openedMs = realClock.nowMs();
      return opened;
    } catch (thrown) {
      await opened?.close();
      opened = undefined;
      opening = undefined;
      throw thrown;
    }
  }

  async function saveUse(): Promise<void> {
    const { usedMs, wakeMs } = entry.record;
    if (usedMs === stored.usedMs && wakeMs === stored.wakeMs) return;
    stored = { usedMs, wakeMs };
    await storage.saveUse(entry.record);
  }

  async function closeAsleep(awake: OpenSandbox, { wakeMs }: Rest): Promise<void> {
    const saved = saving;
    entry.record.wakeMs = wakeMs;
    await awake.close();
    await saved;
    await saveUse();
  }

  const entry: SandboxEntry = {
    record,
    get opened() {
      return opened;
    },
    get openedMs() {
      return openedMs;
    },
    // What surrounds it calls it while it is being opened.
    open: async () => opened ?? (opening ??= openStored()),
    async sleep(maySleep) {
      const awake = opened;
      const rest = await awake?.rest();
      if (!awake || !rest || !maySleep(rest)) return;
      await storage.saveAsleep(entry.record, rest.terminals);
      // Used meanwhile, or deleted.
      if (opened !== awake || awake.isNeeded() || !maySleep(rest))
        return void (await storage.takeAsleep(entry.record));
      opened = undefined;
      opening = undefined;
      closing = closeAsleep(awake, rest);
      await closing;
    },
    async close() {
      await closing?.catch(() => undefined);
      const last = await opening?.catch(() => undefined);
      opened = undefined;
      opening = undefined;
      if (!last) return;
      entry.record.wakeMs = await last.wakeMs().catch(() => 0);
      await last.close();
    },
    async saveSettings(settings) {
      const saved = Promise.allSettled([opening, closing, saving]).then(async () => {
        await storage.saveSettings({ ...entry.record, settings });
        entry.applySettings(settings);
      });
      saving = saved.catch(() => undefined);
      await saved;
    },
    applySettings(settings) {
      if (settings) entry.record.settings = settings;
      else delete entry.record.settings;
      if (opened) parts.applySettings(opened.services, entry.record);
    },
    saveUse,
  };
  return entry;
}
