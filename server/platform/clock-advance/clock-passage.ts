import { after, delay, type Timer } from '../../../protocol/clock.ts';
import { messageOf } from '../../../protocol/failures.ts';
import { createCountedLog } from '../../../protocol/log.ts';
import { DELIVERY_JOB } from '../outbox/delivery-jobs.ts';
import { raiseClockOffset, type HoldableClock } from '../sandbox-clock.ts';
import type { Job } from '../scheduler/jobs.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import type { Services } from '../services.ts';
import { createDeliveryPatience, type DeliveryPatience } from './delivery-patience.ts';
import { listClaimed, listDue, nextDueOf } from './due-jobs.records.ts';

/** How long to wait after the store failed, real time. */
const STORE_RETRY_MS = 1_000;

/** How often to look for the end of jobs that another instance runs, real time. */
const POLL_EVERY_MS = 20;

// Terminals have timers of their own, which the server does not know. While one works on an action, the clock moves on by
// little, and they have some real time for what they do then.
const TERMINALS_STEP_MS = 5_000;
const TERMINALS_PAUSE_MS = 20;

/** What a passage needs of the scheduler. */
type PassageJobs = Pick<
  Scheduler,
  'isClaiming' | 'held' | 'kinds' | 'nextDueMs' | 'onProgress' | 'checkAgain'
>;

export interface PassageParts extends Pick<
  Services,
  'gateway' | 'log' | 'activities' | 'realClock' | 'store'
> {
  clock: HoldableClock;
  jobs: PassageJobs;
  /** Whether other instances work on the store. */
  sharedStore: boolean;
  /** Kind of the jobs of which there is one for each action that a terminal works on. */
  actionJob: string;
}

/** Moves the clock through every instant at which a job is due. */
export class ClockPassage {
  readonly #parts: PassageParts;
  readonly #progress = createSignal();
  readonly #patience: DeliveryPatience;
  #targetMs = -Infinity;
  #passing: Promise<void> | undefined;
  #waits = 0;
  #stopped = false;

  constructor(parts: PassageParts) {
    this.#parts = parts;
    this.#patience = createDeliveryPatience(parts.realClock, this.#progress.emit);
    parts.jobs.onProgress(this.#progress.emit);
  }

  /** Whether the clock is moved. */
  get isInProgress(): boolean {
    return this.#passing !== undefined;
  }

  /** Whether it waits for real time to pass, or for jobs under way. */
  get isWaiting(): boolean {
    return this.#waits > 0;
  }

  /**
   * Moves the clock on until it has this offset. Resolves when it has, and what was due is done: all jobs, and the
   * deliveries that a `DeliveryPatience` waits for.
   */
  async to(offsetMs: number): Promise<void> {
    const { sharedStore, store } = this.#parts;
    this.#targetMs = Math.max(this.#targetMs, offsetMs);
    const inProgress = sharedStore ? await listClaimed(store, DELIVERY_JOB) : this.#deliveries();
    this.#patience.begin(inProgress);
    this.#progress.emit();
    await (this.#passing ??= this.#passAll());
    // Another advance may have ended the wait for them.
    const begun = new Set(inProgress.map(({ seq }) => seq));
    const left = new Set(this.#deliveries().flatMap(({ seq }) => (begun.has(seq) ? [] : [seq])));
    while (!this.#stopped && this.#deliveries().some(({ seq }) => left.has(seq))) await this.#progress.next();
  }

  #deliveries(): Job[] {
    return this.#parts.jobs.held().filter(({ kind }) => kind === DELIVERY_JOB);
  }

  /** Ends at the instant at which the clock stands. What is left is passed after the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#progress.emit();
    await this.#passing;
  }

  async #passAll(): Promise<void> {
    const { clock, realClock } = this.#parts;
    const log = createCountedLog({ log: this.#parts.log, clock: realClock });
    clock.standAt(clock.nowMs());
    try {
      for (let ended = false; !ended;) {
        ended = await this.#pass().catch(async (thrown: unknown) => {
          log.warn({ reason: messageOf(thrown) }, 'the clock could not be advanced yet');
          await this.#pause(STORE_RETRY_MS);
          return this.#stopped;
        });
      }
    } finally {
      this.#patience.end();
      this.#passing = undefined;
    }
  }

  /** Passes the next instant, or ends at the target. Returns whether it has ended. */
  async #pass(): Promise<boolean> {
    const { clock, gateway, activities, realClock } = this.#parts;
    await this.#settled();
    if (this.#stopped) return true;
    const offsetMs = this.#targetMs;
    const nextMs = await this.#nextInstant();
    if (nextMs <= realClock.nowMs() + offsetMs) {
      await this.#moveTo(nextMs);
      return false;
    }
    await this.#storeOffset(offsetMs);
    clock.goOn(offsetMs);
    gateway.publishClock(offsetMs);
    activities.emit({ kind: 'clock.advanced', offsetMs });
    if (offsetMs >= this.#targetMs) return true;
    clock.standAt(clock.nowMs());
    return false;
  }

  /** Resolves when what is due at this instant is done. */
  async #settled(): Promise<void> {
    const { clock, jobs, sharedStore, store } = this.#parts;
    while (!this.#stopped) {
      if (jobs.isClaiming() || jobs.held().some(this.#patience.isAwaited)) {
        await this.#waitFor(this.#progress.next());
        continue;
      }
      if (!sharedStore) return;
      const due = await listDue(store, jobs.kinds(), clock.nowMs());
      if (!due.some(this.#patience.isAwaited)) return;
      jobs.checkAgain();
      await this.#pause(POLL_EVERY_MS);
    }
  }

  /** Returns the next instant at which the clock has to stand. */
  async #nextInstant(): Promise<number> {
    const { clock, jobs, sharedStore, store } = this.#parts;
    const nowMs = clock.nowMs();
    const isStop = (kind: string) => kind !== DELIVERY_JOB || this.#patience.lasts();
    const stepMs = this.#hasTerminalAtWork() ? nowMs + TERMINALS_STEP_MS : Infinity;
    const othersMs = sharedStore ? await nextDueOf(store, jobs.kinds().filter(isStop), nowMs) : Infinity;
    return Math.min(jobs.nextDueMs(isStop), othersMs, stepMs);
  }

  async #moveTo(instantMs: number): Promise<void> {
    const { clock, gateway, realClock } = this.#parts;
    // Due, but its kind has no free slot.
    if (instantMs <= clock.nowMs()) return this.#pause(POLL_EVERY_MS);
    await this.#storeOffset(instantMs - realClock.nowMs());
    clock.standAt(instantMs);
    if (!this.#hasTerminalAtWork()) return;
    gateway.publishClock(clock.offsetMs);
    await this.#waitFor(delay(realClock, TERMINALS_PAUSE_MS));
  }

  #hasTerminalAtWork(): boolean {
    const { actionJob, jobs } = this.#parts;
    return jobs.nextDueMs((kind) => kind === actionJob) < Infinity;
  }

  #storeOffset(offsetMs: number): Promise<void> {
    return this.#parts.store.transaction((tx) => raiseClockOffset(tx, offsetMs), {
      delayedDurability: true,
      serializable: 'sandboxClock',
    });
  }

  /** Waits for real time to pass, or for progress. */
  async #pause(ms: number): Promise<void> {
    let timer!: Timer;
    const passed = new Promise<void>((resolve) => (timer = after(this.#parts.realClock, ms, resolve)));
    await this.#waitFor(Promise.race([passed, this.#progress.next()]));
    timer.cancel();
  }

  async #waitFor(happening: Promise<void>): Promise<void> {
    this.#waits += 1;
    await happening;
    this.#waits -= 1;
  }
}

/** Something that happens now and then. */
function createSignal() {
  let waiting: (() => void)[] = [];
  return {
    emit(): void {
      const resolvers = waiting;
      waiting = [];
      for (const resolve of resolvers) resolve();
    },
    /** Resolves when it happens next. */
    next: () => new Promise<void>((resolve) => waiting.push(resolve)),
  };
}
