import { createHash } from 'node:crypto';
import type { Clock } from '../../protocol/clock.ts';
import type { Log } from '../../protocol/log.ts';
import type { Store } from '../platform/store/store.ts';
import { createExpiry } from './expiry.ts';
import {
  createSandboxEntry,
  type OpenSandbox,
  type SandboxEntry,
  type StartSandbox,
} from './open-sandbox.ts';
import type { SandboxRecord } from './sandbox-record.schema.ts';
import type { SandboxStorage } from './sandbox-storage.ts';

interface RegistryParts {
  storage: SandboxStorage;
  start: StartSandbox;
  /** Called when a sandbox was closed to be deleted. */
  onRemove(name: string): void;
  realClock: Clock;
  log: Log;
}

/** The sandboxes of a server other than `default`. */
export interface SandboxRegistry {
  /** Reads what is stored, and deletes what is expired, now and later. */
  load(): Promise<void>;
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
  /**
   * Stores a new sandbox and opens it. The caller checked that the name is free.
   * @param exportTerminals as for `SandboxStorage.create`
   */
  add(record: SandboxRecord, source?: Store, exportTerminals?: () => Promise<unknown>): Promise<OpenSandbox>;
  /** Closes and deletes a sandbox. */
  remove(name: string): Promise<void>;
  /** Closes all. */
  close(): Promise<void>;
}

export function createSandboxRegistry(parts: RegistryParts): SandboxRegistry {
  const { storage, start, onRemove, realClock } = parts;
  const entries = createIndex();
  // The pending change of each sandbox that is being created or deleted.
  const changing = new Map<string, Promise<void>>();
  const records = () => entries.all().map(({ record }) => record);
  const expiry = createExpiry({ ...parts, records, remove });

  async function whileChanging(name: string, change: () => Promise<void>): Promise<void> {
    const changed = change();
    changing.set(name, changed);
    await changed.finally(() => changing.delete(name));
  }

  async function remove(name: string): Promise<void> {
    const entry = entries.remove(name);
    if (!entry) return;
    await whileChanging(name, async () => {
      await entry.close();
      onRemove(name);
      await storage.remove(name);
    });
  }

  const used = (entry: SandboxEntry) => void (entry.record.usedMs = realClock.nowMs());

  return {
    async load() {
      for (const record of await storage.list()) entries.add(createSandboxEntry(record, storage, start));
      await expiry.start();
    },
    records,
    find: (name) => entries.named(name)?.record,
    has: (name) => entries.named(name) !== undefined || changing.has(name),
    nameOfKey: entries.nameOfKey,
    opened(name) {
      const entry = entries.named(name);
      if (entry?.opened) used(entry);
      return entry?.opened;
    },
    async open(name) {
      const entry = entries.named(name);
      if (!entry) throw new Error(`there is no sandbox ${name}`);
      used(entry);
      return entry.open();
    },
    async add(record, source, exportTerminals) {
      await whileChanging(record.name, () => storage.create(record, source, exportTerminals));
      return entries.add(createSandboxEntry(record, storage, start)).open();
    },
    remove,
    async close() {
      expiry.stop();
      await Promise.allSettled(changing.values());
      await Promise.all(entries.all().map((entry) => entry.close()));
      // The last use of each, for its expiry.
      for (const record of records()) await storage.save(record);
      await storage.close();
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
