import type { Clock } from '../../protocol/clock.ts';
import { messageOf } from '../../protocol/failures.ts';
import type { Log } from '../../protocol/log.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { createExpiry } from './expiry.ts';
import { createIdleSandboxes } from './idle-sandboxes.ts';
import { createLimitedWork } from './limited-work.ts';
import {
  createSandboxEntry,
  openedRecord,
  type EntryParts,
  type OpenSandbox,
  type SandboxEntry,
  type StartSandbox,
} from './open-sandbox.ts';
import type { OwnSettings } from '../platform/own-settings.schema.ts';
import { createChanges, createIndex, digestOf } from './sandbox-index.ts';
import type { SandboxRecord } from './sandbox-record.schema.ts';
import type { SandboxOrigin, SandboxStorage } from './sandbox-storage.ts';
import { followRecords } from './shared-records.ts';

interface RegistryParts {
  storage: SandboxStorage;
  start: StartSandbox;
  applySettings: EntryParts['applySettings'];
  /** Keys and tokens of the sandbox `default`, which no other sandbox has. */
  defaultKeys: readonly string[];
  /** Called when a sandbox was closed to be deleted. */
  onRemove(name: string): void;
  /** Sandboxes that there may be. */
  countMax: number;
  /** Real time without use after which a sandbox sleeps; never unless given. */
  sleepAfterMs?: number | undefined;
  realClock: Clock;
  log: Log;
}

/** The sandboxes of a server other than `default`. */
export interface SandboxRegistry {
  /** Reads what is stored, and deletes what is expired, now and later. */
  load(): Promise<void>;
  /** Finds what other servers on the same database have added or deleted by now. */
  refresh(): Promise<void>;
  /**
   * Finds out whether another server has added a sandbox with a name or key that is unknown here. Undefined when that
   * cannot be, as for a key of `default`, or was looked up within the last second.
   */
  lookup(nameOrKey: string): Promise<void> | undefined;
  records(): SandboxRecord[];
  find(name: string): SandboxRecord | undefined;
  /** Whether a name is taken: also while its sandbox is being created or deleted. */
  has(name: string): boolean;
  /** Returns the sandbox that a key or dashboard token belongs to. */
  nameOfKey(key: string): string | undefined;
  /** Returns a sandbox that is open, and counts it as used. */
  opened(name: string): OpenSandbox | undefined;
  /** Opens a known sandbox, unless it is open, and counts it as used. @throws Fault when its store cannot be opened */
  open(name: string): Promise<OpenSandbox>;
  /** @throws Refusal `too_many_sandboxes` while there are as many as there may be, those that are being created included */
  refuseWhenFull(): void;
  /**
   * Stores a new sandbox and opens it, unless other servers have it too; there it is opened when it is used. The caller
   * checked that the name is free.
   * @throws Refusal `too_many_sandboxes` also when other servers have created the last ones meanwhile
   */
  add(record: SandboxRecord, origin?: SandboxOrigin): Promise<void>;
  /** Stores the settings that a known sandbox has of its own, which apply from now on. */
  saveSettings(name: string, settings: OwnSettings): Promise<void>;
  /** Closes and deletes a sandbox. */
  remove(name: string): Promise<void>;
  /** Closes the connections of open pages of all sandboxes. */
  closePages(): Promise<void>;
  /** Refuses the requests to all sandboxes, and those that wait for one to be opened. */
  beginClosing(): void;
  /** Closes all. */
  close(): Promise<void>;
}

// A new sandbox takes this thread some milliseconds, and so does one that is opened. More at once would not be ready earlier.
const AT_ONCE = 4;

export function createSandboxRegistry(parts: RegistryParts): SandboxRegistry {
  const { storage, onRemove, realClock } = parts;
  const entries = createIndex();
  const idle = createIdleSandboxes({ ...parts, sleepAfterMs: parts.sleepAfterMs, entries: entries.all });
  let isClosing = false;
  const addEntry = entryAdder(parts, entries, idle);
  const changes = createChanges();
  const close = createRemoval(entries, changes, onRemove);
  const records = () => entries.all().map(({ record }) => record);
  const others =
    storage.shared &&
    followRecords({ ...parts, shared: storage.shared, entries, changes, add: addEntry, close });
  const defaultDigests = new Set(parts.defaultKeys.map(digestOf));
  const remove = (name: string) => close(name, (record) => storage.remove(record));
  const expiry = createExpiry({
    ...parts,
    async records() {
      await others?.exchangeUse((record) => storage.saveUse(record));
      return records();
    },
    remove,
  });

  return {
    async load() {
      (await storage.list()).forEach(addEntry);
      await expiry.start();
      idle.start();
      others?.start();
    },
    refresh: async () => others?.refresh(),
    lookup(nameOrKey) {
      if (!others) return undefined;
      const digest = digestOf(nameOrKey);
      return defaultDigests.has(digest) ? undefined : others.lookup(digest);
    },
    records,
    find: (name) => entries.named(name)?.record,
    has: (name) => entries.named(name) !== undefined || changes.has(name),
    nameOfKey: entries.nameOfKey,
    opened(name) {
      const entry = entries.named(name);
      if (entry?.opened) entry.record.usedMs = realClock.nowMs();
      return entry?.opened;
    },
    async open(name) {
      const entry = existing(entries.named(name), name);
      entry.record.usedMs = realClock.nowMs();
      return entry.open();
    },
    ...createAddition(parts, { entries, changes, addEntry, isClosing: () => isClosing }),
    saveSettings: (name, settings) =>
      changes.during(name, () => existing(entries.named(name), name).saveSettings(settings)),
    remove,
    async closePages() {
      await Promise.all(entries.all().flatMap(({ opened }) => opened?.closePages() ?? []));
    },
    beginClosing() {
      isClosing = true;
      for (const entry of entries.all()) entry.beginClosing();
    },
    async close() {
      expiry.stop();
      await others?.stop();
      await idle.stop();
      await changes.settled();
      await Promise.all(entries.all().map(closeAndSave));
      await storage.close();
    },
  };
}

/** Returns a function that adds sandboxes to the entries, of which some are opened at once. */
function entryAdder(
  parts: Omit<EntryParts, 'opening'>,
  entries: ReturnType<typeof createIndex>,
  idle: ReturnType<typeof createIdleSandboxes>,
): (record: SandboxRecord) => SandboxEntry {
  const opening = createLimitedWork(AT_ONCE);
  return (record) => {
    const entry = entries.add(createSandboxEntry(record, { ...parts, opening }));
    idle.schedule(entry);
    return entry;
  };
}

interface AdditionParts {
  entries: ReturnType<typeof createIndex>;
  changes: ReturnType<typeof createChanges>;
  addEntry(record: SandboxRecord): SandboxEntry;
  isClosing(): boolean;
}

/** Returns the functions that store new sandboxes, some at once. */
function createAddition(
  { storage, countMax, log }: Pick<RegistryParts, 'storage' | 'countMax' | 'log'>,
  { entries, changes, addEntry, isClosing }: AdditionParts,
): Pick<SandboxRegistry, 'add' | 'refuseWhenFull'> {
  const creating = createLimitedWork(AT_ONCE);
  // Takes seconds for a large one, for which others do not wait.
  const copying = createLimitedWork(AT_ONCE);
  const tooMany = () => new Refusal('too_many_sandboxes', { limit: countMax });
  let adding = 0;

  function refuseWhenFull(): void {
    if (entries.all().length + adding >= countMax) throw tooMany();
  }

  async function create(record: SandboxRecord, origin?: SandboxOrigin): Promise<void> {
    await storage.create(record, origin);
    // Of servers that create the last ones at once, each that comes to see all of them takes back its own.
    if (!storage.shared || (await storage.shared.count()) <= countMax) return;
    await storage.remove(record);
    throw tooMany();
  }

  async function store(
    added: SandboxRecord,
    stored: SandboxRecord,
    origin?: SandboxOrigin,
  ): Promise<SandboxEntry> {
    const limited = origin?.source || origin?.snapshot ? copying : creating;
    adding += 1;
    try {
      await limited(() => create(stored, origin));
      return addEntry(added);
    } finally {
      adding -= 1;
    }
  }

  async function addAndOpen(record: SandboxRecord, origin?: SandboxOrigin): Promise<void> {
    // Where servers share the database, the first that is asked opens it.
    if (storage.shared) return void (await store(record, record, origin));
    const added = { ...record, opens: record.opens + 1 };
    const entry = await store(added, openedRecord(added), origin);
    if (isClosing()) entry.beginClosing();
    else await openNew(entry);
  }

  async function openNew(entry: SandboxEntry): Promise<void> {
    await entry.openNew().catch((thrown: unknown) => {
      // It is there: the next request opens it, or is answered with what keeps it from opening.
      log.warn(
        { sandbox: entry.record.name, reason: messageOf(thrown) },
        'a new sandbox could not be opened',
      );
    });
  }

  return {
    refuseWhenFull,
    async add(record, origin) {
      if (isClosing()) throw new Refusal('stopping');
      refuseWhenFull();
      await changes.during(record.name, () => addAndOpen(record, origin));
    },
  };
}

/** Returns a function that closes a sandbox, and deletes it with `deleteIt` unless another server has deleted it. */
function createRemoval(
  entries: ReturnType<typeof createIndex>,
  changes: ReturnType<typeof createChanges>,
  onRemove: (name: string) => void,
) {
  const limited = createLimitedWork(AT_ONCE);
  return async (name: string, deleteIt?: (record: SandboxRecord) => Promise<void>): Promise<void> => {
    const entry = entries.remove(name);
    if (!entry) return;
    const remove = async () => {
      await entry.close({ deleted: deleteIt ? 'here' : 'elsewhere' });
      onRemove(name);
      await deleteIt?.(entry.record);
    };
    await changes.during(name, () => limited(remove));
  };
}

function existing(entry: SandboxEntry | undefined, name: string): SandboxEntry {
  if (!entry) throw new Error(`there is no sandbox ${name}`);
  return entry;
}

async function closeAndSave(entry: SandboxEntry): Promise<void> {
  await entry.close();
  await entry.saveUse();
}
