import { Type, type Static, type TSchema } from '../../../protocol/schema.ts';

export const PAGE_DEFAULT = 10; // Spec §8
const PAGE_MAX = 50;

/** The query of every list (Spec §4), with a `limit` of at most `limitMax`. */
function pageQuery(limitMax: number) {
  return Type.Object({
    ascending: Type.Optional(
      Type.Boolean({ description: 'Sort from oldest to newest. Defaults to false: newest first.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limitMax,
        description: `Number of objects of a page: ${PAGE_DEFAULT} by default, at most ${limitMax}`,
      }),
    ),
    startsAfter: Type.Optional(
      Type.String({ description: '`paginationToken` of the previous page: the list goes on after it' }),
    ),
  });
}

/** All objects of a list that has no pages. */
export function List<T extends TSchema>(item: T) {
  return Type.Object({ items: Type.Array(item, { description: 'All objects of the list' }) });
}

/** A page of items; the token is null on the last one. */
export function Page<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item, { description: 'Objects of this page' }),
    paginationToken: Type.Union([Type.String(), Type.Null()], {
      description: 'Value of `startsAfter` that returns the next page; null on the last page',
    }),
  });
}

export const PageQuery = pageQuery(PAGE_MAX);
export type PageQuery = Static<typeof PageQuery>;

/** Payout methods come in shorter pages (Spec §8). */
export const ShortPageQuery = pageQuery(25);
