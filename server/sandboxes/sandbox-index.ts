import { createHash } from 'node:crypto';
import type { SandboxEntry } from './open-sandbox.ts';
import type { SandboxRecord } from './sandbox-record.schema.ts';

/** Entries by name and by key. */
export function createIndex() {
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
export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}

/** The sandboxes that are being created or deleted. */
export function createChanges() {
  // A sandbox may be deleted while it is being opened.
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
