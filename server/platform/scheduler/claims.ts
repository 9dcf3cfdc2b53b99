import { after, type Timer } from '../../../protocol/clock.ts';
import { messageOf } from '../../../protocol/failures.ts';
import { createCountedLog } from '../../../protocol/log.ts';
import type { Transaction } from '../store/store.ts';
import { releaseAllClaims, releaseClaimsOf } from './claim-lease.records.ts';
import { claimDue, claimOfKey, claiming, listQueues, nextDueMs, type ClaimOwner } from './job.records.ts';
import type { ClaimsOptions } from './claims-options.ts';
import type { Job, JobRequest } from './jobs.ts';
import { lanesWithDue, type Lane, type Lanes } from './lanes.ts';
import { createLease } from './lease.ts';
import { createStoreRetry, type StoreRetry } from './store-retry.ts';
import { createAwaitedKeys, createSuccessorMarks } from './key-marks.ts';
import { createWakeTimer, type WakeTimer } from './wake-timer.ts';

/** Jobs of one key that are claimed at once, where one key may have several; they wait in memory. */
const SUCCESSORS_AT_ONCE = 32;

/**
 * Claims due jobs for this instance and hands them to the runner. It keeps the next due time in memory, from every
 * job added here and every read of the table, so it does not query in between.
 */
export class Claims {
  readonly #options: ClaimsOptions;
  readonly #lanes: Lanes;
  readonly #lease: ReturnType<typeof createLease>;
  #phase: 'new' | 'starting' | 'running' | 'stopped' = 'new';
  #claiming: Promise<void> | undefined;
  readonly #wakeTimer: WakeTimer;
  #pollTimer: Timer | undefined;
  #pollDue = false;
  #queueSearchDue = false;
  readonly #successors = createSuccessorMarks();
  readonly #awaited = createAwaitedKeys();
  // Keys whose next job may be claimed now.
  readonly #readyKeys = new Set<string>();
  readonly #countedLog: ReturnType<typeof createCountedLog>;
  readonly #retry: StoreRetry;

  constructor(options: ClaimsOptions) {
    this.#options = options;
    this.#lanes = options.lanes;
    this.#lease = createLease(options.realClock, options.store, options.runner);
    this.#wakeTimer = createWakeTimer(options.clock, () => this.#wake());
    this.#countedLog = createCountedLog({ log: options.log, clock: options.realClock });
    this.#retry = createStoreRetry(options.realClock);
  }

  get idle(): boolean {
    return this.#phase !== 'starting' && this.#claiming === undefined;
  }

  /** Looks for due jobs that other instances have added. */
  checkAgain(): void {
    this.#queueSearchDue = true;
    this.#lanes.checkKinds();
    this.#wake();
  }

  claimer(): ClaimOwner {
    const { clock, owner, claimsSuccessors } = this.#options;
    return { owner, nowMs: clock.nowMs(), untilMs: claimsSuccessors ? 0 : this.#lease.untilMs() };
  }

  /** Claims jobs of this kind from now on. */
  addKind(kind: string, { hasQueues }: { hasQueues: boolean }): void {
    this.#lanes.addKind(kind, hasQueues);
    if (hasQueues) this.#queueSearchDue = true;
    this.#wake();
  }

  /** Whether a job that is being added now could begin at once. */
  canClaim({ kind, queue = '', key, dueMs }: JobRequest): boolean {
    const { clock, runner, claimsSuccessors } = this.#options;
    const open = this.#phase === 'running' && this.#lanes.has(kind) && dueMs <= clock.nowMs();
    if (!open || runner.freeSlots({ kind, queue }) === 0 || this.#awaited.has(key)) return false;
    return runner.heldOfKey(key) === 0 || (claimsSuccessors && !this.#successors.has(key));
  }

  /** Whether a job that is postponed to this time stays claimed, so that it keeps its place among those of its key. */
  staysClaimed({ dueMs, key }: Job): boolean {
    const { claimsSuccessors, clock, runner } = this.#options;
    return claimsSuccessors && dueMs <= clock.nowMs() && runner.heldOfKey(key) > 1;
  }

  /** Schedules the claim of a job that was committed unclaimed. */
  scheduleClaim({ kind, queue = '', key, dueMs }: JobRequest): void {
    const { clock, runner } = this.#options;
    const isDue = dueMs <= clock.nowMs();
    if (isDue && runner.heldOfKey(key) > 0) return this.markSuccessors(key);
    if (isDue) this.#awaited.add(key);
    if (this.#lanes.scheduleCheck({ kind, queue }, dueMs)) this.#wake();
  }

  /** Marks that other jobs may be due behind the held job of this key. */
  markSuccessors(key: string): void {
    this.#successors.add(key);
  }

  /**
   * Claims what follows of the key in the transaction that ends `job`, so that a queue of one key costs no
   * transactions of its own.
   */
  async claimSuccessor(tx: Transaction, job: Job): Promise<void> {
    const { key } = job;
    const { runner } = this.#options;
    // The last claimed job of the key claims the next.
    if (!this.#successors.has(key) || runner.heldOfKey(key) > 1 || !this.mayClaimAfter(job)) return;
    // On PostgreSQL another job may be committed, and marked, after this query and before the effect of this commit.
    const removeMark = this.#successors.remover();
    const { jobs, hasMore } = await this.#claimOfKey(tx, key, this.claimer());
    tx.afterCommit(() => {
      runner.take(jobs);
      if (!hasMore) removeMark(key);
    });
  }

  /** Returns the function that removes the mark of a key, unless it has been marked again after this call. */
  successorRemover(): (key: string) => void {
    return this.#successors.remover();
  }

  /** Whether what follows a job that ends may be claimed with its end. Not when slots are short: other keys may have been due for longer. */
  mayClaimAfter(job: Job): boolean {
    const { runner } = this.#options;
    return this.#phase === 'running' && (!this.#lanes.hasBacklog(job) || runner.freeSlots(job) > 0);
  }

  /** Schedules the claim of the next job of the key; when slots are short, the job due for longest is first. */
  ended(job: Job): void {
    const { runner } = this.#options;
    const { kind, key } = job;
    const backlog = this.#lanes.hasBacklog(job);
    this.#lanes.checkBacklogs(kind);
    if (runner.heldOfKey(key) === 0 && this.#successors.delete(key)) {
      this.#awaited.add(key);
      if (!backlog) this.#readyKeys.add(key);
    }
    this.#wake();
    this.#options.onProgress();
  }

  start(): void {
    if (this.#phase !== 'new') return;
    this.#phase = 'starting';
    this.#claiming = this.#recoverClaims().finally(() => {
      this.#claiming = undefined;
      this.#wake();
    });
  }

  /** Stops claiming. */
  async stop(): Promise<void> {
    this.#phase = 'stopped';
    this.#wakeTimer.set(Infinity);
    this.#pollTimer?.cancel();
    this.#retry.cancel();
    await this.#claiming;
  }

  /** Frees the claimed jobs that will not begin. */
  async release(): Promise<void> {
    try {
      await releaseClaimsOf(this.#options.store, this.#options.owner);
    } catch (thrown) {
      this.#options.log.warn({ reason: messageOf(thrown) }, 'claimed jobs could not be freed');
    }
  }

  /** Frees the claims that this instance left when it last stopped; all claims when it is the sole owner. */
  async #recoverClaims(): Promise<void> {
    const { store, owner, soleOwner } = this.#options;
    try {
      await (soleOwner ? releaseAllClaims(store) : releaseClaimsOf(store, owner));
    } catch (thrown) {
      this.#countedLog.error({ reason: messageOf(thrown) }, 'jobs cannot start yet');
      if (this.#phase === 'starting') this.#phase = 'new';
      else return;
      this.#retry.later(() => this.start());
      return;
    }
    this.#retry.succeeded();
    if (this.#phase !== 'starting') return;
    this.#phase = 'running';
    if (!soleOwner) this.#poll();
  }

  /**
   * Checks for jobs that other instances added or left, by real time. Sandbox time may advance by a year at once, and
   * this instance already knows when its own jobs fall due.
   */
  #poll(): void {
    this.#pollDue = true;
    this.#pollTimer = after(this.#options.realClock, this.#options.pollMs, () => this.#poll());
    this.checkAgain();
  }

  #wake(): void {
    if (this.#phase !== 'running' || this.#claiming || this.#retry.waits) return;
    const nowMs = this.#options.clock.nowMs();
    const { freeSlots } = this.#options.runner;
    // A lane without free slots is checked when one of its jobs ends.
    const lanes = this.#lanes.all().filter((lane) => freeSlots(lane) > 0);
    // Of lanes due at the same time, the one with the most free slots is first.
    const due = lanes
      .filter((lane) => lane.dueMs <= nowMs)
      .sort((a, b) => a.dueMs - b.dueMs || freeSlots(b) - freeSlots(a));
    if (due.length === 0 && this.#readyKeys.size === 0 && !this.#pollDue && !this.#queueSearchDue) {
      return this.#wakeTimer.set(Math.min(...lanes.map((lane) => lane.dueMs)));
    }
    this.#claiming = this.#claim(due).finally(() => {
      this.#claiming = undefined;
      this.#wake();
      this.#options.onProgress();
    });
  }

  async #claim(lanes: readonly Lane[]): Promise<void> {
    const { store } = this.#options;
    const keys = [...this.#readyKeys];
    const polling = this.#pollDue;
    const searching = this.#queueSearchDue;
    this.#readyKeys.clear();
    this.#pollDue = false;
    this.#queueSearchDue = false;
    // Jobs committed during the query are not in its result; scheduling them lowers `dueMs` again.
    for (const lane of lanes) lane.dueMs = Infinity;
    const by = this.claimer();
    const endClaim = this.#awaited.beginClaim();
    try {
      await claiming(store, async (tx) => {
        if (polling) await this.#lease.renewAndFree(tx, by);
        if (searching) await this.#findQueues(tx);
        await this.#claimSuccessors(tx, keys, by);
        await this.#claimLanes(tx, lanes, by);
      });
      endClaim('claimed');
      this.#retry.succeeded();
    } catch (thrown) {
      this.#countedLog.warn({ reason: messageOf(thrown) }, 'due jobs could not be claimed');
      endClaim('failed');
      for (const lane of this.#lanes.all()) lane.dueMs = Math.min(lane.dueMs, by.nowMs);
      this.#queueSearchDue ||= searching;
      this.#pollDue ||= polling;
      this.#retry.later(() => this.#wake());
    }
  }

  /** Adds lanes for queues that were filled before the start of this instance, or by another one. */
  async #findQueues(tx: Transaction): Promise<void> {
    for (const kind of this.#lanes.kindsWithQueues()) {
      const found = await listQueues(tx, kind);
      tx.afterCommit(() => {
        for (const { queue, due_ms: dueMs } of found) this.#lanes.scheduleCheck({ kind, queue }, dueMs);
      });
    }
  }

  async #claimSuccessors(tx: Transaction, keys: readonly string[], by: ClaimOwner): Promise<void> {
    const { runner } = this.#options;
    for (const key of keys) {
      const { jobs } = await this.#claimOfKey(tx, key, by);
      tx.afterCommit(() => {
        runner.take(jobs);
        // Without jobs the key may have got a claimed one meanwhile, and others may be due behind it.
        if (runner.heldOfKey(key) > 0) this.#successors.add(key);
      });
    }
  }

  async #claimOfKey(tx: Transaction, key: string, by: ClaimOwner) {
    const limit = this.#options.claimsSuccessors ? SUCCESSORS_AT_ONCE : 1;
    const jobs = await claimOfKey(tx, key, { kinds: this.#lanes.kinds(), limit }, by);
    return { jobs, hasMore: jobs.length === limit };
  }

  async #claimLanes(tx: Transaction, lanes: readonly Lane[], by: ClaimOwner): Promise<void> {
    const { runner, store } = this.#options;
    const claimed: Job[] = [];
    const mayBeDue = store.engine === 'sqlite' ? lanes : await lanesWithDue(tx, this.#lanes, lanes, by.nowMs);
    for (const lane of mayBeDue) {
      const taken = claimed.filter(({ kind }) => kind === lane.kind).length;
      const limit = runner.freeSlots(lane, taken);
      // Together, since each is a round trip on PostgreSQL.
      const [jobs, dueMs] = await Promise.all([
        limit > 0 ? claimDue(tx, lane, limit, by) : [],
        nextDueMs(tx, lane, by.nowMs),
      ]);
      claimed.push(...jobs);
      tx.afterCommit(() => this.#lanes.settle(lane, { backlog: jobs.length === limit, dueMs }));
    }
    claimed.sort((a, b) => a.dueMs - b.dueMs || a.seq - b.seq);
    tx.afterCommit(() => {
      runner.take(claimed);
      // At most one job of a key was claimed; more may be due when it ends.
      if (lanes.length > 0) for (const { key } of runner.held()) this.#successors.add(key);
    });
  }
}
