import { after, LATEST_MS, type Timer } from '../../../protocol/clock.ts';
import type { AdvancedClock, ClockAdvances } from '../clock-advances.ts';
import { Refusal } from '../http/refusals.ts';
import { syncClock } from '../instances/other-instances.ts';
import { isHoldable, raiseClockOffset, raiseClockTarget, readClockTarget } from '../sandbox-clock.ts';
import type { Services } from '../services.ts';
import { ClockPassage, type PassageParts } from './clock-passage.ts';
import { countPending } from './due-jobs.records.ts';

/** How long an advance waits until what is due is done, real time. */
const ANSWER_MS = 10_000;

type Parts = Pick<Services, 'clock' | 'gateway' | 'log' | 'activities' | 'realClock' | 'store'>;

const CLOCK_OPTIONS = { serializable: 'sandboxClock' } as const;

interface PassingParts extends Pick<PassageParts, 'jobs' | 'sharedStore' | 'actionJob'> {
  /** Resolves once the other servers on the store have taken over an offset. */
  othersFollow?: ((offsetMs: number) => Promise<void>) | undefined;
}

/** @param passing what is needed for a clock that can stand still */
export function createClockAdvances(services: Parts, passing?: PassingParts): ClockAdvances {
  const { clock, realClock, store } = services;
  const passage =
    isHoldable(clock) && passing ? new ClockPassage({ ...services, ...passing, clock }) : undefined;
  let targetMs = -Infinity;
  let openCalls = 0;

  async function now(): Promise<AdvancedClock> {
    const nowMs = clock.nowMs();
    const untilMs = passage?.isInProgress ? realClock.nowMs() + targetMs : nowMs;
    return { nowMs, offsetMs: clock.offsetMs, pending: await countPending(store, Math.max(nowMs, untilMs)) };
  }

  async function advance(byMs: number): Promise<AdvancedClock> {
    await syncClock(services);
    if (passage) await advanceRunning(passage, byMs);
    else await advanceVirtual(byMs);
    return now();
  }

  async function advanceRunning(running: ClockPassage, byMs: number): Promise<void> {
    const raisedMs = await store.transaction(async (tx) => {
      const raised = await raiseClockTarget(tx, clock.offsetMs, byMs);
      refuseTooLate(realClock.nowMs() + raised);
      return raised;
    }, CLOCK_OPTIONS);
    targetMs = Math.max(targetMs, raisedMs);
    let timer!: Timer;
    const tooLong = new Promise<void>((resolve) => (timer = after(realClock, ANSWER_MS, resolve)));
    const passed = running.to(raisedMs).then(() => passing?.othersFollow?.(raisedMs));
    await Promise.race([passed, tooLong]);
    timer.cancel();
  }

  /** The clock of a test world stops at each instant by itself. */
  async function advanceVirtual(byMs: number): Promise<void> {
    const { gateway, activities } = services;
    refuseTooLate(clock.nowMs() + byMs);
    const currentMs = clock.offsetMs;
    const raisedMs = await store.transaction(async (tx) => {
      const raised = await raiseClockTarget(tx, currentMs, byMs);
      await raiseClockOffset(tx, raised);
      return raised;
    }, CLOCK_OPTIONS);
    const passed = clock.setOffset(raisedMs);
    gateway.publishClock(raisedMs);
    activities.emit({ kind: 'clock.advanced', offsetMs: raisedMs });
    await passed;
  }

  return {
    now,
    async advance(byMs) {
      openCalls += 1;
      try {
        return await advance(byMs);
      } finally {
        openCalls -= 1;
      }
    },
    get openCalls() {
      return openCalls;
    },
    async start() {
      const storedMs = await readClockTarget(store);
      if (!passage || storedMs <= clock.offsetMs) return;
      targetMs = storedMs;
      void passage.to(storedMs);
    },
    isInProgress: () => passage?.isInProgress ?? false,
    isWaiting: () => passage?.isWaiting ?? false,
    stop: async () => passage?.stop(),
  };
}

function refuseTooLate(instantMs: number): void {
  if (instantMs <= LATEST_MS) return;
  throw new Refusal('invalid_field', { field: 'seconds', problem: 'must not lead past the year 9998' });
}
