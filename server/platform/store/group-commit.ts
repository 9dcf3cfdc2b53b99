import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import { createDurability } from './durability.ts';
import type { Store, WriteFailure, WriteOutage } from './store.ts';
import { runEffects } from './transaction.ts';
import { runGroup, type GroupOutcome, type Waiting } from './transaction-group.ts';
import { sqliteErrorCode, type SqliteConnection } from './sqlite-connection.ts';

/** Bodies in one commit: enough to make the sync cheap, few enough that the first does not wait long. */
const GROUP_MAX = 256;

interface GroupCommitParts {
  connection: SqliteConnection;
  log: Log;
  /** Runs on another thread while this one serves requests; undefined when no sync is needed. */
  sync: (() => Promise<void>) | undefined;
  /** Called before each commit. */
  beforeCommit: () => void;
}

interface GroupCommit {
  transaction: Store['transaction'];
  /**
   * Returns what a read has to wait for, so that it sees nothing that could still be lost: a promise that resolves when
   * everything committed is on disk, or undefined when it is.
   * @throws Fault `store` after a failed sync: what was committed then is visible to SQLite and perhaps not on disk.
   */
  readable(): Promise<void> | undefined;
  /** Runs `work` between two commits: what it finds is committed and on disk, and nothing is written meanwhile. */
  between<T>(work: () => Promise<T>): Promise<T>;
  /** Why transactions cannot be written now. */
  trouble: WriteOutage;
  /** Resolves when every queued transaction has settled; rejects later ones. */
  close(): Promise<void>;
}

/** Delays `run` while every turn of the event loop adds transactions; a single transaction runs without delay. */
function gather(waiting: () => number, run: () => void): void {
  let seen = 0;
  const check = () => {
    const now = waiting();
    if (now <= seen || now <= 1 || now >= GROUP_MAX) return run();
    seen = now;
    setImmediate(check);
  };
  setImmediate(check);
}

/**
 * Groups transactions so that many share one sync. The bodies requested while the previous group was being synced run
 * one after the other inside one BEGIN..COMMIT, and all resolve once `sync` has written them to disk. When one throws
 * after it has written, the group is rolled back and run again, each body under a savepoint of its own. A group of
 * delayed durability alone is not synced: the sync of the next group writes it too, and reads do not wait for it.
 */
export function createGroupCommit({ connection, log, sync, beforeCommit }: GroupCommitParts): GroupCommit {
  let queue: Waiting[] = [];
  let running = false;
  let scheduled = false;
  let closed = false;
  let drained: (() => void) | undefined;

  const durability = createDurability(sync);
  const pauses = createPauses(() => durability.broken);
  const tracker = createOutageTracker(() => durability.broken !== undefined);

  /** Commits a group, and resolves when what it wrote is on disk if one of it waits for that. */
  async function commit(group: readonly Waiting[], wrote: boolean): Promise<void> {
    beforeCommit();
    const run = () => void connection.run('COMMIT');
    if (wrote && group.some(({ options }) => !options.delayedDurability)) await durability.commit(run);
    else run();
  }

  function schedule(): void {
    if (scheduled || running) return;
    scheduled = true;
    gather(
      () => queue.length,
      () => {
        scheduled = false;
        void runQueued();
      },
    );
  }

  async function runQueued(): Promise<void> {
    running = true;
    if (pauses.waiting()) await pauses.run();
    const group = queue.slice(0, GROUP_MAX);
    queue = queue.slice(GROUP_MAX);
    const outcome = group.length > 0 ? await outcomeOf(group) : undefined;
    running = false;
    if (outcome) answer(group, outcome, log);
    if (queue.length > 0 || pauses.waiting()) schedule();
    else drained?.();
  }

  async function outcomeOf(group: readonly Waiting[]): Promise<GroupOutcome> {
    const outcome = durability.broken
      ? { fault: durability.broken }
      : await runGroup(connection, group, log, (wrote) => commit(group, wrote));
    tracker.note(outcome);
    return outcome;
  }

  return {
    trouble: tracker.trouble,
    readable: durability.readable,
    transaction(body, options = {}) {
      if (closed) return Promise.reject(new Fault('store', 'the store is closed'));
      return new Promise((resolve, reject) => {
        queue.push({ body, options, decisions: new Map(), resolve: resolve as Waiting['resolve'], reject });
        schedule();
      });
    },
    between<T>(work: () => Promise<T>) {
      if (closed) return Promise.reject(new Fault('store', 'the store is closed'));
      schedule();
      return pauses.add(work);
    },
    async close() {
      closed = true;
      if (queue.length > 0 || pauses.waiting() || running)
        await new Promise<void>((resolve) => (drained = resolve));
    },
  };
}

/** Work that waits for the time between two commits. */
function createPauses(broken: () => Fault | undefined) {
  let waiting: (() => Promise<void>)[] = [];
  return {
    waiting: () => waiting.length > 0,
    add<T>(work: () => Promise<T>): Promise<T> {
      const checked = async () => {
        const fault = broken();
        if (fault) throw fault;
        return work();
      };
      return new Promise<T>((resolve, reject) => {
        waiting.push(() => checked().then(resolve, reject));
      });
    },
    async run(): Promise<void> {
      const works = waiting;
      waiting = [];
      for (const work of works) await work();
    },
  };
}

function answer(group: readonly Waiting[], outcome: GroupOutcome, log: Log): void {
  group.forEach(({ resolve, reject }, index) => {
    if ('fault' in outcome) return reject(outcome.fault);
    const result = outcome.results[index]!;
    if ('thrown' in result) return reject(result.thrown);
    runEffects(result.effects, log);
    resolve(result.value);
  });
}

// Primary result codes, https://sqlite.org/rescode.html: READONLY, IOERR, CORRUPT, CANTOPEN, NOTADB.
const LASTING_CODES = [8, 10, 11, 14, 26];

/** @param broken whether a sync has failed, after which nothing is written in this process any more */
function createOutageTracker(broken: () => boolean) {
  const listeners: (() => void)[] = [];
  let current: WriteFailure | undefined;

  function begin(fault: unknown): void {
    const code = fault instanceof Fault ? sqliteErrorCode(fault.cause) : undefined;
    if (code === undefined && !broken()) return;
    const before = current;
    const lasting = broken() || LASTING_CODES.includes(code! & 0xff);
    current = { reason: messageOf(fault), lasting };
    if (!before) for (const listener of listeners) listener();
  }

  const trouble: WriteOutage = {
    current: () => current,
    onBegin: (listener) => void listeners.push(listener),
  };
  return {
    trouble,
    /** Notes how a group of transactions ended; one that only read is no proof that writing works. */
    note(outcome: { fault: unknown } | { wrote: boolean }): void {
      if ('fault' in outcome) begin(outcome.fault);
      else if (outcome.wrote) current = undefined;
    },
  };
}
