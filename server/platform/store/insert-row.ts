import type { Row, Transaction } from './store.ts';

/** Returns the SQL that inserts a row with these columns, or so many rows. */
export function insertStatement(table: string, columns: readonly string[], rows = 1): string {
  const row = `(${columns.map(() => '?').join(', ')})`;
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array<string>(rows).fill(row).join(', ')}`;
}

/**
 * Returns the function that inserts a row and returns it. The row has a value for every column, so that nothing is read
 * back: RETURNING takes three times as long as the insertion.
 */
export function insertInto<R extends Row>(table: string, columns: readonly (keyof R & string)[]) {
  const sql = insertStatement(table, columns);
  return async (tx: Transaction, row: R): Promise<R> => {
    await tx.run(sql, ...columns.map((column) => row[column]!));
    return row;
  };
}
