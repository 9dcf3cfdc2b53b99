import { OffsetClock, type Clock } from '../../protocol/clock.ts';
import type { Log } from '../../protocol/log.ts';
import { storeSetting } from './store/setting.records.ts';
import type { Queries, Transaction } from './store/store.ts';

/**
 * Sandbox time: real time plus a stored offset that never decreases (docs/choices.md, Clock). A test world passes in
 * a clock that only moves when a test advances it.
 */
export interface SandboxClock extends Clock {
  readonly offsetMs: number;
  /** Whether time passes only when something advances it, and then stops at each instant at which something is due. */
  readonly isVirtual?: boolean;
  /** Sets the offset. Where time is virtual, resolves once it has passed. */
  setOffset(offsetMs: number): void | Promise<void>;
}

/** A clock that can stand still (`OffsetClock`). */
export interface HoldableClock extends SandboxClock {
  standAt(instantMs: number): void;
  goOn(offsetMs: number): void;
}

export function isHoldable(clock: SandboxClock): clock is HoldableClock {
  return 'standAt' in clock;
}

/** Creates the clock of the sandbox over a real one, with the stored offset. What a scheduled call throws is logged. */
export async function restoreSandboxClock(
  queries: Queries,
  { realClock, log }: { realClock: Clock; log: Log },
): Promise<SandboxClock> {
  return new OffsetClock(realClock, await readClockOffset(queries), logTimerFailure(log));
}

/** Returns the function that logs what a call of a clock threw, so that one bad timer does not end the process. */
export function logTimerFailure(log: Log): (thrown: unknown) => void {
  return (thrown) => log.error({ err: thrown }, 'a scheduled call failed');
}

/** Reads the stored offset, milliseconds. */
export async function readClockOffset(queries: Queries): Promise<number> {
  const row = await queries.get<{ value: string }>(
    `SELECT value FROM settings WHERE name = 'clock_offset_ms'`,
  );
  return Number(row?.value ?? 0);
}

/** Reads the offset that the clock is to reach; -Infinity when it was never advanced. */
export async function readClockTarget(queries: Queries): Promise<number> {
  const row = await queries.get<{ value: string }>(
    `SELECT value FROM settings WHERE name = 'clock_target_ms'`,
  );
  return row ? Number(row.value) : -Infinity;
}

/**
 * Stores that the clock is to reach an offset `byMs` more than the greatest of the stored ones and `currentMs`, and
 * returns it. Concurrent calls add up.
 */
export async function raiseClockTarget(tx: Transaction, currentMs: number, byMs: number): Promise<number> {
  const stored = Math.max(await readClockTarget(tx), await readClockOffset(tx));
  const targetMs = Math.max(stored, currentMs) + byMs;
  await storeSetting(tx, 'clock_target_ms', String(targetMs));
  return targetMs;
}

/** Stores an offset, unless a greater one is stored. */
export async function raiseClockOffset(tx: Transaction, offsetMs: number): Promise<void> {
  if (offsetMs > (await readClockOffset(tx))) await storeSetting(tx, 'clock_offset_ms', String(offsetMs));
}

/** Stores the offset of a sandbox that is not open yet: from then on it only grows. */
export async function storeClockOffset(tx: Transaction, offsetMs: number): Promise<void> {
  await storeSetting(tx, 'clock_offset_ms', String(offsetMs));
  await tx.run(`DELETE FROM settings WHERE name = 'clock_target_ms'`);
}
