import type { Route } from '../../../server/platform/http/route.ts';
import type { Api } from '../../../testing/world/api.ts';
import type { World } from '../../../testing/world/world.ts';
import { good } from '../one-of-each.ts';

/** The first page of every list that needs no id, one item long, and all pages of some. */
export async function everyList(world: World, api: Api, routes: readonly Route[]): Promise<void> {
  const lists = routes.filter(
    ({ method, path, query }) =>
      method === 'GET' && !path.includes('{') && 'limit' in (query?.properties ?? {}),
  );
  for (const caller of [api, api.as(world.subAccountId)]) {
    for (const { path } of lists) {
      const more = path.endsWith('/skus') ? 'country=GB' : 'startTimestamp=0';
      good(await caller.get(`${path}?limit=1&${more}`));
    }
    for (const path of ['/v1/events', '/v1/balance-transactions', '/v1/in-person/orders']) {
      let after = '';
      for (let pages = 0; pages < 40; pages++) {
        const page = good(await caller.get(`${path}?limit=50${after}`));
        if (page.paginationToken === null) break;
        after = `&startsAfter=${page.paginationToken}`;
      }
    }
  }
}

/** Events that nobody is told, that somebody will be, and that were told in vain. */
export async function everyDelivery(world: World, api: Api): Promise<void> {
  for (const { id } of good(await api.get('/v1/webhooks')).items)
    good(await api.delete(`/v1/webhooks/${id}`));
  good(await api.post('/v1/customers', { email: 'unheard@example.com' }));
  good(await api.get('/v1/events?limit=5'));
  const deaf = world.receivers.open('deaf');
  deaf.behaviour = 500;
  const webhook = { url: deaf.url, active: true, eventTypes: ['Customer.created'] };
  good(await api.post('/v1/webhooks', webhook));
  good(await api.post('/v1/customers', { email: 'heard@example.com' }));
  await world.advance({ seconds: 1 });
  good(await api.get('/v1/events?limit=5'));
  await world.advance({ minutes: 60 });
  good(await api.get('/v1/events?limit=5'));
}
