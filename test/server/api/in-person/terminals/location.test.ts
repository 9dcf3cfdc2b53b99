import { describe, expect, test } from 'vitest';
import { ADDRESS, LOCATION, shopServer, UNKNOWN_ID } from '../shop-server.ts';

const LIST = '/v1/in-person/locations';

const address = (change: object) => ({ ...LOCATION, address: { ...ADDRESS, ...change } });
const metadata = (map: unknown) => ({ ...LOCATION, metadata: map });
const entries = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'value']));

/** Every rule of a new location's fields (Spec §2.7, §8): a body, and the field that a refusal names. */
const REFUSED: [string, unknown, string][] = [
  ['no name', { address: ADDRESS }, 'name'],
  ['a name that is null', { ...LOCATION, name: null }, 'name'],
  ['a name that is a number', { ...LOCATION, name: 12345 }, 'name'],
  ['a name of 4', { ...LOCATION, name: 'Shop' }, 'name'],
  ['a name of 51', { ...LOCATION, name: 'x'.repeat(51) }, 'name'],
  ['no address', { name: 'Corner Shop' }, 'address'],
  ['an address that is text', { ...LOCATION, address: '1 High Street' }, 'address'],
  ['an address that is a list', { ...LOCATION, address: [] }, 'address'],
  ['no lineOne', address({ lineOne: undefined }), 'address.lineOne'],
  ['an empty lineOne', address({ lineOne: '' }), 'address.lineOne'],
  ['a lineOne of 81', address({ lineOne: 'x'.repeat(81) }), 'address.lineOne'],
  ['an empty lineTwo', address({ lineTwo: '' }), 'address.lineTwo'],
  ['a lineTwo of 81', address({ lineTwo: 'x'.repeat(81) }), 'address.lineTwo'],
  ['a lineTwo that is a number', address({ lineTwo: 2 }), 'address.lineTwo'],
  ['no city', address({ city: null }), 'address.city'],
  ['a city of 1', address({ city: 'Y' }), 'address.city'],
  ['a city of 51', address({ city: 'x'.repeat(51) }), 'address.city'],
  ['no country', address({ country: undefined }), 'address.country'],
  ['a country of 1', address({ country: 'G' }), 'address.country'],
  ['a country of 3', address({ country: 'GBR' }), 'address.country'],
  ['a country in small letters', address({ country: 'gb' }), 'address.country'],
  ['no postalCode', address({ postalCode: undefined }), 'address.postalCode'],
  ['a postalCode of 1', address({ postalCode: '1' }), 'address.postalCode'],
  ['a postalCode of 17', address({ postalCode: '1'.repeat(17) }), 'address.postalCode'],
  ['an empty region', address({ region: '' }), 'address.region'],
  ['a region of 81', address({ region: 'x'.repeat(81) }), 'address.region'],
  ['no region in the US', address({ country: 'US' }), 'address.region'],
  ['a region that is null in the US', address({ country: 'US', region: null }), 'address.region'],
  ['a region by its name in the US', address({ country: 'US', region: 'Texas' }), 'address.region'],
  ['no region in Canada', address({ country: 'CA' }), 'address.region'],
  [
    'coordinates without longitude',
    { ...LOCATION, geoCoordinates: { latitude: 1 } },
    'geoCoordinates.longitude',
  ],
  [
    'coordinates whose latitude is null',
    { ...LOCATION, geoCoordinates: { latitude: null, longitude: 1 } },
    'geoCoordinates.latitude',
  ],
  [
    'coordinates that are text',
    { ...LOCATION, geoCoordinates: { latitude: '1', longitude: 1 } },
    'geoCoordinates.latitude',
  ],
  [
    'a latitude beyond the pole',
    { ...LOCATION, geoCoordinates: { latitude: 90.1, longitude: 0 } },
    'geoCoordinates.latitude',
  ],
  [
    'a longitude beyond the date line',
    { ...LOCATION, geoCoordinates: { latitude: 0, longitude: -180.1 } },
    'geoCoordinates.longitude',
  ],
  ['metadata that is text', metadata('a=b'), 'metadata'],
  ['metadata that is a list', metadata(['a']), 'metadata'],
  ['11 metadata entries', metadata(entries(11)), 'metadata'],
  ['an empty metadata key', metadata({ '': 'x' }), 'metadata'],
  ['a metadata key of 31', metadata({ ['k'.repeat(31)]: 'x' }), 'metadata'],
  ['an empty metadata value', metadata({ key: '' }), 'metadata.key'],
  ['a metadata value of 251', metadata({ key: 'v'.repeat(251) }), 'metadata.key'],
  ['a metadata value that is a number', metadata({ key: 1 }), 'metadata.key'],
  ['a metadata value that is an object', metadata({ key: { a: 'b' } }), 'metadata.key'],
  ['a number behind a metadata key with a line break', metadata({ 'a\nb': 1 }), 'metadata'],
  ['a body that is an empty list, which counts as none', [], 'name'],
  ['a body that is a list with something in it', [LOCATION], 'body'],
];

test.each(REFUSED)(
  'POST /in-person/locations: refuses %s',
  { tags: ['spec:2.1/metadata-keys-and-values', 'spec:2.7/lengths', 'spec:2.7/region'] },
  async (_, body, field) => {
    const { call } = await shopServer();
    const { status, body: envelope } = await call(`POST ${LIST}`, { body });
    expect([status, envelope.errors[0].code]).toEqual([400, 'invalid_field']);
    expect(envelope.errors[0].message.split(' ')[0]).toMatch(
      new RegExp(`^${field.replaceAll('.', '\\.')}(\\.|$)`),
    );
    expect((await call(`GET ${LIST}`)).body.items).toEqual([]);
  },
);

/** What is just good enough, and how it is shown. */
const TAKEN: [string, object, object][] = [
  ['a name of 5', { ...LOCATION, name: 'Shop1' }, { name: 'Shop1' }],
  [
    'a name of 50 characters outside ASCII',
    { ...LOCATION, name: '💳'.repeat(50) },
    { name: '💳'.repeat(50) },
  ],
  [
    'an address of the shortest parts',
    address({ lineOne: 'x', lineTwo: 'y', city: 'Ys', postalCode: '80', region: 'z' }),
    { address: { lineOne: 'x', lineTwo: 'y', city: 'Ys', country: 'GB', postalCode: '80', region: 'z' } },
  ],
  [
    'an address of the longest parts',
    address({
      lineOne: 'x'.repeat(80),
      lineTwo: 'y'.repeat(80),
      city: 'c'.repeat(50),
      postalCode: '1'.repeat(16),
      region: 'r'.repeat(80),
    }),
    { address: expect.objectContaining({ lineTwo: 'y'.repeat(80), region: 'r'.repeat(80) }) },
  ],
  [
    'lineTwo and region that are null',
    address({ lineTwo: null, region: null }),
    { address: { ...ADDRESS, lineTwo: null, region: null } },
  ],
  [
    'a state of the US',
    address({ country: 'US', region: 'TX' }),
    { address: expect.objectContaining({ region: 'TX' }) },
  ],
  [
    'a province of Canada',
    address({ country: 'CA', region: 'ON' }),
    { address: expect.objectContaining({ region: 'ON' }) },
  ],
  ['no coordinates', { ...LOCATION, geoCoordinates: null }, { geoCoordinates: null }],
  [
    'coordinates at the edge of the map',
    { ...LOCATION, geoCoordinates: { latitude: -90, longitude: 180 } },
    { geoCoordinates: { latitude: -90, longitude: 180 } },
  ],
  ['no metadata', LOCATION, { metadata: {} }],
  ['10 metadata entries', metadata(entries(10)), { metadata: entries(10) }],
  [
    'the longest metadata',
    metadata({ ['k'.repeat(30)]: 'v'.repeat(250) }),
    { metadata: { ['k'.repeat(30)]: 'v'.repeat(250) } },
  ],
  ['a metadata key with a line break', metadata({ 'a\nb': 'c' }), { metadata: { 'a\nb': 'c' } }],
  ['a metadata value that is null', metadata({ a: null, b: 'c' }), { metadata: { b: 'c' } }],
];

test.each(TAKEN)(
  'POST /in-person/locations: accepts %s',
  { tags: ['spec:4.11/POST/in-person/locations'] },
  async (_, body, shown) => {
    const { call } = await shopServer();
    const made = await call(`POST ${LIST}`, { body });
    expect(made).toMatchObject({ status: 200, body: shown });
    expect((await call(`GET ${LIST}/${made.body.id}`)).body).toEqual(made.body);
  },
);

test(
  'GET /in-person/locations/{id}: returns every field, null for empty ones',
  { tags: ['spec:4.11/GET/in-person/locations/{id}', 'spec:2.7/null-fields'] },
  async () => {
    const { call, clock } = await shopServer();
    const { body } = await call(`POST ${LIST}`, { body: LOCATION });
    expect(body).toEqual({
      id: expect.stringMatching(/^iploc_[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
      ...LOCATION,
      address: { ...ADDRESS, lineTwo: null, region: null },
      geoCoordinates: null,
      metadata: {},
      createdTimestamp: Math.floor(clock.nowMs() / 1000),
      lastUpdatedTimestamp: Math.floor(clock.nowMs() / 1000),
    });
  },
);

test('POST /in-person/locations: drops unknown fields', async () => {
  const { call, services } = await shopServer();
  const extra = {
    unheard: 'of',
    address: { ...ADDRESS, planet: 'Earth' },
    geoCoordinates: { latitude: 1, longitude: 2, altitude: 3 },
  };
  const { status, body } = await call(`POST ${LIST}`, { body: { ...LOCATION, ...extra } });
  expect([status, body.geoCoordinates]).toEqual([200, { latitude: 1, longitude: 2 }]);
  expect(JSON.stringify(await services.store.all('SELECT * FROM locations'))).not.toMatch(
    /planet|altitude|unheard/,
  );
});

describe('PATCH /in-person/locations/{id}', () => {
  const made = { ...LOCATION, metadata: { a: 'b' } };

  test.each([
    ['a new name', { name: 'Other Shop' }, { name: 'Other Shop', metadata: { a: 'b' } }],
    ['a name that is null', { name: null }, { name: 'Corner Shop', metadata: { a: 'b' } }],
    ['other metadata', { metadata: { c: 'd' } }, { name: 'Corner Shop', metadata: { c: 'd' } }],
    ['empty metadata', { metadata: {} }, { metadata: {} }],
    ['metadata that is null', { metadata: null }, { metadata: { a: 'b' } }],
    ['nothing', {}, { name: 'Corner Shop', metadata: { a: 'b' } }],
    [
      'an address and coordinates, which stay as they are',
      { address: { lineOne: '2 Low Street' }, geoCoordinates: { latitude: 'north' } },
      { address: { ...ADDRESS, lineTwo: null, region: null }, geoCoordinates: null },
    ],
  ])(
    'accepts %s',
    { tags: ['spec:4.11/PATCH/in-person/locations/{id}', 'spec:4.11/address-fixed'] },
    async (_, change, shown) => {
      const { call, clock } = await shopServer();
      const { body } = await call(`POST ${LIST}`, { body: made });
      await clock.advance(5_000);
      const changed = await call(`PATCH ${LIST}/${body.id}`, { body: change });
      expect(changed).toMatchObject({ status: 200, body: shown });
      expect(changed.body.lastUpdatedTimestamp).toBe(body.createdTimestamp + 5);
      expect((await call(`GET ${LIST}/${body.id}`)).body).toEqual(changed.body);
    },
  );

  test.each([
    ['a name of 4', { name: 'Shop' }, 'name '],
    ['a name of 51', { name: 'x'.repeat(51) }, 'name '],
    ['11 metadata entries', { metadata: entries(11) }, 'metadata '],
    ['a metadata value of 251', { metadata: { key: 'v'.repeat(251) } }, 'metadata.key '],
  ])('refuses %s', async (_, change, field) => {
    const { call } = await shopServer();
    const { body } = await call(`POST ${LIST}`, { body: made });
    const refused = await call(`PATCH ${LIST}/${body.id}`, { body: change });
    expect([refused.status, refused.body.errors[0].code]).toEqual([400, 'invalid_field']);
    expect(refused.body.errors[0].message.startsWith(field)).toBe(true);
    expect((await call(`GET ${LIST}/${body.id}`)).body).toEqual(body);
  });
});

test.each([`iploc_${UNKNOWN_ID}`, 'iploc_1', 'nonsense', '%20'])(
  'GET /in-person/locations/{id}: %s is not found',
  async (id) => {
    const { call } = await shopServer();
    for (const operation of [`GET ${LIST}/${id}`, `PATCH ${LIST}/${id}`, `DELETE ${LIST}/${id}`]) {
      const { status, body } = await call(operation, { raw: '{"name": 1' });
      expect([operation, status, body.errors[0].code]).toEqual([operation, 404, 'not_found']);
    }
  },
);

describe('DELETE /in-person/locations/{id}', () => {
  test(
    'refused while it has a terminal, accepted once it has none',
    { tags: ['spec:4.11/DELETE/in-person/locations/{id}', 'spec:4.11/delete-without-terminal'] },
    async () => {
      const { call, terminal } = await shopServer();
      const id = await terminal();
      const { body: registered } = await call(`GET /v1/in-person/terminals/${id}`);
      const path = `${LIST}/${registered.location.id}`;
      const refused = await call(`DELETE ${path}`);
      expect([refused.status, refused.body.errors[0].code]).toEqual([400, 'bad_request']);
      await call(`DELETE /v1/in-person/terminals/${id}`);
      expect(await call(`DELETE ${path}`)).toMatchObject({
        status: 200,
        body: { id: registered.location.id },
      });
      expect((await call(`GET ${path}`)).status).toBe(404);
      expect((await call(`DELETE ${path}`)).status).toBe(404);
    },
  );

  test('accepts a body, as some clients send one', async () => {
    const { call, location } = await shopServer();
    for (const raw of ['{}', '[]', '']) {
      const headers = { 'content-type': 'application/json' };
      expect((await call(`DELETE ${LIST}/${await location()}`, { raw, headers })).status).toBe(200);
    }
  });

  test('of two concurrent calls one deletes', async () => {
    const { call, location, race } = await shopServer();
    const path = `${LIST}/${await location()}`;
    const remove = () => call(`DELETE ${path}`);
    expect(await race(remove, remove)).toEqual([200, 404]);
  });

  test('a concurrent update that comes too late is refused', async () => {
    const { call, location, race } = await shopServer();
    const path = `${LIST}/${await location()}`;
    const rename = () => call(`PATCH ${path}`, { body: { name: 'Other Shop' } });
    expect(await race(() => call(`DELETE ${path}`), rename)).toEqual([200, 404]);
  });

  test('a concurrent registration of a terminal: one of the two succeeds', async () => {
    const { call, location, race } = await shopServer();
    const locationIds = [await location(), await location()];
    const calls = locationIds.map((locationId, index) => ({
      remove: () => call(`DELETE ${LIST}/${locationId}`),
      register: () =>
        call('POST /v1/in-person/terminals', { body: { serialNumber: `185300000${index}`, locationId } }),
    }));
    expect(await race(calls[0]!.remove, calls[0]!.register)).toEqual([200, 404]);
    expect(await race(calls[1]!.register, calls[1]!.remove)).toEqual([200, 400]);
  });
});
