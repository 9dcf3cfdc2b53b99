import { Type, type Static, type TSchema } from '../../../protocol/schema.ts';

export const PAGE_DEFAULT = 10; // Spec §8
export const PAGE_MAX = 50;

/** The query that every list takes (Spec §4), its `limit` up to `limitMax`. */
function pageQuery(limitMax: number) {
  return Type.Object({
    ascending: Type.Optional(Type.Boolean({ description: 'Oldest first; newest first is the default' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limitMax,
        description: `Default ${PAGE_DEFAULT}, at most ${limitMax}`,
      }),
    ),
    startsAfter: Type.Optional(Type.String({ description: 'The paginationToken of the page before' })),
  });
}

/** A page of items; the token is null on the last one. */
export function Page<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item),
    paginationToken: Type.Union([Type.String(), Type.Null()]),
  });
}

export const PageQuery = pageQuery(PAGE_MAX);
export type PageQuery = Static<typeof PageQuery>;

/** Payout methods come in shorter pages (Spec §8). */
export const ShortPageQuery = pageQuery(25);
