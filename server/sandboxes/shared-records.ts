import { after, type Clock, type Timer } from '../../protocol/clock.ts';
import { messageOf } from '../../protocol/failures.ts';
import { createCountedLog, type Log } from '../../protocol/log.ts';
import { createSerialQueue } from '../../protocol/serial-queue.ts';
import { setBounded } from '../platform/bounded-map.ts';
import type { SandboxEntry } from './open-sandbox.ts';
import type { SandboxRecord } from './sandbox-record.schema.ts';
import type { SandboxStorage, SharedRecords } from './sandbox-storage.ts';

// How long a sandbox that another server deleted stays open here at most, real time.
const POLL_EVERY_MS = 1_000;

// How long a name or key that no server has is not looked up again, real time.
const UNKNOWN_MS = 1_000;
const UNKNOWN_MAX = 1_000;

interface FollowParts {
  shared: SharedRecords;
  storage: Pick<SandboxStorage, 'read'>;
  entries: { all(): SandboxEntry[]; named(name: string): SandboxEntry | undefined };
  /** Adds a sandbox that is stored. */
  add(record: SandboxRecord): void;
  /** Closes a sandbox that is stored no longer. */
  close(name: string): Promise<void>;
  /** `mark` returns the names that this server is changing; those that it begins to change later are added to it. */
  changes: { mark(): ReadonlySet<string> };
  realClock: Clock;
  log: Log;
}

/** Follows what other servers do to the sandboxes of this one. */
interface FollowedRecords {
  /** Applies all that was stored before the call. Logs why when it cannot. */
  refresh(): Promise<void>;
  /**
   * Refreshes for a name or key that is unknown here; undefined when that was done within the last second. Requests that
   * come meanwhile with the same one wait for it too.
   */
  lookup(digest: string): Promise<void> | undefined;
  /** Stores the times of last use here, and reads those of other servers. */
  exchangeUse(save: (record: SandboxRecord) => Promise<void>): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** When a name or key was looked up, and until that is done its end. */
interface Lookup {
  atMs: number;
  finished: Promise<void> | undefined;
}

export function followRecords(parts: FollowParts): FollowedRecords {
  const { shared, storage, entries, realClock } = parts;
  const log = createCountedLog({ log: parts.log, clock: realClock });
  const oneAtATime = createSerialQueue();
  const lookups = new Map<string, Lookup>();
  let revision: string | undefined;
  let next: Promise<void> | undefined;
  let exchangedMs = 0;
  let timer: Timer | undefined;
  let stopped = false;

  async function check(always: boolean): Promise<void> {
    try {
      const stored = await shared.revision();
      if (stored === revision && !always) return;
      const changing = parts.changes.mark();
      const applied = await apply(parts, await storage.read(), changing);
      revision = applied ? stored : undefined;
    } catch (thrown) {
      log.warn({ reason: messageOf(thrown) }, 'the sandboxes of other servers could not be read');
    }
  }

  function refresh(): Promise<void> {
    // Calls that wait for the one under way share the next one.
    next ??= oneAtATime(() => {
      next = undefined;
      return check(false);
    });
    return next;
  }

  function wait(): void {
    if (!stopped) timer = after(realClock, POLL_EVERY_MS, () => void refresh().then(wait));
  }

  return {
    refresh,
    lookup(digest) {
      const nowMs = realClock.nowMs();
      const last = lookups.get(digest);
      if (last && nowMs - last.atMs < UNKNOWN_MS) return last.finished;
      const lookup: Lookup = { atMs: nowMs, finished: refresh() };
      void lookup.finished!.then(() => (lookup.finished = undefined));
      setBounded(lookups, UNKNOWN_MAX, digest, lookup);
      return lookup.finished;
    },
    async exchangeUse(save) {
      const sinceMs = exchangedMs;
      exchangedMs = realClock.nowMs();
      for (const { record } of entries.all()) if (record.usedMs >= sinceMs) await save(record);
      await oneAtATime(() => check(true));
    },
    start: wait,
    async stop() {
      stopped = true;
      timer?.cancel();
      await oneAtATime(async () => {});
    },
  };
}

/** Returns whether all was applied: a sandbox that this server is changing is left alone. */
async function apply(
  { entries, add, close }: FollowParts,
  stored: readonly SandboxRecord[],
  changing: ReadonlySet<string>,
): Promise<boolean> {
  const byName = new Map(stored.map((record) => [record.name, record]));
  const closed = new Set<string>();
  const isLeft = (name: string) => changing.has(name) && !closed.has(name);
  for (const entry of entries.all()) {
    const { record } = entry;
    if (isLeft(record.name)) continue;
    const found = byName.get(record.name);
    // Another one can have the name by now.
    if (found?.keys.secretKey === record.keys.secretKey) {
      record.usedMs = Math.max(record.usedMs, found.usedMs);
      entry.applySettings(found.settings);
    } else {
      closed.add(record.name);
      await close(record.name);
    }
  }
  for (const record of stored) {
    if (!isLeft(record.name) && !entries.named(record.name)) add(record);
  }
  return [...changing].every((name) => closed.has(name));
}
