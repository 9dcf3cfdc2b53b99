import type { Condition, PageSource } from '../store/page-source.ts';
import type { Queries, Row } from '../store/store.ts';
import { mayBeDeleted } from '../store/deleted-objects.records.ts';
import { Refusal } from './refusals.ts';
import { PAGE_DEFAULT, type PageQuery } from './paging.schema.ts';

/**
 * One page of a table in insertion order, which is also the order within one second.
 * The token is the id of the last item, so it stays good when that item is deleted.
 * @param columns what is read of each row, `id` among it
 * @throws Refusal `unknown_token` when the token is not an id of the list.
 */
export async function readPage<R extends Row>(
  queries: Queries,
  source: PageSource,
  query: PageQuery,
  columns = '*',
): Promise<{ rows: R[]; paginationToken: string | null }> {
  const { table, owned, shown = { where: '1 = 1', parameters: [] } } = source;
  const limit = query.limit ?? PAGE_DEFAULT;
  const [sign, order] = query.ascending ? ['>', 'ASC'] : ['<', 'DESC'];
  const parameters = [...owned.parameters, ...shown.parameters];
  let after = '';
  if (query.startsAfter !== undefined) {
    const seq =
      (await seqOf(queries, source, query.startsAfter)) ?? (await seqAfterDeleted(queries, table, query));
    if (seq === undefined) throw new Refusal('unknown_token');
    after = `AND seq ${sign} ?`;
    parameters.push(seq);
  }
  const rows = await queries.all<R>(
    `SELECT ${columns} FROM ${table} WHERE ${owned.where} AND ${shown.where} ${after} ORDER BY seq ${order} LIMIT ?`,
    ...parameters,
    limit + 1,
  );
  const page = rows.slice(0, limit);
  const more = rows.length > limit;
  return { rows: page, paginationToken: more ? String(page.at(-1)!['id']) : null };
}

/** Returns one page of a table as `show` shows its rows. */
export async function showPage<R extends Row, T>(
  queries: Queries,
  source: PageSource,
  query: PageQuery,
  show: (row: R) => T,
): Promise<{ items: T[]; paginationToken: string | null }> {
  const { rows, paginationToken } = await readPage<R>(queries, source, query);
  return { items: rows.map((row) => show(row)), paginationToken };
}

function byId(id: string): Condition {
  return { where: 'id = ?', parameters: [id] };
}

async function seqOf(
  queries: Queries,
  { table, owned, rowOf = byId }: PageSource,
  id: string,
): Promise<number | undefined> {
  const named = rowOf(id);
  const row = await queries.get<{ seq: number }>(
    `SELECT seq FROM ${table} WHERE ${named.where} AND ${owned.where}`,
    ...named.parameters,
    ...owned.parameters,
  );
  return row?.seq;
}

/**
 * Returns the position of a page whose token was deleted by retention: next to the row before it, since ids are in
 * order of time. Returns undefined when the token cannot be the id of a deleted object.
 */
async function seqAfterDeleted(
  queries: Queries,
  table: string,
  { startsAfter, ascending }: PageQuery,
): Promise<number | undefined> {
  if (!(await mayBeDeleted(queries, startsAfter!))) return undefined;
  const before = await queries.get<{ seq: number }>(
    `SELECT seq FROM ${table} WHERE id < ? ORDER BY id DESC LIMIT 1`,
    startsAfter!,
  );
  const seq = before?.seq ?? 0;
  return ascending ? seq : seq + 1;
}
