import { after, type Clock, type Timer } from '../../../protocol/clock.ts';
import { DELIVERY_JOB } from '../outbox/delivery-jobs.ts';
import type { Job } from '../scheduler/jobs.ts';

/** How long an advance of the clock waits for webhook endpoints, real time: less than a request waits for its reply. */
const DELIVERIES_WAIT_MS = 9_000;

/**
 * How long it waits for deliveries that were under way when it was called. The caller may be the endpoint of one of them,
 * which then answers only after the advance.
 */
const IN_PROGRESS_WAIT_MS = 1_000;

/** For which deliveries an advance of the clock waits, and for how long. */
export interface DeliveryPatience {
  /** Begins a wait of `DELIVERIES_WAIT_MS`, shorter for the deliveries that are under way. */
  begin(inProgress: readonly Pick<Job, 'seq'>[]): void;
  /** Whether it still waits for deliveries that begin. */
  lasts(): boolean;
  /** Whether it waits for this job: always, unless it delivers webhooks. */
  isAwaited(job: Pick<Job, 'seq' | 'kind'>): boolean;
  /** Forgets all. */
  end(): void;
}

/** @param onEnd called when a wait is over */
export function createDeliveryPatience(realClock: Clock, onEnd: () => void): DeliveryPatience {
  const timers = new Set<Timer>();
  const inProgressUntil = new Map<number, number>();
  let untilMs = -Infinity;

  function callAfter(delayMs: number): void {
    const timer = after(realClock, delayMs, () => {
      timers.delete(timer);
      onEnd();
    });
    timers.add(timer);
  }

  return {
    begin(inProgress) {
      const nowMs = realClock.nowMs();
      untilMs = nowMs + DELIVERIES_WAIT_MS;
      callAfter(DELIVERIES_WAIT_MS);
      for (const { seq } of inProgress)
        inProgressUntil.set(seq, Math.min(inProgressUntil.get(seq) ?? Infinity, nowMs + IN_PROGRESS_WAIT_MS));
      if (inProgress.length > 0) callAfter(IN_PROGRESS_WAIT_MS);
    },
    lasts: () => realClock.nowMs() < untilMs,
    isAwaited: ({ seq, kind }) =>
      kind !== DELIVERY_JOB || realClock.nowMs() < Math.min(untilMs, inProgressUntil.get(seq) ?? Infinity),
    end() {
      for (const timer of timers) timer.cancel();
      timers.clear();
      inProgressUntil.clear();
    },
  };
}
