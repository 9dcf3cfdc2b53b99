import type { Row } from './store.ts';

/** The columns of one table of a join, each under a name of its own, to be read back with `rowOf`. */
export function columnsOf(alias: string, columns: readonly string[]): string {
  return columns.map((column) => `${alias}.${column} AS ${alias}_${column}`).join(', ');
}

/** The row of one table of a join; undefined where an outer join found none. Every table has an `id`. */
export function rowOf<R extends Row>(joined: Row, alias: string, columns: readonly string[]): R | undefined {
  if (joined[`${alias}_id`] === null) return undefined;
  return Object.fromEntries(columns.map((column) => [column, joined[`${alias}_${column}`]])) as R;
}
