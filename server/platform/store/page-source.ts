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
}
