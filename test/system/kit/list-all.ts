import type { Json } from './http-call.ts';
import type { Tapbench } from './tapbench.ts';

/** Reads all pages of a list. @param query more of the query, such as `&ascending=true` */
export async function listAll({ api }: Pick<Tapbench, 'api'>, path: string, query = ''): Promise<Json[]> {
  const items: Json[] = [];
  for (let next = ''; ;) {
    const { body } = await api('GET', `${path}?limit=50${query}${next}`);
    items.push(...body.items);
    if (!body.paginationToken) return items;
    next = `&startsAfter=${body.paginationToken}`;
  }
}
