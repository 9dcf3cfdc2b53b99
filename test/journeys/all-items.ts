import type { Api } from '../../testing/world/api.ts';

/** Reads all pages of a list. */
export async function allItems<T = { status: string }>(api: Api, path: string): Promise<T[]> {
  const items: T[] = [];
  for (let next = ''; ;) {
    const { body } = await api.get(`${path}?limit=50${next}`);
    items.push(...body.items);
    if (body.paginationToken === null) return items;
    next = `&startsAfter=${body.paginationToken}`;
  }
}
