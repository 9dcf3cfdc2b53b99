import { expect, test } from 'vitest';
import { locationRoutes } from '../../../../server/api/in-person/terminals/location.resource.ts';
import { smallServer, type SmallServer } from './small-server.ts';

const PATH = '/v1/in-person/locations';
const address = { lineOne: '1 High St', city: 'Leeds', country: 'GB', postalCode: 'LS1 1AA' };

/** Makes locations, all within one second, and answers their ids in order. */
async function makeLocations(server: SmallServer, count: number, account?: string): Promise<string[]> {
  const ids = [];
  for (let i = 0; i < count; i++) {
    const { body } = await server.call(`POST ${PATH}`, {
      body: { name: `Shop ${i}`, address },
      ...(account ? { headers: { account } } : {}),
    });
    ids.push(body.id as string);
  }
  return ids;
}

async function page(server: SmallServer, query: string): Promise<{ ids: string[]; token: string | null }> {
  const { status, body } = await server.call(`GET ${PATH}?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return { ids: body.items.map((item: { id: string }) => item.id), token: body.paginationToken };
}

async function allPages(server: SmallServer, query: string): Promise<string[][]> {
  const pages = [];
  for (let token: string | null = ''; token !== null;) {
    const next: Awaited<ReturnType<typeof page>> = await page(server, `${query}&startsAfter=${token}`);
    pages.push(next.ids);
    token = next.token;
  }
  return pages;
}

test('paging: an empty list has no items and no token', async () => {
  const server = await smallServer(locationRoutes);
  const { body } = await server.call(`GET ${PATH}`);
  expect(body).toEqual({ items: [], paginationToken: null });
});

test(
  'paging: a page is ten items, newest first, ties in the order of creation',
  { tags: ['spec:4.11/GET/in-person/locations', 'spec:4/newest-first'] },
  async () => {
    const server = await smallServer(locationRoutes);
    const made = await makeLocations(server, 12);
    const first = await page(server, '');
    expect(first.ids).toEqual(made.slice(2).reverse());
    expect(await page(server, `startsAfter=${first.token}`)).toEqual({
      ids: [made[1], made[0]],
      token: null,
    });
  },
);

test(
  'paging: following the tokens in either direction returns each item once',
  { tags: ['spec:4/starts-after'] },
  async () => {
    const server = await smallServer(locationRoutes);
    const made = await makeLocations(server, 7);
    expect(await allPages(server, 'limit=3')).toEqual([
      [made[6], made[5], made[4]],
      [made[3], made[2], made[1]],
      [made[0]],
    ]);
    expect(await allPages(server, 'limit=3&ascending=true')).toEqual([
      [made[0], made[1], made[2]],
      [made[3], made[4], made[5]],
      [made[6]],
    ]);
  },
);

test('paging: a full last page ends the list', { tags: ['spec:2.1/list-shape'] }, async () => {
  const server = await smallServer(locationRoutes);
  const made = await makeLocations(server, 4);
  expect(await allPages(server, 'limit=2&ascending=1')).toEqual([made.slice(0, 2), made.slice(2)]);
  expect((await page(server, 'limit=4')).token).toBeNull();
  expect((await page(server, 'limit=50')).token).toBeNull();
  expect((await page(server, 'limit=3')).token).toBe(made[1]);
});

test('paging: items created meanwhile do not disturb the pages', async () => {
  const server = await smallServer(locationRoutes);
  const made = await makeLocations(server, 4);
  const first = await page(server, 'limit=2');
  await makeLocations(server, 3);
  expect(await page(server, `limit=2&startsAfter=${first.token}`)).toEqual({
    ids: [made[1], made[0]],
    token: null,
  });
});

test('paging: a token stays valid when its item is deleted', async () => {
  const server = await smallServer(locationRoutes);
  const made = await makeLocations(server, 5);
  const first = await page(server, 'limit=2');
  expect(first.token).toBe(made[3]);
  await server.call(`DELETE ${PATH}/${made[3]}`);
  await server.call(`DELETE ${PATH}/${made[1]}`);
  expect(await page(server, `startsAfter=${first.token}`)).toEqual({ ids: [made[2], made[0]], token: null });
  expect(await page(server, 'ascending=true')).toEqual({ ids: [made[0], made[2], made[4]], token: null });
});

test('paging: the last item as a token returns an empty page', async () => {
  const server = await smallServer(locationRoutes);
  const made = await makeLocations(server, 2);
  expect(await page(server, `startsAfter=${made[0]}`)).toEqual({ ids: [], token: null });
});

test.each(['nonsense', 'iploc_01JGXDFAM0Y2QZJP0SHDFV20F9', "' OR ''='", '%F0%9F%92%B3'])(
  'paging: refuses startsAfter=%s',
  async (token) => {
    const server = await smallServer(locationRoutes);
    await makeLocations(server, 2);
    const { status, body } = await server.call(`GET ${PATH}?startsAfter=${token}`);
    expect([status, body.errors[0].code]).toEqual([400, 'invalid_field']);
    expect(body.errors[0].message).toMatch(/^startsAfter /);
  },
);

test('paging: refuses a token of another account', async () => {
  const server = await smallServer(locationRoutes);
  await makeLocations(server, 2);
  const theirs = await makeLocations(server, 2, server.subAccountId);
  const { status, body } = await server.call(`GET ${PATH}?startsAfter=${theirs[0]}`);
  expect([status, body.errors[0].code]).toEqual([400, 'invalid_field']);
});
