import { after, type Timer } from '../../../protocol/clock.ts';
import { messageOf } from '../../../protocol/failures.ts';
import type { Ids } from '../../../protocol/ids.ts';
import type { Services } from '../services.ts';
import type { RequestLogLimits } from '../settings.ts';
import type { FinishedRequest, RequestLog } from '../finished-request.ts';
import { maskedRequest } from './masked-request.ts';
import { deleteRequestsBefore, insertRequests } from './request.records.ts';

// At most a thousand requests a second, so that a server under load has time for its callers.
const BATCH = 100;
const EVERY_MS = 100;
/** Characters of the requests that wait. */
const WAITING_CHARACTERS_MAX = 32_000_000;
const DAY_MS = 86_400_000;
const EXPIRY_EVERY_MS = 3_600_000;

/** Returns how much memory a request takes while it waits to be stored, in characters. */
function sizeOf({ body, answer }: FinishedRequest): number {
  return (typeof body === 'string' ? body.length : 0) + (answer?.length ?? 0);
}

type Parts = Pick<Services, 'log' | 'realClock' | 'store'> & {
  /** Creates the ids of the requests. */
  ids: Pick<Ids, 'make'>;
  limits: RequestLogLimits;
};

/**
 * Creates the log of one sandbox. Under more load than it can store, the oldest requests that wait are left out: with
 * `countMax` newer ones they would be deleted soon.
 */
export function createRequestLog({ ids, limits, log, realClock, store }: Parts): RequestLog {
  const waiting: FinishedRequest[] = [];
  let waitingCharacters = 0;
  let timer: Timer | undefined;
  let writing: Promise<void> | undefined;
  let expiredAtMs = -Infinity;
  let failed = false;

  const expiredBeforeMs = () => realClock.nowMs() - limits.days * DAY_MS;

  function take(count: number): FinishedRequest[] {
    const taken = waiting.splice(0, count);
    for (const request of taken) waitingCharacters -= sizeOf(request);
    return taken;
  }

  async function writeBatch(): Promise<void> {
    const nowMs = realClock.nowMs();
    const rows = take(BATCH).map((request) => maskedRequest(ids.make('request'), request));
    try {
      await store.transaction((tx) => insertRequests(tx, store.engine, rows, limits.countMax));
      if (nowMs - expiredAtMs >= EXPIRY_EVERY_MS) {
        await deleteRequestsBefore(store, expiredBeforeMs());
        expiredAtMs = nowMs;
      }
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
    if (waiting.length === 0 || writing || timer) return;
    timer = after(realClock, EVERY_MS, () => {
      timer = undefined;
      void write();
    });
  }

  async function flush(): Promise<void> {
    await writing;
    // Those that arrive meanwhile are not waited for.
    for (let batches = Math.ceil(waiting.length / BATCH); batches > 0; batches -= 1) await write();
  }

  return {
    add(request) {
      waiting.push(request);
      waitingCharacters += sizeOf(request);
      if (waiting.length > limits.countMax) take(waiting.length - limits.countMax);
      while (waitingCharacters > WAITING_CHARACTERS_MAX && waiting.length > 1) take(1);
      schedule();
    },
    flush,
    clear: () => void take(waiting.length),
    expiredBeforeMs,
    idle: () => writing === undefined,
    async stop() {
      await flush();
      timer?.cancel();
    },
  };
}
