import { after, type Clock, type Timer } from '../../../protocol/clock.ts';
import { messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import type { Store } from './store.ts';

/** How often a store that refused a write is tried again, real time. */
const TRY_AGAIN_MS = 2_000;

/** How long the outcome of one health check is reused, real time, so that frequent checks cost few writes. */
const CHECK_VALID_MS = 1_000;

export interface StoreWatchParts {
  store: Store;
  /** Wall time. */
  realClock: Clock;
  log: Log;
  /** What to do when only a new process could make the store writable again; nothing unless given. */
  whenLost?: { afterMs: number; run(reason: string): void } | undefined;
}

interface StoreWatch {
  start(): void;
  stop(): void;
}

/**
 * Follows a store through trouble with writing: tries again until a write succeeds, which ends the trouble of a disk
 * that was full, and gives up after `whenLost.afterMs` when only a new process could help.
 */
export function watchStore({ store, realClock, log, whenLost }: StoreWatchParts): StoreWatch {
  let timer: Timer | undefined;
  let lastingSinceMs: number | undefined;
  let stopped = true;

  function wait(): void {
    timer?.cancel();
    if (!stopped) timer = after(realClock, TRY_AGAIN_MS, () => void check());
  }

  async function check(): Promise<void> {
    const problem = await tryWriting(store, realClock);
    if (stopped) return;
    if (problem === undefined) return ended();
    wait();
    if (!store.trouble?.current()?.lasting) {
      lastingSinceMs = undefined;
      return;
    }
    lastingSinceMs ??= realClock.nowMs();
    if (!whenLost || realClock.nowMs() - lastingSinceMs < whenLost.afterMs) return;
    timer?.cancel();
    log.fatal({ reason: problem }, 'the store could not recover');
    whenLost.run(problem);
  }

  function ended(): void {
    lastingSinceMs = undefined;
    log.warn('the store can write again');
  }

  store.trouble?.onBegin(() => {
    const { reason, lasting } = store.trouble!.current()!;
    if (lasting) lastingSinceMs = realClock.nowMs();
    log.error({ reason }, 'the store cannot write');
    wait();
  });
  return {
    start() {
      stopped = false;
      if (store.trouble?.current()) wait();
    },
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}

/**
 * Checks by a write of its own whether the store can be written to.
 * @returns a function that resolves to the reason why not, or undefined
 */
export function createStoreCheck(store: Store, realClock: Clock): () => Promise<string | undefined> {
  let last: { atMs: number; outcome: Promise<string | undefined> } | undefined;
  return () => {
    const nowMs = realClock.nowMs();
    const valid = last !== undefined && nowMs - last.atMs < CHECK_VALID_MS;
    const trouble = store.trouble?.current();
    if (trouble && (valid || trouble.lasting)) return Promise.resolve(trouble.reason);
    // A write would wait as long as the copy takes: of a large store longer than a proxy waits.
    if (store.isBeingCopied?.()) return Promise.resolve(trouble?.reason);
    if (!last || !valid) last = { atMs: nowMs, outcome: tryWriting(store, realClock) };
    return last.outcome;
  };
}

async function tryWriting(store: Store, realClock: Clock): Promise<string | undefined> {
  try {
    await store.run(
      `INSERT INTO settings (name, value) VALUES ('last_write_check_ms', ?)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      String(realClock.nowMs()),
    );
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}
