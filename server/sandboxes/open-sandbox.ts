import type { Clock } from '../../protocol/clock.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { RequestContext } from '../platform/http/request-context.ts';
import type { Services } from '../platform/services.ts';
import type { Store } from '../platform/store/store.ts';
import type { LimitedWork } from './limited-work.ts';
import type { SandboxTerminals } from './sandbox-terminals.ts';
import type { SleepState } from './sleep-state.ts';
import type { OwnSettings } from '../platform/own-settings.schema.ts';
import type { SandboxRecord } from './sandbox-record.schema.ts';
import type { SandboxStorage } from './sandbox-storage.ts';

interface ClosingOptions {
  /**
   * Where it is deleted: `here`, so that what it still has to write is dropped, or `elsewhere`, where its tables are gone
   * already and nothing can be asked.
   */
  deleted?: 'here' | 'elsewhere';
}

/** A sandbox whose store is open and whose jobs run. */
export interface OpenSandbox {
  readonly context: RequestContext;
  readonly services: Services;
  readonly terminals: SandboxTerminals;
  /** Returns what it leaves behind when it sleeps; undefined while it has to stay open. */
  sleepState(): Promise<SleepState | undefined>;
  /** Whether it is being recorded. */
  isRecorded(): boolean;
  /** Whether pages, terminals of other programs or jobs need it now. */
  isNeeded(): boolean;
  /** Returns when something is due in it, in real time; null for nothing. */
  wakeMs(): Promise<number | null>;
  /** Closes the connections of open pages, for which the HTTP server would wait. */
  closePages(): Promise<void>;
  /** Refuses requests from now on, and no longer waits for its terminals to start. `close` does so too. */
  beginClosing(options?: ClosingOptions): void;
  close(options?: ClosingOptions): Promise<void>;
}

export interface StartOptions {
  /** Whether it was created a moment ago, and nobody has used it. */
  isNew: boolean;
  /** Whether its terminals have something to do, so that they do not wait until a request needs them. */
  startsTerminals: boolean;
}

/** Puts a sandbox together around its store, and starts it. Closes the store when it fails. */
export type StartSandbox = (
  record: SandboxRecord,
  store: Store,
  options: StartOptions,
) => Promise<OpenSandbox>;

/** A stored sandbox, open or closed. */
export interface SandboxEntry {
  record: SandboxRecord;
  /** Defined while it is open. */
  readonly opened: OpenSandbox | undefined;
  /** Real time at which it was opened last, epoch milliseconds; 0 before. */
  readonly openedMs: number;
  /** Opens it unless it is open. @throws Fault when its store cannot be opened */
  open(): Promise<OpenSandbox>;
  /** Opens it right after it was created as one that is open. @throws Fault when its store cannot be opened */
  openNew(): Promise<OpenSandbox>;
  /**
   * Closes it until it is opened again, unless it has to stay open.
   * @param maySleep asked again when all is ready
   */
  sleep(maySleep: (state: SleepState) => boolean): Promise<void>;
  /** Refuses requests from now on, also while it is being opened, which then waits for nothing that it starts. */
  beginClosing(options?: ClosingOptions): void;
  /** Closes it for good. */
  close(options?: ClosingOptions): Promise<void>;
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
  /** Runs a part of the openings at once. */
  opening: LimitedWork;
  /** Changes the settings of an open sandbox to what its record says. */
  applySettings(services: Services, record: SandboxRecord): void;
  realClock: Clock;
}

/**
 * Returns the record of a sandbox that is open, as it is stored. After a crash it is opened again at the next start: what is
 * due in it is unknown.
 */
export function openedRecord(record: SandboxRecord): SandboxRecord {
  return { ...record, wakeMs: 0 };
}

export function createSandboxEntry(record: SandboxRecord, parts: EntryParts): SandboxEntry {
  return new StoredSandbox(record, parts);
}

class StoredSandbox implements SandboxEntry {
  record: SandboxRecord;
  opened: OpenSandbox | undefined;
  openedMs = 0;
  readonly #parts: EntryParts;
  #opening: Promise<OpenSandbox> | undefined;
  #closing: Promise<void> | undefined;
  // Set once it is to be closed for good.
  #ending: ClosingOptions | undefined;
  #isClosed = false;
  // The settings are stored while nothing else is: each of these waits for those that began before it.
  #saving: Promise<unknown> = Promise.resolve();
  #stored: { usedMs: number; wakeMs: number | null | undefined };

  constructor(record: SandboxRecord, parts: EntryParts) {
    this.record = record;
    this.#parts = parts;
    this.#stored = { usedMs: record.usedMs, wakeMs: record.wakeMs };
  }

  async open(): Promise<OpenSandbox> {
    // A terminal may connect until the broker is closed.
    if (this.#isClosed) throw new Refusal('stopping');
    return this.opened ?? (this.#opening ??= this.#openStored());
  }

  async openNew(): Promise<OpenSandbox> {
    const startsTerminals = this.record.wakeMs !== null;
    this.record = openedRecord(this.record);
    this.#stored.wakeMs = this.record.wakeMs;
    return (this.#opening ??= this.#start({ isNew: true, startsTerminals }));
  }

  async #openStored(): Promise<OpenSandbox> {
    await Promise.allSettled([this.#closing, this.#saving]);
    try {
      this.record = await this.#parts.storage.countOpen(openedRecord(this.record));
      this.#stored = { usedMs: this.record.usedMs, wakeMs: 0 };
    } catch (thrown) {
      this.#forget();
      throw thrown;
    }
    return this.#start({ isNew: false, startsTerminals: true });
  }

  async #start(options: StartOptions): Promise<OpenSandbox> {
    const { storage, start, opening, realClock } = this.#parts;
    try {
      const onDeleted = () => {
        if (this.opened) logErrorsAlone(this.opened.services);
      };
      const store = () => storage.open(this.record, onDeleted);
      this.opened = await opening(async () => start(this.record, await store(), options));
      if (this.#ending) this.opened.beginClosing(this.#ending);
      this.openedMs = realClock.nowMs();
      return this.opened;
    } catch (thrown) {
      this.#forget();
      throw thrown;
    }
  }

  #forget(): void {
    this.opened = undefined;
    this.#opening = undefined;
  }

  async saveUse(): Promise<void> {
    const { usedMs, wakeMs } = this.record;
    if (usedMs === this.#stored.usedMs && wakeMs === this.#stored.wakeMs) return;
    this.#stored = { usedMs, wakeMs };
    await this.#parts.storage.saveUse(this.record);
  }

  async sleep(maySleep: (state: SleepState) => boolean): Promise<void> {
    const { storage } = this.#parts;
    const awake = this.opened;
    const state = await awake?.sleepState();
    if (!awake || !state || !maySleep(state)) return;
    await storage.saveAsleep(this.record, state.terminals);
    // Used meanwhile, or deleted.
    if (this.opened !== awake || awake.isNeeded() || !maySleep(state))
      return void (await storage.takeAsleep(this.record));
    this.#forget();
    this.#closing = this.#closeAsleep(awake, state);
    await this.#closing;
  }

  async #closeAsleep(awake: OpenSandbox, { wakeMs }: SleepState): Promise<void> {
    const saved = this.#saving;
    this.record.wakeMs = wakeMs;
    await awake.close();
    await saved;
    await this.saveUse();
  }

  beginClosing(options: ClosingOptions = {}): void {
    this.#ending = options;
    this.opened?.beginClosing(options);
  }

  async close(options: ClosingOptions = {}): Promise<void> {
    const { deleted } = options;
    this.beginClosing(options);
    await this.#closing?.catch(() => undefined);
    const last = await this.#opening?.catch(() => undefined);
    this.#isClosed = true;
    this.#forget();
    if (!last) return;
    if (deleted === 'elsewhere') logErrorsAlone(last.services);
    if (!deleted) this.record.wakeMs = await last.wakeMs().catch(() => 0);
    await last.close(deleted && { deleted });
  }

  async saveSettings(settings: OwnSettings): Promise<void> {
    const before: Promise<unknown>[] = [this.#saving];
    if (this.#opening) before.push(this.#opening);
    if (this.#closing) before.push(this.#closing);
    const saved = Promise.allSettled(before).then(async () => {
      await this.#parts.storage.saveSettings({ ...this.record, settings });
      this.applySettings(settings);
    });
    this.#saving = saved.catch(() => undefined);
    await saved;
  }

  applySettings(settings: OwnSettings | undefined): void {
    if (settings) this.record.settings = settings;
    else delete this.record.settings;
    if (this.opened) this.#parts.applySettings(this.opened.services, this.record);
  }
}

/** What goes on in a sandbox until it is closed fails once its tables are gone, which is no reason to warn of. */
function logErrorsAlone({ log }: Pick<Services, 'log'>): void {
  log.level = 'error';
}
