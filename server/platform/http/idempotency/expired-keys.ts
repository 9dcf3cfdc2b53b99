import { after, type Timer } from '../../../../protocol/clock.ts';
import { messageOf } from '../../../../protocol/failures.ts';
import type { Services } from '../../services.ts';
import { deleteAllClaims, deleteExpiredKeys } from './idempotency-key.records.ts';

/** Soon after the start, and then every hour of real time. */
const FIRST_MS = 60_000;
const EVERY_MS = 60 * 60 * 1000;

/** Deletes idempotency keys that have expired, as long as the sandbox runs. */
export function createKeyExpiry({ log, realClock, store }: Pick<Services, 'log' | 'realClock' | 'store'>) {
  let timer: Timer | undefined;
  let deletion: Promise<void> | undefined;
  let stopped = false;

  function wait(ms: number): void {
    if (stopped) return;
    timer = after(realClock, ms, () => {
      deletion = deleteAll().finally(() => {
        deletion = undefined;
        wait(EVERY_MS);
      });
    });
  }

  async function deleteAll(): Promise<void> {
    try {
      while (!stopped && (await deleteExpiredKeys(store, realClock.nowMs())));
    } catch (thrown) {
      log.warn({ reason: messageOf(thrown) }, 'expired idempotency keys are still there');
    }
  }

  return {
    /** @param sharedStore whether requests of other servers may be under way */
    async start(sharedStore: boolean): Promise<void> {
      if (!sharedStore) await deleteAllClaims(store);
      wait(FIRST_MS);
    },
    /** Whether nothing is being deleted. */
    idle: () => deletion === undefined,
    async stop(): Promise<void> {
      stopped = true;
      timer?.cancel();
      await deletion;
    },
  };
}
