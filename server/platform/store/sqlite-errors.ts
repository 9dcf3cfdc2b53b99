import { Fault, messageOf } from '../../../protocol/failures.ts';
import { RefusedValue, UniqueViolation } from './store.ts';

// Extended result codes, https://sqlite.org/rescode.html.
export const SQLITE_BUSY = 5;
const UNIQUE_CODES = [1555, 2067, 2579]; // SQLITE_CONSTRAINT_PRIMARYKEY, _UNIQUE and _ROWID
const REFUSED_CODES = [19, 20]; // SQLITE_CONSTRAINT, SQLITE_MISMATCH

/** What the store throws for an error of SQLite: UniqueViolation or Fault `store`. Other errors stay as they are. */
export function translate(thrown: unknown): unknown {
  const code = sqliteErrorCode(thrown);
  if (code === undefined) return thrown; // not the engine: a value of a type that it does not know
  if (UNIQUE_CODES.includes(code)) return new UniqueViolation(messageOf(thrown), { cause: thrown });
  // SQLite's messages name tables and columns, never values.
  const message = `SQLite ${code}: ${messageOf(thrown)}`;
  if (REFUSED_CODES.includes(code & 0xff)) return new RefusedValue(message, { cause: thrown });
  return new Fault('store', message, { cause: thrown });
}

/** The extended result code of an error of SQLite; undefined for any other. */
export function sqliteErrorCode(thrown: unknown): number | undefined {
  const code = thrown instanceof Error && 'errcode' in thrown ? thrown.errcode : undefined;
  return typeof code === 'number' ? code : undefined;
}
