import { after, type Clock, type Timer } from '../../../protocol/clock.ts';
import { messageOf } from '../../../protocol/failures.ts';
import { createCountedLog, type Log } from '../../../protocol/log.ts';
import type { Queries } from './store.ts';

/** How often the clock of the database is read, real time. */
const READ_EVERY_MS = 10_000;

/** Of so many readings the one that took least is used: the database read its clock at some instant of it. */
const READINGS = 3;

/** From this difference on, the clock of this machine is worth a warning. */
const WARN_MS = 1_000;

/**
 * The time of another clock that is read now and then, and between two readings counted by a clock of this machine. It never
 * goes back: where a reading shows that it was ahead, it goes at half the speed until the other one has caught up.
 */
export class FollowingClock implements Clock {
  readonly #counter: Clock;
  /** What the other clock is ahead of the counter. */
  #aheadMs: number;
  #last: { countedMs: number; timeMs: number };
  readonly #armed = new Set<() => void>();

  /** @param aheadMs as for `follow` */
  constructor(counter: Clock, aheadMs: number) {
    const countedMs = counter.nowMs();
    this.#counter = counter;
    this.#aheadMs = aheadMs;
    this.#last = { countedMs, timeMs: countedMs + aheadMs };
  }

  nowMs(): number {
    const countedMs = this.#counter.nowMs();
    const leastMs = this.#last.timeMs + (countedMs - this.#last.countedMs) / 2;
    const timeMs = Math.max(leastMs, countedMs + this.#aheadMs);
    this.#last = { countedMs, timeMs };
    return Math.floor(timeMs);
  }

  /** Sets by how much the other clock is ahead of the counter, as it was read. */
  follow(aheadMs: number): void {
    this.#aheadMs = aheadMs;
    for (const arm of this.#armed) arm();
  }

  at(atMs: number, run: () => void): Timer {
    let timer: Timer | undefined;
    const arm = () => {
      timer?.cancel();
      const waitMs = Math.max(0, atMs - this.nowMs());
      timer = after(this.#counter, waitMs, () => {
        if (this.nowMs() < atMs) return arm();
        this.#armed.delete(arm);
        run();
      });
    };
    this.#armed.add(arm);
    arm();
    return {
      cancel: () => {
        this.#armed.delete(arm);
        timer?.cancel();
      },
    };
  }
}

interface DatabaseClockParts {
  queries: Pick<Queries, 'get'>;
  /** Counts real time, evenly. */
  counter: Clock;
  /** The date and time of this machine. */
  machineClock: Clock;
  log: Log;
}

/** The clock of a database, which is the same for all servers on it. */
export interface DatabaseClock {
  clock: Clock;
  /** Stops reading it. */
  stop(): Promise<void>;
}

/**
 * Reads the clock of a PostgreSQL database, now and every ten seconds, so that no server's own decides what they share. While
 * the database does not answer, the clock goes on.
 * @throws Fault `store` when the database does not answer now
 */
export async function followDatabaseClock(parts: DatabaseClockParts): Promise<DatabaseClock> {
  const { counter, machineClock } = parts;
  const log = createCountedLog({ log: parts.log, clock: counter });
  const clock = new FollowingClock(counter, await readAhead(parts));
  const differenceMs = machineClock.nowMs() - clock.nowMs();
  if (Math.abs(differenceMs) >= WARN_MS)
    parts.log.warn(
      { differenceMs },
      'the clock of this machine differs from that of the database, which counts',
    );
  let timer: Timer;
  let reading: Promise<void> | undefined;
  let stopped = false;

  function wait(): void {
    timer = after(counter, READ_EVERY_MS, () => {
      reading = read().finally(() => {
        reading = undefined;
        if (!stopped) wait();
      });
    });
  }

  async function read(): Promise<void> {
    try {
      clock.follow(await readAhead(parts));
    } catch (thrown) {
      log.warn({ reason: messageOf(thrown) }, 'the clock of the database could not be read');
    }
  }

  wait();
  return {
    clock,
    async stop() {
      stopped = true;
      timer.cancel();
      await reading;
    },
  };
}

/** Returns by how much the clock of the database is ahead of the counter, milliseconds. */
async function readAhead({
  queries,
  counter,
}: Pick<DatabaseClockParts, 'queries' | 'counter'>): Promise<number> {
  let best = { tookMs: Infinity, aheadMs: 0 };
  for (let readings = 0; readings < READINGS; readings += 1) {
    const sentMs = counter.nowMs();
    const row = await queries.get<{ ms: number }>(`SELECT ${DATABASE_NOW_MS} AS ms`);
    const tookMs = counter.nowMs() - sentMs;
    if (tookMs < best.tookMs) best = { tookMs, aheadMs: row!.ms - (sentMs + tookMs / 2) };
  }
  return best.aheadMs;
}

/** The time of a PostgreSQL database as an expression of SQL, epoch milliseconds. */
export const DATABASE_NOW_MS = `CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`;
