import { after, type Clock, type Timer } from '../../../protocol/clock.ts';
import { messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import type { Store, Transaction } from '../store/store.ts';
import {
  claimDue,
  claimNextOf,
  freeAll,
  freeExpired,
  freeOwned,
  listQueues,
  nextDueMs,
  renewClaims,
  type Claimer,
} from './job.records.ts';
import type { Job, JobRequest } from './jobs.ts';
import { createLanes, type Lane } from './lanes.ts';
import type { Runner } from './runner.ts';

// An instance that died is taken for dead after ten seconds of real time; one that lives says so twice in that
// time, and one that only slept so long finds its job gone when it would end it.
const LEASE_MS = 10_000;
const RENEW_MS = 4_000;

/** How long to wait after the store failed. */
const STORE_RETRY_MS = 1_000;

interface ClaimsOptions {
  store: Store;
  /** When jobs are due. */
  clock: Clock;
  /** How long an instance has not been heard of, and when to look for what others left. */
  realClock: Clock;
  log: Log;
  owner: string;
  soleOwner: boolean;
  pollMs: number;
  runner: Runner;
}

/**
 * Finds out when what falls due, claims it for this instance and hands it to the runner. It knows the next
 * instant by itself: from every job added here, and from each look at the table; nothing is asked in between.
 */
export class Claims {
  readonly #options: ClaimsOptions;
  readonly #lanes = createLanes();
  #phase: 'new' | 'starting' | 'running' | 'stopped' = 'new';
  #pass: Promise<void> | undefined;
  #wakeTimer: { atMs: number; timer: Timer } | undefined;
  #otherTimer: Timer | undefined;
  #pollWanted = false;
  #queuesWanted = false;
  #renewedMs = 0;
  // Subjects behind whose claimed job others may wait that are due already, and those whose turn it is now.
  readonly #followed = new Set<string>();
  readonly #wanted = new Set<string>();

  constructor(options: ClaimsOptions) {
    this.#options = options;
  }

  get idle(): boolean {
    return this.#phase !== 'starting' && this.#pass === undefined;
  }

  claimer(): Claimer {
    const { clock, owner, realClock } = this.#options;
    return { owner, nowMs: clock.nowMs(), untilMs: realClock.nowMs() + LEASE_MS };
  }

  /** From now on jobs of this kind are done here. */
  addKind(kind: string, { hasQueues }: { hasQueues: boolean }): void {
    this.#lanes.addKind(kind, hasQueues);
    if (hasQueues) this.#queuesWanted = true;
    this.#wake();
  }

  /** Whether a job that is being added now could begin at once. */
  mayClaim({ kind, queue = '', subject }: JobRequest): boolean {
    const { runner } = this.#options;
    const open = this.#phase === 'running' && this.#lanes.does(kind);
    return open && runner.room({ kind, queue }) > 0 && !runner.holdsSubject(subject);
  }

  /** A job was committed that nobody has claimed. */
  noteWaiting({ kind, queue = '', subject, dueMs }: JobRequest): void {
    const { clock, runner } = this.#options;
    if (dueMs <= clock.nowMs() && runner.holdsSubject(subject)) return this.noteFollowers(subject);
    if (this.#lanes.lookAt({ kind, queue }, dueMs)) this.#wake();
  }

  /** Others may wait behind the job of this subject that is held now. */
  noteFollowers(subject: string): void {
    this.#followed.add(subject);
  }

  /**
   * In the transaction that ends `job`: claims the one that waits behind it, if there may be one, so that a
   * queue of one subject costs no transactions of its own. Where room is short, others may be due for longer.
   */
  async claimFollower(tx: Transaction, job: Job): Promise<void> {
    const { subject } = job;
    if (this.#phase !== 'running' || !this.#followed.has(subject)) return;
    if (this.#lanes.hasBacklog(job) && this.#options.runner.room(job) === 0) return;
    const next = await claimNextOf(tx, subject, this.#lanes.kinds(), this.claimer());
    tx.afterCommit(() => {
      if (next) this.#options.runner.take([next]);
      else this.#followed.delete(subject);
    });
  }

  /** Claims what waits behind the job that ended; where room is short, whoever is due for longest comes first. */
  ended(job: Job): void {
    const { runner } = this.#options;
    const { kind, subject } = job;
    const backlog = this.#lanes.hasBacklog(job);
    this.#lanes.lookAtBacklogs(kind);
    if (!runner.holdsSubject(subject) && this.#followed.delete(subject) && !backlog)
      this.#wanted.add(subject);
    this.#wake();
  }

  start(): void {
    if (this.#phase !== 'new') return;
    this.#phase = 'starting';
    this.#pass = this.#takeOver().finally(() => {
      this.#pass = undefined;
      this.#wake();
    });
  }

  /** Stops looking. */
  async stop(): Promise<void> {
    this.#phase = 'stopped';
    this.#wakeTimer?.timer.cancel();
    this.#otherTimer?.cancel();
    await this.#pass;
  }

  /** Gives back what is claimed and will not begin. */
  async release(): Promise<void> {
    try {
      await freeOwned(this.#options.store, this.#options.owner);
    } catch (thrown) {
      this.#options.log.warn({ reason: messageOf(thrown) }, 'claimed jobs could not be given back');
    }
  }

  /** What this instance had claimed when it last ended, or any had where there are no others, is free again. */
  async #takeOver(): Promise<void> {
    const { store, realClock, log, owner, soleOwner } = this.#options;
    try {
      await (soleOwner ? freeAll(store) : freeOwned(store, owner));
    } catch (thrown) {
      log.error({ reason: messageOf(thrown) }, 'jobs cannot start yet');
      if (this.#phase === 'starting') this.#phase = 'new';
      else return;
      this.#otherTimer = after(realClock, STORE_RETRY_MS, () => this.start());
      return;
    }
    if (this.#phase !== 'starting') return;
    this.#phase = 'running';
    if (!soleOwner) this.#poll();
  }

  /**
   * Looks for what other instances added, and left. On real time: sandbox time may leap over a year in a moment, and
   * this instance knows by itself what of its own falls due on the way.
   */
  #poll(): void {
    this.#pollWanted = true;
    this.#queuesWanted = true;
    this.#lanes.lookAtKinds();
    this.#otherTimer = after(this.#options.realClock, this.#options.pollMs, () => this.#poll());
    this.#wake();
  }

  #wake(): void {
    if (this.#phase !== 'running' || this.#pass) return;
    const nowMs = this.#options.clock.nowMs();
    const lanes = this.#lanesWithRoom();
    const { room } = this.#options.runner;
    // Of lanes that are due alike, the one that holds least comes first.
    const due = lanes
      .filter((lane) => lane.dueMs <= nowMs)
      .sort((a, b) => a.dueMs - b.dueMs || room(b) - room(a));
    if (due.length === 0 && this.#wanted.size === 0 && !this.#pollWanted && !this.#queuesWanted) {
      return this.#wakeAt(Math.min(...lanes.map((lane) => lane.dueMs)));
    }
    this.#pass = this.#claim(due).finally(() => {
      this.#pass = undefined;
      this.#wake();
    });
  }

  /** A lane without room is looked after when one of its jobs ends. */
  #lanesWithRoom(): Lane[] {
    return this.#lanes.all().filter((lane) => this.#options.runner.room(lane) > 0);
  }

  #wakeAt(atMs: number): void {
    if (this.#wakeTimer?.atMs === atMs) return;
    this.#wakeTimer?.timer.cancel();
    this.#wakeTimer = undefined;
    if (atMs === Infinity) return;
    const timer = this.#options.clock.at(atMs, () => {
      this.#wakeTimer = undefined;
      this.#wake();
    });
    this.#wakeTimer = { atMs, timer };
  }

  async #claim(lanes: readonly Lane[]): Promise<void> {
    const { store, log } = this.#options;
    const subjects = [...this.#wanted];
    const polling = this.#pollWanted;
    const seeking = this.#queuesWanted;
    this.#wanted.clear();
    this.#pollWanted = false;
    this.#queuesWanted = false;
    // What is noted from here on lowers it again: a look does not see what commits during it.
    for (const lane of lanes) lane.dueMs = Infinity;
    const by = this.claimer();
    try {
      await store.transaction(async (tx) => {
        if (polling) await this.#renewAndFree(tx, by);
        if (seeking) await this.#findQueues(tx);
        await this.#claimFollowers(tx, subjects, by);
        await this.#claimLanes(tx, lanes, by);
      });
    } catch (thrown) {
      log.warn({ reason: messageOf(thrown) }, 'due jobs could not be claimed');
      for (const lane of this.#lanes.all()) lane.dueMs = Math.min(lane.dueMs, by.nowMs + STORE_RETRY_MS);
      this.#queuesWanted ||= seeking;
    }
  }

  /** In this order: an instance that slept must not lose what it is doing. */
  async #renewAndFree(tx: Transaction, by: Claimer): Promise<void> {
    const nowMs = this.#options.realClock.nowMs();
    if (nowMs - this.#renewedMs >= RENEW_MS) {
      const seqs = this.#options.runner.held().map(({ seq }) => seq);
      await renewClaims(tx, seqs, by);
      tx.afterCommit(() => (this.#renewedMs = nowMs));
    }
    await freeExpired(tx, nowMs);
  }

  /** Queues that this instance has no lane for yet: filled before its start, or by another instance. */
  async #findQueues(tx: Transaction): Promise<void> {
    for (const kind of this.#lanes.kindsWithQueues()) {
      const found = await listQueues(tx, kind);
      tx.afterCommit(() => {
        for (const { queue, due_ms: dueMs } of found) this.#lanes.lookAt({ kind, queue }, dueMs);
      });
    }
  }

  async #claimFollowers(tx: Transaction, subjects: readonly string[], by: Claimer): Promise<void> {
    const kinds = this.#lanes.kinds();
    for (const subject of subjects) {
      const next = await claimNextOf(tx, subject, kinds, by);
      if (!next) continue;
      tx.afterCommit(() => {
        this.#options.runner.take([next]);
        this.#followed.add(subject);
      });
    }
  }

  async #claimLanes(tx: Transaction, lanes: readonly Lane[], by: Claimer): Promise<void> {
    const { runner } = this.#options;
    const claimed: Job[] = [];
    for (const lane of lanes) {
      const taken = claimed.filter(({ kind }) => kind === lane.kind).length;
      const limit = runner.room(lane, taken);
      const jobs = limit > 0 ? await claimDue(tx, lane, limit, by) : [];
      const dueMs = await nextDueMs(tx, lane, by.nowMs);
      claimed.push(...jobs);
      tx.afterCommit(() => {
        lane.backlog = jobs.length === limit;
        lane.dueMs = Math.min(lane.dueMs, dueMs);
      });
    }
    claimed.sort((a, b) => a.dueMs - b.dueMs || a.seq - b.seq);
    tx.afterCommit(() => {
      runner.take(claimed);
      // Of each subject one was claimed at most; whether more of it are due shows when that one ends.
      if (lanes.length > 0) for (const { subject } of runner.held()) this.#followed.add(subject);
    });
  }
}
