import { SystemClock, type Clock } from '../../protocol/clock.ts';
import type { Queries, Transaction } from './store/store.ts';

/**
 * Sandbox time: real time plus a stored offset that never shrinks (docs/choices.md, Clock). A test world gives
 * a clock of its own that stands still instead.
 */
export interface SandboxClock extends Clock {
  readonly offsetMs: number;
  setOffset(offsetMs: number): void;
}

/** Real time plus the offset that the store remembers. */
export async function restoreSandboxClock(queries: Queries): Promise<SandboxClock> {
  const clock = new SystemClock();
  clock.setOffset(await readClockOffset(queries));
  return clock;
}

/** The offset that the store remembers, milliseconds. */
export async function readClockOffset(queries: Queries): Promise<number> {
  const row = await queries.get<{ value: string }>(
    `SELECT value FROM settings WHERE name = 'clock_offset_ms'`,
  );
  return Number(row?.value ?? 0);
}

/**
 * Writes down an offset that is `byMs` more than the greater of what the store remembers and `currentMs`, and
 * answers it. Two calls at once add up.
 */
export async function raiseClockOffset(tx: Transaction, currentMs: number, byMs: number): Promise<number> {
  const offsetMs = Math.max(await readClockOffset(tx), currentMs) + byMs;
  await tx.run(
    `INSERT INTO settings (name, value) VALUES ('clock_offset_ms', ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    String(offsetMs),
  );
  return offsetMs;
}
