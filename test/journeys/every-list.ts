import type { Route } from '../../server/platform/http/route.ts';
import type { Api } from '../../testing/world/api.ts';
import type { World } from '../../testing/world/world.ts';
import { good } from './one-of-each.ts';

/** What each list is asked besides pages: a value for every member of every list's query. */
const FILTERS: Record<string, string> = {
  startTimestamp: '1',
  endTimestamp: '4102444800',
  country: 'GB',
  category: 'Evidence',
  email: 'kim@example.com',
  payoutId: 'po_01J9Z6M1N2P3Q4R5S6T7V8W9XA',
  productId: 'ippd_01J9Z6M1N2P3Q4R5S6T7V8W9XA',
  startDate: '2026-01-01',
  endDate: '2099-12-31',
  start: '1',
  end: '4102444800',
};
const NEEDED = ['country'];
const PAGES = ['ascending', 'limit', 'startsAfter', 'paginationToken'];

/** Asks every list for everything that it can be asked: from the newest or the oldest, further pages, each filter. */
export async function everyList(api: Api, routes: readonly Route[], world: World): Promise<void> {
  for (const { method, path, query } of routes) {
    if (method !== 'GET' || !query?.properties['limit']) continue;
    const names = Object.keys(query.properties).filter((name) => !PAGES.includes(name));
    const always = names.filter((name) => NEEDED.includes(name)).map(filter);
    for (const [asker, list] of await listsOf(api, path, world)) {
      const ask = async (...more: string[]) => {
        const page = good(await asker.get(`${list}?${[...always, ...more].join('&')}`));
        return page.items as { id: string }[];
      };
      for (const asked of [[], ...names.map((name) => [filter(name)]), names.map(filter)]) {
        const order = ['ascending=false', 'ascending=true'];
        for (const each of order) await ask('limit=1', each, ...asked);
        // Each page, and the one behind it, is another statement.
        const [first] = await ask('limit=1', ...asked);
        if (!first || asked.some((each) => each.startsWith('email'))) continue;
        for (const each of order) await ask('limit=1', each, `startsAfter=${first.id}`, ...asked);
      }
    }
  }
}

function filter(name: string): string {
  const value = FILTERS[name];
  if (value === undefined) throw new Error(`what is a list asked for with ${name}?`);
  return `${name}=${value}`;
}

/** The paths of a list, as the platform and as its sub account; below an object, below one that there is. */
async function listsOf(api: Api, path: string, { subAccountId }: World): Promise<[Api, string][]> {
  const askers = [api, api.as(subAccountId)];
  const [parent] = path.split('/{');
  if (parent === path) return askers.map((asker) => [asker, path]);
  const below = (id: string) => path.replace(/\{\w+\}/, id);
  if (parent === '/v1/accounts') return [[api, below(subAccountId)]];
  const { items } = good(await api.get(`${parent}?startTimestamp=1&limit=1`));
  return [[api, below(items[0].id)]];
}
