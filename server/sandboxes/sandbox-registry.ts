import { createHash } from 'node:crypto';
import type { Clock } from '../../protocol/clock.ts';
import type { Log } from '../../protocol/log.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { createExpiry } from './expiry.ts';
import { createIdleSandboxes } from './idle-sandboxes.ts';
import { createLimitedWork } from './limited-work.ts';
import {
  createSandboxEntry,
  type EntryParts,
  type OpenSandbox,
  type SandboxEntry,
  type StartSandbox,
} from './open-sandbox.ts';
import type { OwnSettings } from '../platform/own-settings.schema.ts';
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
   * Stores a new sandbox, which stays closed until it is used. The caller checked that the name is free.
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
  const newEntry = entryMaker(parts);
  const addEntry = (record: SandboxRecord) => idle.schedule(entries.add(newEntry(record)));
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

  const used = (entry: SandboxEntry) => void (entry.record.usedMs = realClock.nowMs());

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
      if (entry?.opened) used(entry);
      return entry?.opened;
    },
    async open(name) {
      const entry = existing(entries.named(name), name);
      used(entry);
      return entry.open();
    },
    ...createAddition(parts, { entries, changes, addEntry }),
    saveSettings: (name, settings) =>
      changes.during(name, () => existing(entries.named(name), name).saveSettings(settings)),
    remove,
    async closePages() {
      await Promise.all(entries.all().flatMap(({ opened }) => opened?.closePages() ?? []));
    },
    beginClosing() {
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

/** Returns a function that makes the entries of sandboxes, of which some are opened at once. */
function entryMaker(parts: Omit<EntryParts, 'opening'>): (record: SandboxRecord) => SandboxEntry {
  const opening = createLimitedWork(AT_ONCE);
  return (record) => createSandboxEntry(record, { ...parts, opening });
}

interface AdditionParts {
  entries: ReturnType<typeof createIndex>;
  changes: ReturnType<typeof createChanges>;
  addEntry(record: SandboxRecord): void;
}

/** Returns the functions that store new sandboxes, some at once. */
function createAddition(
  { storage, countMax }: Pick<RegistryParts, 'storage' | 'countMax'>,
  { entries, changes, addEntry }: AdditionParts,
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

  return {
    refuseWhenFull,
    async add(record, origin) {
      refuseWhenFull();
      const limited = origin?.source || origin?.snapshot ? copying : creating;
      adding += 1;
      try {
        await changes.during(record.name, () => limited(() => create(record, origin)));
        addEntry(record);
      } finally {
        adding -= 1;
      }
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

/** The sandboxes that are being created or deleted. */
function createChanges() {
  // One may be deleted while its settings are stored.
  const pending = new Map<Promise<void>, string>();
  // Also those whose change has ended since `mark`, which only servers that share sandboxes call.
  let marked: Set<string> | undefined;
  return {
    has: (name: string) => [...pending.values()].includes(name),
    async during(name: string, change: () => Promise<void>): Promise<void> {
      marked?.add(name);
      const changed = change();
      pending.set(changed, name);
      await changed.finally(() => pending.delete(changed));
    },
    settled: async () => void (await Promise.allSettled(pending.keys())),
    /** Returns the set of names that are changing, to which later ones are added until the next call. */
    mark(): ReadonlySet<string> {
      marked = new Set(pending.values());
      return marked;
    },
  };
}

/** Entries by name and by key. */
function createIndex() {
  const byName = new Map<string, SandboxEntry>();
  const names = new Map<string, string>();
  return {
    all: () => [...byName.values()],
    named: (name: string) => byName.get(name),
    nameOfKey: (key: string) => (names.size === 0 ? undefined : names.get(digestOf(key))),
    add(entry: SandboxEntry): SandboxEntry {
      byName.set(entry.record.name, entry);
      for (const key of keysOf(entry.record)) names.set(digestOf(key), entry.record.name);
      return entry;
    },
    remove(name: string): SandboxEntry | undefined {
      const entry = byName.get(name);
      byName.delete(name);
      if (entry) for (const key of keysOf(entry.record)) names.delete(digestOf(key));
      return entry;
    },
  };
}

function keysOf({ keys }: SandboxRecord): string[] {
  return [keys.secretKey, keys.publicKey, keys.dashboardToken];
}

// Looked up by digest, so that the time of a lookup shows nothing of a key.
function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}
