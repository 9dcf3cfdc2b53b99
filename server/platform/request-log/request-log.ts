import { after, type Timer } from '../../../protocol/clock.ts';
import { messageOf } from '../../../protocol/failures.ts';
import type { Ids } from '../../../protocol/ids.ts';
import type { Services } from '../services.ts';
import type { RequestLogLimits } from '../settings.ts';
import type { FinishedRequest, RequestLog } from '../finished-request.ts';
import { maskedRequest } from './masked-request.ts';
import { deleteExpiredRequests, deleteRequestsBefore, insertRequests } from './request.records.ts';

// At most a thousand requests a second, and a hundred while more arrive than that, so that a server under load has its
// time for its callers: masking and storing one takes as long as answering a read.
const BATCH = 100;
const EVERY_MS = 100;
const EVERY_MS_UNDER_LOAD = 1_000;
/** The latest requests that wait to be stored. */
const WAITING_MAX = 2_000;
/** Characters of the requests that wait. */
const WAITING_CHARACTERS_MAX = 32_000_000;
const DAY_MS = 86_400_000;
const EXPIRY_EVERY_MS = 3_600_000;

/** Returns how much memory a request takes while it waits to be stored, in characters. */
function sizeOf({ body, answer }: FinishedRequest): number {
  return (typeof body === 'string' ? body.length : 0) + (answer?.length ?? 0);
}

type Parts = Pick<Services, 'log' | 'observers' | 'realClock' | 'store'> & {
  /** Creates the ids of the requests. */
  ids: Pick<Ids, 'make'>;
  limits: RequestLogLimits;
  /** Secrets that their form does not show. */
  known?: readonly string[] | undefined;
};

/** The latest requests that wait to be stored. */
function createWaitingRequests(countMax: number) {
  const waiting: FinishedRequest[] = [];
  let characters = 0;

  function take(count: number): FinishedRequest[] {
    const taken = waiting.splice(0, count);
    for (const request of taken) characters -= sizeOf(request);
    return taken;
  }

  return {
    count: () => waiting.length,
    /** Removes the oldest and returns them. */
    take,
    add(request: FinishedRequest): void {
      waiting.push(request);
      characters += sizeOf(request);
      while (waiting.length > countMax || (characters > WAITING_CHARACTERS_MAX && waiting.length > 1)) {
        // V8 moves the other requests at each `splice`, and none at a `shift`: 10 µs or 0.2 for each request under load.
        characters -= sizeOf(waiting.shift()!);
      }
    },
  };
}

/** Counts the requests that arrive between two writes, to find out whether more arrive than can be stored. */
function createLoad() {
  let everyMs = EVERY_MS;
  let [arrived, added] = [0, 0];
  const isHigh = () => everyMs === EVERY_MS_UNDER_LOAD;
  return {
    /** Whether one more can be stored. Counts one that cannot. */
    takes(): boolean {
      if (!isHigh() || added < BATCH) return true;
      arrived += 1;
      return false;
    },
    add(): void {
      arrived += 1;
      added += 1;
    },
    /** Begins to count anew. Returns when the next write is, from now on. */
    begin(): number {
      [arrived, added] = [0, 0];
      return everyMs;
    },
    end(): void {
      everyMs = arrived / everyMs > BATCH / EVERY_MS ? EVERY_MS_UNDER_LOAD : EVERY_MS;
    },
  };
}

/** Deletes stored requests: those over their days, and after a reset all that were received before. */
function createOldRequests({ limits, realClock, store }: Pick<Parts, 'limits' | 'realClock' | 'store'>) {
  let expiredAtMs = -Infinity;
  let resetBeforeMs: number | undefined;
  const expiredBeforeMs = () => realClock.nowMs() - limits.days * DAY_MS;
  return {
    expiredBeforeMs,
    /** A reset deletes what is stored, but does not see what is stored while it runs. */
    reset: () => void (resetBeforeMs = realClock.nowMs() + 1),
    isDueAtOnce: () => resetBeforeMs !== undefined,
    async delete(): Promise<void> {
      const nowMs = realClock.nowMs();
      const resetMs = resetBeforeMs;
      if (resetMs === undefined && nowMs - expiredAtMs < EXPIRY_EVERY_MS) return;
      if (resetMs === undefined) await deleteExpiredRequests(store, expiredBeforeMs());
      else await deleteRequestsBefore(store, resetMs);
      if (resetBeforeMs === resetMs) resetBeforeMs = undefined;
      expiredAtMs = nowMs;
    },
  };
}

/** Returns a function that makes the row of a request; undefined for one that cannot be masked. */
function rowMaker({ known, observers, newId }: Pick<Parts, 'known' | 'observers'> & { newId(): string }) {
  return observers.guard('masking of the request log', (request: FinishedRequest) =>
    maskedRequest(request.id ?? newId(), request, known),
  );
}

/**
 * Creates the log of one sandbox. While more requests arrive than it can store, it takes a hundred a second and those that
 * are refused; of those that wait the oldest are left out.
 */
export function createRequestLog(parts: Parts): RequestLog {
  const { ids, limits, log, realClock, store } = parts;
  const waiting = createWaitingRequests(Math.min(WAITING_MAX, limits.countMax));
  const old = createOldRequests({ limits, realClock, store });
  const load = createLoad();
  let timer: Timer | undefined;
  let writing: Promise<void> | undefined;
  let failed = false;
  const newId = () => ids.make('request');
  const rowOf = rowMaker({ ...parts, newId });

  async function writeBatch(): Promise<void> {
    const rows = waiting.take(BATCH).flatMap((request) => rowOf(request) ?? []);
    try {
      await old.delete();
      if (rows.length > 0)
        await store.transaction((tx) => insertRequests(tx, store.engine, rows, limits), {
          delayedDurability: true,
          guardedBy: ['latestRows'],
        });
      failed = false;
    } catch (thrown) {
      if (!failed) log.warn({ reason: messageOf(thrown) }, 'requests are not stored for the dashboard');
      failed = true;
    }
  }

  function write(): Promise<void> {
    writing ??= writeBatch().finally(() => {
      writing = undefined;
      schedule();
    });
    return writing;
  }

  function schedule(): void {
    if (waiting.count() === 0 || writing || timer) return;
    timer = after(realClock, load.begin(), () => {
      timer = undefined;
      load.end();
      void write();
    });
  }

  async function flush(): Promise<void> {
    await writing;
    // Those that arrive meanwhile are not waited for.
    const least = old.isDueAtOnce() ? 1 : 0;
    for (let batches = Math.max(least, Math.ceil(waiting.count() / BATCH)); batches > 0; batches -= 1)
      await write();
  }

  return {
    newId,
    takes: (status) => status === null || status >= 400 || load.takes(),
    add(request) {
      waiting.add(request);
      load.add();
      schedule();
    },
    flush,
    clear() {
      waiting.take(waiting.count());
      old.reset();
    },
    expiredBeforeMs: old.expiredBeforeMs,
    idle: () => writing === undefined,
    async stop() {
      await flush();
      timer?.cancel();
    },
  };
}
