import pg from 'pg';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import { RefusedValue, UniqueViolation } from './store.ts';

// SQLSTATE, PostgreSQL Appendix A.
const SERIALIZATION_CODES = ['40001', '40P01']; // serialization_failure, deadlock_detected
const UNIQUE_VIOLATION = '23505';

/** Returns true when the server responded with an error; false when it could not be reached. */
export function isRefusal(thrown: unknown): thrown is pg.DatabaseError {
  return thrown instanceof pg.DatabaseError && thrown.code !== undefined;
}

/** Returns true for the translated error of a transaction that PostgreSQL undid because of another: it can be repeated. */
export function isConflict(failure: unknown): boolean {
  const cause = failure instanceof Fault ? failure.cause : undefined;
  return isRefusal(cause) && SERIALIZATION_CODES.includes(cause.code!);
}

/** Returns the error of the store port for one of PostgreSQL. */
export function translate(thrown: unknown): Error {
  if (thrown instanceof Fault) return thrown;
  if (!isRefusal(thrown)) {
    const reason = messageOf(thrown) || (thrown as NodeJS.ErrnoException).code;
    return new Fault('store', `PostgreSQL cannot be asked: ${reason}`, { cause: thrown });
  }
  const { code, message, table, constraint } = thrown;
  if (code === UNIQUE_VIOLATION) return new UniqueViolation(`unique index ${constraint} of ${table}`);
  // Errors of classes 22 and 23 quote the rejected values, which must not be logged, so the cause is left out.
  if (/^2[23]/.test(code!)) return new RefusedValue(`PostgreSQL ${code} ${constraint ?? ''}`.trimEnd());
  return new Fault('store', `PostgreSQL ${code}: ${message}`, { cause: thrown });
}
