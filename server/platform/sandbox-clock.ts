import { SystemClock, type Clock } from '../../protocol/clock.ts';
import type { Queries, Transaction } from './store/store.ts';

/**
 * Sandbox time: real time plus a stored offset that never decreases (docs/choices.md, Clock). A test world passes in
 * a clock that only moves when a test advances it.
 */
export interface SandboxClock extends Clock {
  readonly offsetMs: number;
  /** Whether time passes only when something advances it, and then stops at each instant at which something is due. */
  readonly isVirtual?: boolean;
  setOffset(offsetMs: number): void;
}

/** Creates the clock of the sandbox, with the stored offset. */
export async function restoreSandboxClock(queries: Queries): Promise<SandboxClock> {
  return new SystemClock(await readClockOffset(queries));
}

/** Reads the stored offset, milliseconds. */
export async function readClockOffset(queries: Queries): Promise<number> {
  const row = await queries.get<{ value: string }>(
    `SELECT value FROM settings WHERE name = 'clock_offset_ms'`,
  );
  return Number(row?.value ?? 0);
}

/**
 * Stores an offset that is `byMs` more than the greater of the stored one and `currentMs`, and returns it.
 * Concurrent calls add up.
 */
export async function raiseClockOffset(tx: Transaction, currentMs: number, byMs: number): Promise<number> {
  const offsetMs = Math.max(await readClockOffset(tx), currentMs) + byMs;
  await storeClockOffset(tx, offsetMs);
  return offsetMs;
}

/** Stores the offset of a sandbox that is not open yet: from then on it only grows. */
export async function storeClockOffset(tx: Transaction, offsetMs: number): Promise<void> {
  await tx.run(
    `INSERT INTO settings (name, value) VALUES ('clock_offset_ms', ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    String(offsetMs),
  );
}
