import { insertStatement } from './insert-row.ts';
import { parseJson, type JsonText } from './json-text.ts';
import type { Condition, PageSource } from './page-source.ts';
import type { Queries, Row, Transaction } from './store.ts';

/** The row of an object that is stored as the API shows it, with the columns `K` by which it is found. */
export type DocumentRow<T, K extends string = never> = Row & { id: string; body: JsonText<T> } & Record<
    K,
    string
  >;

/** Returns how objects that never change are stored and found: each is the JSON of its reply, with columns for queries. */
export function storedDocuments<T extends { id: string }, K extends string = never>(
  table: string,
  columns: readonly K[] = [],
) {
  type R = DocumentRow<T, K>;
  const insertSql = `${insertStatement(table, ['id', ...columns, 'body'])} ON CONFLICT (id) DO NOTHING`;
  return {
    table,

    /** Returns an object whose row meets a condition. */
    find: (queries: Queries, id: string, { where, parameters }: Condition = ALL): Promise<R | undefined> =>
      queries.get<R>(`SELECT * FROM ${table} WHERE id = ? AND ${where}`, id, ...parameters),

    /** The objects whose rows meet a condition. */
    list: (owned: Condition = ALL): PageSource => ({ table, owned }),

    /** Inserts an object, unless there is one with its id. */
    insert(tx: Transaction, object: T, values: Record<K, string>): void {
      tx.send(insertSql, object.id, ...columns.map((column) => values[column]), JSON.stringify(object));
    },

    /** Returns an object as replies show it. */
    show: (row: R): T => parseJson(row.body),
  };
}

const ALL: Condition = { where: '1 = 1', parameters: [] };
