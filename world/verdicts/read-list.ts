// oxlint-disable-next-line no-explicit-any -- replies of the API
export type Json = any;

/** Reads a path of the API as one account. */
export type Read = (path: string) => Promise<Json>;

// The most that a page of any list holds.
const PAGE_ITEMS = 50;

/** Parameter of lists that have only what is of today unless a start is given. */
export const SINCE_EVER = '&startTimestamp=0';

/** Reads all pages of a list of the API. */
export async function readAll(read: Read, path: string, more = ''): Promise<Json[]> {
  const items: Json[] = [];
  for (let next = ''; ;) {
    const page: Json = await read(`${path}?limit=${PAGE_ITEMS}${more}${next}`);
    items.push(...page.items);
    if (page.paginationToken === null) return items;
    next = `&startsAfter=${encodeURIComponent(page.paginationToken)}`;
  }
}
