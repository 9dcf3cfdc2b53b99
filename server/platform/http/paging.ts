import type { Condition, PageSource } from '../store/page-source.ts';
import type { Queries, Row } from '../store/store.ts';
import { nextTurn } from '../loop-turns.ts';
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
  const { table } = source;
  const limit = query.limit ?? PAGE_DEFAULT;
  let after: number | undefined;
  if (query.startsAfter !== undefined) {
    after =
      (await seqOf(queries, source, query.startsAfter)) ?? (await seqAfterDeleted(queries, table, query));
    if (after === undefined) throw new Refusal('unknown_token');
  }
  const reading = { columns, ascending: query.ascending === true, after, limit: limit + 1 };
  const rows = await (source.batches ? readInBatches<R> : readAtOnce<R>)(queries, source, reading);
  const page = rows.slice(0, limit);
  const more = rows.length > limit;
  return { rows: page, paginationToken: more ? String(page.at(-1)!['id']) : null };
}

/** What is read of a list. */
interface Reading {
  columns: string;
  ascending: boolean;
  /** `seq` of the last item of the previous page. */
  after: number | undefined;
  limit: number;
}

function readAtOnce<R extends Row>(queries: Queries, source: PageSource, reading: Reading): Promise<R[]> {
  const { after, ascending } = reading;
  if (after === undefined) return readWhere<R>(queries, source, reading, { where: '', parameters: [] });
  return readWhere<R>(queries, source, reading, {
    where: `AND seq ${ascending ? '>' : '<'} ?`,
    parameters: [after],
  });
}

async function readInBatches<R extends Row>(
  queries: Queries,
  source: PageSource,
  reading: Reading,
): Promise<R[]> {
  const { of: table, rows: length } = source.batches!;
  const { after, ascending, limit } = reading;
  const ends = await queries.get<{ lowest: number | null; highest: number | null }>(
    `SELECT (SELECT MIN(seq) FROM ${table}) AS lowest, (SELECT MAX(seq) FROM ${table}) AS highest`,
  );
  const lowest = Math.max(ends!.lowest ?? 1, ascending && after !== undefined ? after + 1 : 0);
  const highest = Math.min(ends!.highest ?? 0, !ascending && after !== undefined ? after - 1 : Infinity);
  const rows: R[] = [];
  for (let read = 0; read <= highest - lowest && rows.length < limit; read += length) {
    const from = ascending ? lowest + read : Math.max(lowest, highest - read - length + 1);
    const to = ascending ? Math.min(highest, from + length - 1) : highest - read;
    const batch = { where: 'AND seq >= ? AND seq <= ?', parameters: [from, to] };
    const left = { ...reading, limit: limit - rows.length };
    // The embedded store answers within the turn of the event loop.
    if (read > 0) await nextTurn();
    rows.push(...(await readWhere<R>(queries, source, left, batch)));
  }
  return rows;
}

function readWhere<R extends Row>(
  queries: Queries,
  { table, owned, shown = { where: '1 = 1', parameters: [] } }: PageSource,
  { columns, ascending, limit }: Reading,
  range: Condition,
): Promise<R[]> {
  return queries.all<R>(
    `SELECT ${columns} FROM ${table} WHERE ${owned.where} AND ${shown.where} ${range.where}
     ORDER BY seq ${ascending ? 'ASC' : 'DESC'} LIMIT ?`,
    ...owned.parameters,
    ...shown.parameters,
    ...range.parameters,
    limit,
  );
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
