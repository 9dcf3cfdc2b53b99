import { Fault } from '../../../protocol/failures.ts';
import { ROW_LOCKS, type LockedTable } from './guards.ts';
import type { Transaction } from './store.ts';

/** How a transaction takes locks. */
export interface LockParts {
  /** Whether the transaction names its guards; one that names none takes no lock. */
  guarded: boolean;
  /**
   * Sends the statement that takes a lock, which is not waited for: when it fails, so does the next statement, with its
   * failure. Not needed by an engine that runs one transaction at a time.
   */
  takeLock?: (name: string) => Promise<unknown>;
  /** The same for the row of a table. */
  takeRowLock?: (table: LockedTable, id: string) => Promise<unknown>;
  /** The same for what a reset waits for. */
  takeResetLock?: () => Promise<unknown>;
}

/**
 * Returns the functions of a transaction that lock.
 * @param throwIfEnded called before each, to refuse one that comes too late
 * @param onFailure called when a lock is not granted, with the reason
 */
export function createLocks(
  { guarded, takeLock, takeRowLock, takeResetLock }: LockParts,
  throwIfEnded: () => void,
  onFailure: (thrown: unknown) => void,
): Pick<Transaction, 'lock' | 'lockRow' | 'requireRowLock' | 'delayReset' | 'requireDelayedReset'> {
  let held: Set<string> | undefined;
  let latest = 0;
  let delaysReset = false;
  const sent = (lock: Promise<unknown> | undefined) => void lock?.catch(onFailure);
  return {
    lock(name) {
      throwIfEnded();
      if (!guarded) throw new Fault('internal', `a transaction without guards locks ${name}`);
      sent(takeLock?.(name));
    },
    lockRow(table, id) {
      throwIfEnded();
      held ??= new Set();
      const row = `${table} ${id}`;
      if (held.has(row)) return;
      const place = ROW_LOCKS.indexOf(table);
      if (place < latest)
        throw new Fault('internal', `a row of ${table} is locked after one of ${ROW_LOCKS[latest]}`);
      latest = place;
      held.add(row);
      delaysReset = true;
      sent(takeRowLock?.(table, id));
    },
    requireRowLock(table, id) {
      if (guarded && !held?.has(`${table} ${id}`))
        throw new Fault('internal', `a row of ${table} is changed without its lock`);
    },
    delayReset() {
      throwIfEnded();
      if (delaysReset) return;
      delaysReset = true;
      sent(takeResetLock?.());
    },
    requireDelayedReset() {
      if (guarded && !delaysReset)
        throw new Fault('internal', 'a row is added while a reset could delete what it names');
    },
  };
}
