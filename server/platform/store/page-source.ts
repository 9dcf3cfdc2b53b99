import type { SqlValue } from './store.ts';

/** A condition of SQL with the values of its placeholders. */
export interface Condition {
  where: string;
  parameters: SqlValue[];
}

/** The rows of a table that a list of the API covers, a page at a time, in the order of their insertion. */
export interface PageSource {
  table: string;
  /** The rows of the table that the list covers. A token must be the id of one of them or of a deleted one. */
  owned: Condition;
  /** The row of a token, where that is not the column `id` of the table. */
  rowOf?: (id: string) => Condition;
  /** A further condition on the rows of the list. */
  shown?: Condition;
  /** Where no index finds the rows that are shown: they are read a batch at a time, each in a statement of its own. */
  batches?: Batches;
}

/** How a table is read whole without a statement that reads all of it, during which the embedded store does nothing else. */
interface Batches {
  /** The table whose `seq` orders the list. */
  of: string;
  /** Numbers of `seq` that one statement covers. */
  rows: number;
}

/** Rows that the embedded store reads in some 10 ms. */
export const BATCH_ROWS = 2_000;

/** Returns the rows of a list that also meet a condition. */
export function listWhere(list: PageSource, { where, parameters }: Condition): PageSource {
  const { shown } = list;
  if (!shown) return { ...list, shown: { where, parameters } };
  const both = [...shown.parameters, ...parameters];
  return { ...list, shown: { where: `${shown.where} AND ${where}`, parameters: both } };
}

/**
 * Returns SQL for texts that contain the text of a `pattern`, its parameter, in either case. PostgreSQL compares case in
 * LIKE, SQLite does not.
 */
export function contains(column: string): string {
  return `LOWER(${column}) LIKE ? ESCAPE '\\'`;
}

export function pattern(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
}
