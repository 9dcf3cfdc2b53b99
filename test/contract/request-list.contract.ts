import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../server/platform/store/store.ts';
import type { Api } from '../../testing/world/api.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

const COUNT_MAX = 20;
const CUSTOMER = { email: 'ana@corner.example', firstName: 'Ana' };

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

/** What the stored requests promise on every store. `open` makes a new store with its tables. */
export function requestListContract(open: () => Promise<Store>): void {
  describe('requests in the store', () => {
    let world: World;
    let api: Api;
    beforeEach(async () => {
      const store = await open();
      world = await startWorld({
        engines: { store },
        settings: { requestLog: { countMax: COUNT_MAX, days: 7 } },
      });
      api = world.api;
      onTestFinished(() => world.close());
    });

    async function list(query = ''): Promise<Json[]> {
      const { status, body } = await api.get(`/sandbox/requests${query}`);
      expect(status).toBe(200);
      return body.items;
    }

    test('requests: are listed by status, method, path, object, account and text', async () => {
      const { id } = (await api.post('/v1/customers', CUSTOMER)).body;
      await api.get(`/v1/customers/${id}`);
      await api.as(world.subAccountId).get(`/v1/customers/${id}`);
      await api.get('/v1/payment-sessions');
      const paths = async (query: string) =>
        (await list(query)).map(({ method, path, status }) => `${method} ${path} ${status}`);

      const one = `/v1/customers/${id}`;
      expect(await paths('?status=4xx')).toEqual([`GET ${one} 404`]);
      expect(await paths('?status=404')).toEqual([`GET ${one} 404`]);
      expect(await paths('?status=none')).toEqual([]);
      expect(await paths('?method=POST')).toEqual(['POST /v1/customers 200']);
      expect(await paths('?path=/payment')).toEqual(['GET /v1/payment-sessions 200']);
      expect(await paths(`?object=${id}`)).toEqual([
        `GET ${one} 404`,
        `GET ${one} 200`,
        'POST /v1/customers 200',
      ]);
      expect(await paths(`?account=${world.subAccountId}`)).toEqual([`GET ${one} 404`]);
      expect(await paths('?text=ANA%40corner')).toEqual([`GET ${one} 200`, 'POST /v1/customers 200']);
      expect(await paths('?text=an_%40corner')).toEqual([]);
      expect((await api.get('/sandbox/requests?status=abc')).body.errors[0].message).toMatch('status');
    });

    test('requests: pages go on where the last one ended, and newer requests follow with ascending', async () => {
      for (let number = 0; number < 5; number += 1) await api.get(`/v1/customers?limit=${number + 1}`);
      const first = (await api.get('/sandbox/requests?limit=2')).body;
      const second = (await api.get(`/sandbox/requests?limit=2&startsAfter=${first.paginationToken}`)).body;
      const ids = (page: Json) => page.items.map((item: Json) => item.id);
      const all = (await list('?limit=50')).map(({ id }) => id);
      expect([...ids(first), ...ids(second)]).toEqual(all.slice(0, 4));

      await api.get('/v1/events');
      const newer = (await api.get(`/sandbox/requests?ascending=true&startsAfter=${all[0]}`)).body;
      expect(newer.items.map((item: Json) => item.path)).toEqual(['/v1/events']);
    });

    test('requests: any text of a caller is stored, and is in the request that is read', async () => {
      const body = '{"firstName": "Zoë 🧾 \\u0000 \\ud800", "email": ';
      await api.raw('POST', '/v1/customers', body);
      await api.raw('GET', '/v1/customers?email=%00%F0%9F%A7%BE');
      const [read, created] = await list();
      expect((await api.get(`/sandbox/requests/${created.id}`)).body).toMatchObject({ status: 400, body });
      expect((await api.get(`/sandbox/requests/${read.id}`)).body.query).toEqual({ email: '\0🧾' });
    });

    test('requests: the latest are kept', async () => {
      for (let number = 1; number <= COUNT_MAX + 5; number += 1)
        await api.get(`/v1/customers?email=${number}`);
      const { items } = (await api.get('/sandbox/requests?limit=50')).body;
      expect(items).toHaveLength(COUNT_MAX);
      expect(await list('?text=%2225%22')).toHaveLength(1);
      expect(await list('?text=%225%22')).toHaveLength(0);
    });

    test('requests: a reset deletes those before it', async () => {
      await api.post('/v1/customers', CUSTOMER);
      await api.post('/sandbox/reset');
      expect((await list()).map(({ path }) => path)).toEqual(['/sandbox/reset']);
    });
  });
}
