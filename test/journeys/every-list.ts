import { BANK_ACCOUNT } from '../../cli/trigger/account-paths.ts';
import type { Route } from '../../server/platform/http/route.ts';
import type { Api } from '../../testing/world/api.ts';
import type { World } from '../../testing/world/world.ts';
import { customerWithCard, good } from './one-of-each.ts';

/** What each list is asked besides pages: a value for every member of every list's query. */
const FILTERS: Record<string, (asker: Api, accountId: string) => Promise<string>> = {
  startTimestamp: async () => '1',
  endTimestamp: async () => '4102444800',
  country: async () => 'GB',
  category: async () => 'Evidence',
  email: async () => 'kim@example.com',
  payoutId: async (asker, accountId) =>
    good(await asker.get(`/v1/accounts/${accountId}/payouts?ascending=true&limit=1&startTimestamp=1`))
      .items[0].id,
  productId: async (asker) => good(await asker.get('/v1/in-person/products?limit=1')).items[0].id,
  startDate: async () => '2026-01-01',
  endDate: async () => '2099-12-31',
  start: async () => '1',
  end: async () => '4102444800',
};
const NEEDED = ['country'];
const PAGES = ['ascending', 'limit', 'startsAfter', 'paginationToken'];

/**
 * Asks every list for everything that it can be asked: from the newest or the oldest, further pages, each filter. Creates what
 * was deleted, or is older than what a list shows by default.
 * @throws Error for a list that is empty
 */
export async function everyList(
  api: Api,
  routes: readonly Route[],
  world: World,
  onList: (operation: string) => void,
): Promise<void> {
  const askers = [api, api.as(world.subAccountId)];
  for (const asker of askers) await customerWithCard(asker);
  good(await api.post(`/v1/accounts/${world.subAccountId}/payout-methods`, BANK_ACCOUNT));
  for (const { method, path, query, operation } of routes) {
    if (method !== 'GET' || !query?.properties['limit']) continue;
    onList(operation);
    const names = Object.keys(query.properties).filter((name) => !PAGES.includes(name));
    for (const [asker, list] of await listsOf(api, path, world)) {
      const filters = new Map<string, string>();
      for (const name of names)
        filters.set(name, await filter(name, asker, asker === api ? world.platformId : world.subAccountId));
      const always = names.filter((name) => NEEDED.includes(name)).map((name) => filters.get(name)!);
      const ask = async (...more: string[]) => {
        const page = good(await asker.get(`${list}?${[...always, ...more].join('&')}`));
        return page.items as { id: string }[];
      };
      for (const asked of [[], ...[...filters.values()].map((each) => [each]), [...filters.values()]]) {
        const order = ['ascending=false', 'ascending=true'];
        for (const each of order) await ask('limit=1', each, ...asked);
        // Each page, and the one behind it, is another statement.
        const [first] = await ask('limit=1', ...asked);
        if (!first)
          throw new Error(
            `no second page: ${list}?${asked.join('&')} of ${asker === api ? 'platform' : 'sub'}`,
          );
        for (const each of order) await ask('limit=1', each, `startsAfter=${first.id}`, ...asked);
      }
    }
  }
}

async function filter(name: string, asker: Api, accountId: string): Promise<string> {
  const value = FILTERS[name];
  if (value === undefined) throw new Error(`what is a list asked for with ${name}?`);
  return `${name}=${await value(asker, accountId)}`;
}

/** The paths of a list, as the platform and as its sub account; below an object, below one that there is. */
async function listsOf(api: Api, path: string, { subAccountId }: World): Promise<[Api, string][]> {
  const askers = [api, api.as(subAccountId)];
  const [parent] = path.split('/{');
  // Only a platform orders.
  if (parent === '/v1/in-person/orders') return [[api, path]];
  if (parent === path) return askers.map((asker) => [asker, path]);
  const below = (id: string) => path.replace(/\{\w+\}/, id);
  if (parent === '/v1/accounts') return [[api, below(subAccountId)]];
  const parents = good(await api.get(`${parent}?startTimestamp=1&limit=50`)).items as { id: string }[];
  for (const { id } of parents)
    if (good(await api.get(`${below(id)}?limit=1`)).items.length > 0) return [[api, below(id)]];
  throw new Error(`no list has anything: ${path}`);
}
