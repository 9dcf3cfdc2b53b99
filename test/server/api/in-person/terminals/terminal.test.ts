import { describe, expect, test } from 'vitest';
import { listSimulated } from '../../../../../server/api/in-person/terminals/terminal.records.ts';
import { PAYMENT, shopServer, UNKNOWN_ID, type ShopServer } from '../shop-server.ts';

const LIST = '/v1/in-person/terminals';

const entries = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'value']));

async function register(shop: ShopServer, change: object) {
  const body = { serialNumber: '1853012345', locationId: await shop.location(), ...change };
  return shop.call(`POST ${LIST}`, { body });
}

/** Every rule of a new terminal's fields (Spec §2.8, §4.12). */
test.each([
  ['no serial number', { serialNumber: undefined }, 'serialNumber'],
  ['a serial number that is a number', { serialNumber: 1853012345 }, 'serialNumber'],
  ['a serial number of 3', { serialNumber: '185' }, 'serialNumber'],
  ['a serial number of 41', { serialNumber: '1'.repeat(41) }, 'serialNumber'],
  ['a serial number with a space', { serialNumber: '1853 0123' }, 'serialNumber'],
  ['a serial number with a line break', { serialNumber: '18530123\n' }, 'serialNumber'],
  ['a serial number that begins with a hyphen', { serialNumber: '-1853012' }, 'serialNumber'],
  ['no location', { locationId: null }, 'locationId'],
  ['a location that is a number', { locationId: 1 }, 'locationId'],
  ['an empty name', { name: '' }, 'name'],
  ['a name of 51', { name: 'x'.repeat(51) }, 'name'],
  ['a name that is a number', { name: 7 }, 'name'],
  ['11 metadata entries', { metadata: entries(11) }, 'metadata'],
  ['a metadata key of 31', { metadata: { ['k'.repeat(31)]: 'x' } }, 'metadata'],
  ['an empty metadata value', { metadata: { key: '' } }, 'metadata.key'],
  ['a metadata value of 251', { metadata: { key: 'v'.repeat(251) } }, 'metadata.key'],
])(
  'POST /in-person/terminals: refuses %s',
  { tags: ['spec:4.12/serial-number'] },
  async (_, change, field) => {
    const shop = await shopServer();
    const { status, body } = await register(shop, change);
    expect([status, body.errors[0].code]).toEqual([400, 'invalid_field']);
    expect(body.errors[0].message.split(' ')[0]).toBe(field);
    expect((await shop.call(`GET ${LIST}`)).body.items).toEqual([]);
  },
);

test.each([
  ['a serial number of 4', { serialNumber: 'A-92' }, { device: { serialNumber: 'A-92' } }],
  ['a serial number of 40', { serialNumber: '1'.repeat(40) }, { device: { serialNumber: '1'.repeat(40) } }],
  ['a name of 1', { name: 'T' }, { name: 'T' }],
  ['a name of 50', { name: 'x'.repeat(50) }, { name: 'x'.repeat(50) }],
  ['no name', {}, { name: 'PAX A920 Pro 2345', device: { type: 'A920Pro' } }],
  ['a name that is null', { name: null }, { name: 'PAX A920 Pro 2345' }],
  ['a simulated one', { serialNumber: 'SIM-7' }, { name: 'Simulated terminal IM-7' }],
  ['10 metadata entries', { metadata: entries(10) }, { metadata: entries(10) }],
])(
  'POST /in-person/terminals: accepts %s',
  { tags: ['spec:4.12/POST/in-person/terminals'] },
  async (_, change, shown) => {
    const shop = await shopServer();
    const made = await register(shop, change);
    expect(made).toMatchObject({ status: 200, body: shown });
    expect((await shop.call(`GET ${LIST}/${made.body.id}`)).body).toEqual(made.body);
  },
);

test(
  'GET /in-person/terminals/{id}: returns every field, with no action at first',
  { tags: ['spec:4.12/GET/in-person/terminals/{id}'] },
  async () => {
    const shop = await shopServer();
    const locationId = await shop.location();
    const { body } = await register(shop, { name: 'Till 2', locationId, metadata: { a: 'b' } });
    const now = Math.floor(shop.clock.nowMs() / 1000);
    expect(body).toEqual({
      id: expect.stringMatching(/^tml_[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
      name: 'Till 2',
      location: { id: locationId },
      device: { type: 'A920Pro', serialNumber: '1853012345' },
      action: null,
      metadata: { a: 'b' },
      createdTimestamp: now,
      lastUpdatedTimestamp: now,
    });
  },
);

describe('POST /in-person/terminals: serial numbers', () => {
  test('are unique across accounts until the terminal is deleted', async () => {
    const shop = await shopServer();
    const first = await register(shop, {});
    expect(await register(shop, {})).toMatchObject({ status: 409, body: { errors: [{ code: 'conflict' }] } });
    const headers = { account: shop.subAccountId };
    const body = { serialNumber: '1853012345', locationId: await shop.location(shop.subAccountId) };
    const theirs = await shop.call(`POST ${LIST}`, { body, headers });
    expect(theirs.status).toBe(409);
    expect(JSON.stringify(theirs.body)).not.toContain(first.body.id);
    await shop.call(`DELETE ${LIST}/${first.body.id}`);
    expect((await shop.call(`POST ${LIST}`, { body, headers })).status).toBe(200);
  });

  test('of two concurrent registrations one succeeds', async () => {
    const shop = await shopServer();
    const locationId = await shop.location();
    const again = () => shop.call(`POST ${LIST}`, { body: { serialNumber: '1853012345', locationId } });
    expect(await shop.race(again, again)).toEqual([200, 409]);
  });

  test('that begin with SIM, in capitals, are simulated', async () => {
    const shop = await shopServer();
    const wanted = await register(shop, { serialNumber: 'SIM-0001' });
    for (const serialNumber of ['sim-0002', 'ASIM-003']) await register(shop, { serialNumber });
    const simulated = await listSimulated(shop.services.store);
    const { id, location } = wanted.body;
    const summary = { id, serialNumber: 'SIM-0001', accountId: shop.platformId, locationId: location.id };
    expect(simulated).toEqual([summary]);
  });
});

test.each([`iploc_${UNKNOWN_ID}`, 'nonsense', ''])(
  'POST /in-person/terminals: location %j is not found',
  async (locationId) => {
    const shop = await shopServer();
    const refusal = { status: 404, body: { errors: [{ code: 'not_found', message: 'no such location' }] } };
    expect(await register(shop, { locationId })).toMatchObject(refusal);
    const { body } = await register(shop, {});
    expect(await shop.call(`PATCH ${LIST}/${body.id}`, { body: { locationId } })).toMatchObject(refusal);
  },
);

describe('PATCH /in-person/terminals/{id}', () => {
  test.each([
    ['a new name', { name: 'Till 9' }, { name: 'Till 9', metadata: { a: 'b' } }],
    ['a name that is null', { name: null }, { name: 'Till 2' }],
    ['other metadata', { metadata: { c: 'd' } }, { name: 'Till 2', metadata: { c: 'd' } }],
    ['metadata that is null', { metadata: null }, { metadata: { a: 'b' } }],
    ['a location that is null', { locationId: null }, { name: 'Till 2' }],
    ['a serial number, which stays', { serialNumber: 'other' }, { device: { serialNumber: '1853012345' } }],
  ])('accepts %s', { tags: ['spec:4.12/PATCH/in-person/terminals/{id}'] }, async (_, change, shown) => {
    const shop = await shopServer();
    const { body } = await register(shop, { name: 'Till 2', metadata: { a: 'b' } });
    await shop.clock.advance(5_000);
    const changed = await shop.call(`PATCH ${LIST}/${body.id}`, { body: change });
    expect(changed).toMatchObject({ status: 200, body: { ...shown, location: body.location } });
    expect(changed.body.lastUpdatedTimestamp).toBe(body.createdTimestamp + 5);
  });

  test('moves to another location during an action, which continues', async () => {
    const shop = await shopServer();
    const id = await shop.terminal();
    const { actionId } = await shop.pay(id);
    const locationId = await shop.location();
    const { body } = await shop.call(`PATCH ${LIST}/${id}`, { body: { locationId } });
    expect(body).toMatchObject({
      location: { id: locationId },
      action: { id: actionId, status: 'InProgress' },
    });
  });

  test.each([
    ['an empty name', { name: '' }, 'name '],
    ['a name of 51', { name: 'x'.repeat(51) }, 'name '],
    ['11 metadata entries', { metadata: entries(11) }, 'metadata '],
    ['a location that is a number', { locationId: 1 }, 'locationId '],
  ])('refuses %s', async (_, change, field) => {
    const shop = await shopServer();
    const { body } = await register(shop, {});
    const refused = await shop.call(`PATCH ${LIST}/${body.id}`, { body: change });
    expect([refused.status, refused.body.errors[0].code]).toEqual([400, 'invalid_field']);
    expect(refused.body.errors[0].message.startsWith(field)).toBe(true);
  });
});

describe('DELETE /in-person/terminals/{id}', () => {
  test(
    'removes the terminal, for payments too',
    { tags: ['spec:4.12/DELETE/in-person/terminals/{id}', 'spec:4.12/deleted-terminal'] },
    async () => {
      const shop = await shopServer();
      const id = await shop.terminal();
      expect(await shop.call(`DELETE ${LIST}/${id}`)).toMatchObject({ status: 200, body: { id } });
      expect((await shop.call(`GET ${LIST}/${id}`)).status).toBe(404);
      expect((await shop.call(`DELETE ${LIST}/${id}`)).status).toBe(404);
      expect((await shop.at(id, 'payment', PAYMENT)).status).toBe(404);
      expect((await shop.call(`GET ${LIST}`)).body.items).toEqual([]);
    },
  );

  test('refused during an action', async () => {
    const shop = await shopServer();
    const id = await shop.terminal();
    await shop.pay(id);
    const refused = await shop.call(`DELETE ${LIST}/${id}`);
    expect([refused.status, refused.body.errors[0].code]).toEqual([400, 'bad_request']);
    await shop.at(id, 'cancel-action');
    expect((await shop.call(`DELETE ${LIST}/${id}`)).status).toBe(200);
  });

  test('concurrent with the start of a payment: one of the two succeeds', async () => {
    const shop = await shopServer();
    const ids = [await shop.terminal(), await shop.terminal()];
    const calls = ids.map((id) => ({
      remove: () => shop.call(`DELETE ${LIST}/${id}`),
      pay: () => shop.at(id, 'payment', PAYMENT),
    }));
    expect(await shop.race(calls[0]!.remove, calls[0]!.pay)).toEqual([200, 404]);
    expect(shop.sentTo(ids[0]!)).toEqual([]);
    expect(await shop.services.store.all('SELECT id FROM payment_sessions')).toEqual([]);
    expect(await shop.race(calls[1]!.pay, calls[1]!.remove)).toEqual([200, 400]);
    expect((await shop.at(ids[1]!, 'cancel-action')).status).toBe(200);
  });

  test('of two concurrent calls one deletes, and a late update is refused', async () => {
    const shop = await shopServer();
    const path = `${LIST}/${await shop.terminal()}`;
    const remove = () => shop.call(`DELETE ${path}`);
    const rename = () => shop.call(`PATCH ${path}`, { body: { name: 'Till 3' } });
    expect(await shop.race(remove, remove, rename)).toEqual([200, 404, 404]);
    expect(shop.activities.filter(({ kind }) => kind === 'terminal.removed')).toHaveLength(1);
  });
});

test.each([`tml_${UNKNOWN_ID}`, 'tml_1', `iploc_${UNKNOWN_ID}`])(
  'GET /in-person/terminals/{id}: %s is not found',
  async (id) => {
    const { call } = await shopServer();
    const calls = ['payment', 'refund', 'cancel-action', 'confirm-receipt'].map(
      (what) => `POST ${LIST}/${id}/${what}`,
    );
    for (const operation of [`GET ${LIST}/${id}`, `PATCH ${LIST}/${id}`, `DELETE ${LIST}/${id}`, ...calls]) {
      const { status, body } = await call(operation, { raw: 'not JSON' });
      const errors = [{ code: 'not_found', message: 'no such terminal' }];
      expect([operation, status, body.errors]).toEqual([operation, 404, errors]);
    }
  },
);

test(
  'GET /in-person/terminals: returns terminals with their latest actions, newest first',
  { tags: ['spec:4.12/GET/in-person/terminals', 'spec:2.8/latest-action'] },
  async () => {
    const shop = await shopServer();
    const [first, second] = [await shop.terminal(), await shop.terminal()];
    await shop.pay(first);
    await shop.at(first, 'cancel-action');
    const { actionId } = await shop.pay(first);
    const { body } = await shop.call(`GET ${LIST}`);
    expect(body).toMatchObject({
      items: [
        { id: second, action: null },
        { id: first, action: { id: actionId, status: 'InProgress' } },
      ],
      paginationToken: null,
    });
    const page = await shop.call(`GET ${LIST}?ascending=True&limit=1`);
    expect(page.body).toMatchObject({ items: [{ id: first }], paginationToken: first });
  },
);
