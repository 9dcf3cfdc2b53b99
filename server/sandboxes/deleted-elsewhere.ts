import { errorCode, Fault } from '../../protocol/failures.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { Queries, Row, SqlValue, Store } from '../platform/store/store.ts';
import type { SandboxRecord } from './sandbox-record.schema.ts';

/** The code with which PostgreSQL refuses a statement about a table that is not there (undefined_table). */
const UNDEFINED_TABLE = '42P01';

/**
 * Returns the store of a sandbox that another server may delete while it is open here. What is asked of it afterwards is
 * refused with 403, as its keys are once this server has heard of the deletion.
 * @param records the store with the table of all sandboxes
 * @param onDeleted called before such a refusal
 */
export function refusingWhenDeleted(
  store: Store,
  records: Queries,
  record: SandboxRecord,
  onDeleted: () => void = () => {},
): Store {
  const refusing = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await asked;
    } catch (thrown) {
      const isMissing = thrown instanceof Fault && errorCode(thrown.cause) === UNDEFINED_TABLE;
      if (!isMissing || !(await isDeleted(records, record))) throw thrown;
      onDeleted();
      throw new Refusal('bad_key');
    }
  };
  return {
    ...store,
    get: <R extends Row>(sql: string, ...values: SqlValue[]) => refusing(store.get<R>(sql, ...values)),
    all: <R extends Row>(sql: string, ...values: SqlValue[]) => refusing(store.all<R>(sql, ...values)),
    run: (sql, ...values) => refusing(store.run(sql, ...values)),
    transaction: (body, options) => refusing(store.transaction(body, options)),
  };
}

/** One that has the name by now has other keys. */
async function isDeleted(records: Queries, { name, keys }: SandboxRecord): Promise<boolean> {
  const found = 'SELECT 1 FROM sandboxes WHERE name = ? AND keys = ?';
  return (await records.get(found, name, JSON.stringify(keys))) === undefined;
}
