import { errorCode, Fault } from '../../protocol/failures.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { Row, SqlValue, Store } from '../platform/store/store.ts';

/** The code with which PostgreSQL refuses a statement about a table that is not there (undefined_table). */
const UNDEFINED_TABLE = '42P01';

/**
 * Returns the store of a sandbox that another server may delete while it is open here. What is asked of it afterwards is
 * refused with 403, as its keys are once this server has heard of the deletion.
 * @param isDeleted called when a table is missing
 */
export function refusingWhenDeleted(store: Store, isDeleted: () => Promise<boolean>): Store {
  const refusing = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await asked;
    } catch (thrown) {
      const isMissing = thrown instanceof Fault && errorCode(thrown.cause) === UNDEFINED_TABLE;
      throw isMissing && (await isDeleted()) ? new Refusal('bad_key') : thrown;
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
