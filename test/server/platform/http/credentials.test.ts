import { expect, test } from 'vitest';
import { Type } from '../../../../protocol/schema.ts';
import { insertAccount } from '../../../../server/api/accounts/account.records.ts';
import { defaultSettings } from '../../../../server/api/accounts/account-settings.ts';
import { route, type Route } from '../../../../server/platform/http/route.ts';
import { locationRoutes } from '../../../../server/api/in-person/terminals/location.resource.ts';
import { smallServer } from './small-server.ts';

const Who = Type.Object({ keyKind: Type.String(), accountId: Type.String(), platformId: Type.String() });

/** Routes that answer who is calling, one for each kind of access. */
const common = { tag: 'Who', summary: 'Who is calling', section: 'Spec §5', reply: Who };

const whoRoutes: readonly Route[] = [
  route({ ...common, operation: 'GET /who', accountHeader: true, handle: async ({ caller }) => caller }),
  route({ ...common, operation: 'GET /whoever', access: 'public', handle: async ({ caller }) => caller }),
  route({
    ...common,
    operation: 'GET /anyone',
    surface: 'open',
    access: 'open',
    handle: async ({ caller }) => caller,
  }),
  route({
    ...common,
    operation: 'GET /sandbox/who',
    surface: 'sandbox',
    handle: async ({ caller }) => caller,
  }),
  route({
    ...common,
    operation: 'GET /pairing/who',
    surface: 'pairing',
    handle: async ({ caller }) => caller,
  }),
];

const OTHER_MODE = { sandbox: 'live', live: 'sandbox' } as const;

test.each(['sandbox', 'live'] as const)(
  'credentials: in %s, each key opens its own operations',
  { tags: ['spec:1/sandbox-controls', 'spec:5/authorization-header'] },
  async (mode) => {
    const server = await smallServer(whoRoutes, { mode });
    const { secretKey, publicKey } = server.services.settings;
    const statusOf = async (path: string, authorization: string | null) =>
      (await server.call(`GET ${path}`, { headers: { authorization } })).status;

    const matrix = [
      ['the secret key', secretKey, 200, 200],
      ['the public key', publicKey, 403, 200],
      ['no key', null, 401, 401],
      ['a blank key', '   ', 401, 401],
      ['an unknown secret key of this mode', `sk_${mode}_nobody`, 403, 403],
      ['an unknown public key of this mode', `pk_${mode}_nobody`, 403, 403],
      ['a key of the other mode', `sk_${OTHER_MODE[mode]}_a+b/c=`, 403, 403],
      ['a prefix alone', `sk_${mode}_`, 403, 403],
      ['a scheme word before the key', `Bearer ${secretKey}`, 403, 403],
      ['no key at all but text', 'hello', 403, 403],
      ['a key of ten thousand characters', secretKey + 'x'.repeat(10_000), 403, 403],
    ] as const;
    for (const [what, key, onSecret, onPublic] of matrix) {
      expect([what, await statusOf('/v1/who', key), await statusOf('/v1/whoever', key)]).toEqual([
        what,
        onSecret,
        onPublic,
      ]);
    }
    expect(await statusOf('/anyone', null)).toBe(200);
    expect(await statusOf('/pairing/who', secretKey)).toBe(200);
    expect(await statusOf('/pairing/who', publicKey)).toBe(403);
    expect(await statusOf('/sandbox/who', secretKey)).toBe(mode === 'sandbox' ? 200 : 404);
    expect(await statusOf('/who', secretKey)).toBe(404);
  },
);

test.each([
  ['Bearer', (key: string) => `Bearer ${key}`],
  ['bearer in lower case, and a tab', (key: string) => `bearer\t${key}`],
  ['Basic, the key as user name', (key: string) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
  ['another scheme', (key: string) => `Token ${key}`],
  ['Bearer without a key', () => 'Bearer '],
])('credentials: a key with a scheme word before it is refused with a hint: %s', async (_what, header) => {
  const server = await smallServer(whoRoutes);
  const { secretKey, publicKey } = server.services.settings;
  for (const [path, key] of [
    ['/v1/who', secretKey],
    ['/v1/whoever', publicKey],
    ['/sandbox/who', secretKey],
    ['/pairing/who', secretKey],
  ] as const) {
    const { body, text } = await server.call(`GET ${path}`, { headers: { authorization: header(key) } });
    expect([path, body]).toMatchObject([
      path,
      { code: '403', errors: [{ code: 'forbidden', message: expect.stringMatching(/^send the key alone/) }] },
    ]);
    expect(text).not.toContain(key);
  }
});

test(
  'credentials: a refused key gets a reason in the envelope, without the key',
  { tags: ['spec:5/key-private'] },
  async () => {
    const server = await smallServer(whoRoutes);
    const missing = await server.call('GET /v1/who', { headers: { authorization: null } });
    expect(missing.body).toEqual({
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      code: '401',
      errors: [{ code: 'unauthorized', message: expect.stringContaining('Authorization header') as string }],
    });
    expect(missing.headers['content-type']).toBe('application/json; charset=utf-8');
    const unknown = await server.call('GET /v1/who', { headers: { authorization: 'sk_sandbox_mistyped' } });
    expect(unknown.body).toMatchObject({ code: '403', errors: [{ code: 'forbidden' }] });
    expect(unknown.text).not.toContain('mistyped');
    expect(unknown.body.requestId).not.toBe(missing.body.requestId);
  },
);

test('Account header: selects a linked sub account', { tags: ['spec:5/account-header'] }, async () => {
  const server = await smallServer(whoRoutes);
  const who = async (account: string) => {
    const { status, body } = await server.call('GET /v1/who', { headers: { account } });
    return [status, status === 200 ? body.accountId : body.errors[0].code];
  };
  const { platformId, subAccountId, services } = server;
  expect(await who(subAccountId)).toEqual([200, subAccountId]);
  expect(await who(platformId)).toEqual([200, platformId]);
  expect(await who('ac_00000000-0000-4000-8000-000000000000')).toEqual([403, 'forbidden']);
  expect(await who(`${subAccountId}x`)).toEqual([400, 'invalid_field']);
  expect(await who(subAccountId.toUpperCase())).toEqual([400, 'invalid_field']);
  expect(await who("ac_' OR 1=1 --")).toEqual([400, 'invalid_field']);

  const [otherPlatform, foreignSub] = [services.ids.make('account'), services.ids.make('account')];
  await services.store.transaction(async (tx) => {
    const settings = defaultSettings('Other');
    await insertAccount(
      tx,
      { id: otherPlatform, platformId: null, type: 'Standard', name: 'Other', settings },
      0,
    );
    await insertAccount(
      tx,
      { id: foreignSub, platformId: otherPlatform, type: 'Sub', name: 'Theirs', settings },
      0,
    );
  });
  expect(await who(foreignSub)).toEqual([403, 'forbidden']);
  expect(await who(otherPlatform)).toEqual([403, 'forbidden']);
});

test('Account header: ignored where no account is selected', async () => {
  const server = await smallServer(whoRoutes);
  const { status, body } = await server.call('GET /v1/whoever', { headers: { account: 'rubbish' } });
  expect([status, body.accountId]).toEqual([200, server.platformId]);
});

test('credentials: an object is visible only under the account that created it', async () => {
  const server = await smallServer(locationRoutes);
  const sub = { account: server.subAccountId };
  const body = {
    name: 'Corner',
    address: { lineOne: '1 High St', city: 'Leeds', country: 'GB', postalCode: 'LS1 1AA' },
  };
  const made = await server.call('POST /v1/in-person/locations', { body, headers: sub });
  const path = `/v1/in-person/locations/${made.body.id}`;
  expect((await server.call(`GET ${path}`, { headers: sub })).status).toBe(200);
  expect((await server.call(`GET ${path}`)).status).toBe(404);
  expect((await server.call(`PATCH ${path}`, { body: { name: 'Stolen' } })).status).toBe(404);
  expect((await server.call(`DELETE ${path}`)).status).toBe(404);
  expect((await server.call('GET /v1/in-person/locations')).body.items).toEqual([]);
});
