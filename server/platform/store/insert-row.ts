import type { Row, Transaction } from './store.ts';

/**
 * Returns the function that inserts a row and returns it. The row has a value for every column, so that nothing is read
 * back: RETURNING takes three times as long as the insertion.
 */
export function insertInto<R extends Row>(table: string, columns: readonly (keyof R & string)[]) {
  const marks = columns.map(() => '?').join(', ');
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`;
  return async (tx: Transaction, row: R): Promise<R> => {
    await tx.run(sql, ...columns.map((column) => row[column]!));
    return row;
  };
}
