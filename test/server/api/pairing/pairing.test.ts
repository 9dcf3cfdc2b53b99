import { expect, test } from 'vitest';
import { createDukptProtection, memoryKeyCounter } from '../../../../agent/readers/card-protection.ts';
import { seededRandom } from '../../../../protocol/ids.ts';
import { credentialsCheck } from '../../../../server/platform/broker/terminal-credentials.ts';
import { locationRoutes } from '../../../../server/api/in-person/terminals/location.resource.ts';
import { terminalRoutes } from '../../../../server/api/in-person/terminals/terminal.resource.ts';
import { savePresence } from '../../../../server/api/in-person/terminals/terminal.records.ts';
import { listPairedSimulators, pairingGeneration } from '../../../../server/api/pairing/pairing.records.ts';
import { pairingRoutes } from '../../../../server/api/pairing/pairing.resource.ts';
import { terminalKeys } from '../../../../server/api/pairing/terminal-keys.ts';
import { smallServer, type SmallServer } from '../../platform/http/small-server.ts';
import type { ServerSettings } from '../../../../server/platform/settings.ts';

const address = { lineOne: '1 High St', city: 'Leeds', country: 'GB', postalCode: 'LS1 1AA' };

interface PairingServer extends SmallServer {
  /** Users whose connections were cut. */
  cut: string[];
  register(serialNumber: string, account?: string): Promise<string>;
  /** Who these credentials let in, as the embedded broker asks. */
  letIn(credentials: { username: string; password: string }): Promise<unknown>;
}

const ROUTES = [...locationRoutes, ...terminalRoutes, ...pairingRoutes];

async function pairingServer(settings: Partial<ServerSettings> = {}): Promise<PairingServer> {
  const cut: string[] = [];
  const server = await smallServer(ROUTES, settings);
  server.services.activities.listen('test', (activity) => {
    if (activity.kind === 'terminal.paired') cut.push(activity.terminalId);
  });
  const { call, services } = server;
  const check = credentialsCheck(async () => ({
    pairingSecret: services.settings.pairingSecret,
    generationOf: (id) => pairingGeneration(services.store, id),
  }));
  return {
    ...server,
    cut,
    async register(serialNumber, account) {
      const headers = account ? { account } : {};
      const location = await call('POST /v1/in-person/locations', {
        body: { name: 'Corner', address },
        headers,
      });
      const body = { serialNumber, locationId: location.body.id };
      return (await call('POST /v1/in-person/terminals', { body, headers })).body.id;
    },
    letIn: ({ username, password }) => check(username, password),
  };
}

test('pairing: a terminal that was never paired has no password', async () => {
  const { register, letIn } = await pairingServer();
  const id = await register('1853012345');
  expect(await letIn({ username: id, password: '' })).toBeUndefined();
});

test.each(['sandbox', 'live'] as const)(
  'pairing: in %s, returns credentials that the broker accepts',
  async (mode) => {
    const { call, register, letIn } = await pairingServer({ mode });
    const id = await register('1853012345');
    const { status, body } = await call(`POST /pairing/terminals/${id}`);
    expect([status, body]).toEqual([
      200,
      {
        clientId: id,
        username: id,
        password: expect.stringMatching(/^[\w-]{43}$/) as string,
        keys: {
          scheme: 'AES',
          initialKeyId: expect.stringMatching(/^[0-9A-F]{16}$/) as string,
          initialKey: expect.stringMatching(/^[0-9A-F]{32}$/) as string,
        },
      },
    ]);
    expect(await letIn(body)).toEqual({ kind: 'terminal', terminalId: id });
  },
);

test.each([
  ['AES', 16],
  ['TDES', 20],
] as const)(
  'pairing: a terminal may request %s keys, which protect card data',
  async (keyScheme, idDigits) => {
    const { call, register } = await pairingServer();
    const id = await register('1853012345');
    const { status, body } = await call(`POST /pairing/terminals/${id}`, { body: { keyScheme } });
    expect([status, body.keys.scheme, body.keys.initialKeyId.length]).toEqual([200, keyScheme, idDigits]);
    const protection = createDukptProtection({
      keys: body.keys,
      counter: memoryKeyCounter(),
      random: seededRandom('pin'),
    });
    expect(protection.transaction().cardData(new Uint8Array(8)).scheme).toBe(keyScheme);
  },
);

test('pairing: refuses keys of another kind', async () => {
  const { call, register } = await pairingServer();
  const id = await register('1853012345');
  const { status, body } = await call(`POST /pairing/terminals/${id}`, { body: { keyScheme: 'RSA' } });
  expect([status, body.errors[0].message]).toEqual([400, expect.stringContaining('keyScheme')]);
});

test('pairing: every pairing returns new keys', async () => {
  const { call, register } = await pairingServer();
  const tills = [await register('1853012345'), await register('1853012346')];
  const sets = [];
  for (const till of [...tills, ...tills]) {
    for (const keyScheme of ['AES', 'TDES']) {
      sets.push((await call(`POST /pairing/terminals/${till}`, { body: { keyScheme } })).body.keys);
    }
  }
  expect(new Set(sets.map(({ initialKeyId }) => initialKeyId)).size).toBe(8);
  expect(new Set(sets.map(({ initialKey }) => initialKey)).size).toBe(8);
});

test('pairing: servers with one pairing secret derive the same keys, with another one others', () => {
  const keySet = { terminalId: 'tml_01JGXDFAM0Y2QZJP0SHDFV20F9', generation: 1, scheme: 'AES' } as const;
  expect(terminalKeys('one secret', keySet)).toEqual(terminalKeys('one secret', keySet));
  const other = terminalKeys('another secret', keySet);
  expect(other.initialKey).not.toBe(terminalKeys('one secret', keySet).initialKey);
});

test('pairing: pairing again revokes the old credentials and cuts their connection', async () => {
  const { call, register, letIn, cut } = await pairingServer();
  const [till, other] = [await register('1853012345'), await register('1853012346')];
  const others = (await call(`POST /pairing/terminals/${other}`)).body;
  const first = (await call(`POST /pairing/terminals/${till}`)).body;
  const second = (await call(`POST /pairing/terminals/${till}`)).body;
  expect(second.password).not.toBe(first.password);
  expect(await letIn(first)).toBeUndefined();
  expect(await letIn(second)).toEqual({ kind: 'terminal', terminalId: till });
  expect(await letIn(others)).toEqual({ kind: 'terminal', terminalId: other });
  expect(await letIn({ ...second, username: other })).toBeUndefined();
  expect(cut).toEqual([other, till, till]);
});

test('pairing: of two concurrent pairings both succeed, and the later one is valid', async () => {
  const { call, register, letIn } = await pairingServer();
  const id = await register('1853012345');
  const answers = await Promise.all([1, 2].map(() => call(`POST /pairing/terminals/${id}`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const good = await Promise.all(answers.map(({ body }) => letIn(body)));
  expect(good.filter((principal) => principal !== undefined)).toHaveLength(1);
});

test('pairing: a deleted terminal is refused by the broker', async () => {
  const { call, register, letIn } = await pairingServer();
  const id = await register('1853012345');
  const { body } = await call(`POST /pairing/terminals/${id}`);
  await call(`DELETE /v1/in-person/terminals/${id}`);
  expect(await letIn(body)).toBeUndefined();
  expect((await call(`POST /pairing/terminals/${id}`)).status).toBe(404);
});

test('pairing: the platform pairs terminals of its sub accounts, a sub account its own', async () => {
  const { call, register, platformId, subAccountId } = await pairingServer();
  const [theirs, ours] = [await register('1853012345', subAccountId), await register('1853012346')];
  const pair = async (id: string, account?: string) =>
    (await call(`POST /pairing/terminals/${id}`, { headers: account ? { account } : {} })).status;
  expect([await pair(theirs), await pair(theirs, subAccountId)]).toEqual([200, 200]);
  expect([await pair(ours), await pair(ours, platformId), await pair(ours, subAccountId)]).toEqual([
    200, 200, 404,
  ]);
});

test('pairing: refused without the secret key, and for unknown terminals', async () => {
  const { call, register, services } = await pairingServer();
  const path = `POST /pairing/terminals/${await register('1853012345')}`;
  expect((await call(path, { headers: { authorization: null } })).status).toBe(401);
  expect((await call(path, { headers: { authorization: services.settings.publicKey } })).status).toBe(403);
  for (const id of ['nonsense', 'tml_01JGXDFAM0Y2QZJP0SHDFV20F9']) {
    const { status, body } = await call(`POST /pairing/terminals/${id}`);
    expect([id, status, body.errors[0].message]).toEqual([id, 404, 'no such terminal']);
  }
});

test('pairing: credentials are not stored', async () => {
  const { call, register, services, logged } = await pairingServer();
  const { body } = await call(`POST /pairing/terminals/${await register('1853012345')}`);
  const terminal = await call(`GET /v1/in-person/terminals/${body.username}`);
  const rows = await services.store.all('SELECT * FROM terminals');
  for (const told of [JSON.stringify(rows), logged.join(), terminal.text]) {
    expect(told).not.toContain(body.password);
    expect(told).not.toContain(body.keys.initialKey);
  }
});

test('pairing: every simulated terminal has its own credentials', async () => {
  const { call, letIn } = await pairingServer();
  const first = (await call('POST /pairing/simulators')).body;
  const second = (await call('POST /pairing/simulators')).body;
  expect(second.username).not.toBe(first.username);
  expect(await letIn(first)).toEqual({ kind: 'simulator', simulatorId: first.username });
  expect(await letIn(second)).toEqual({ kind: 'simulator', simulatorId: second.username });
});

test('pairing: a check says whether a password is that of the latest pairing, and 404 for a deleted terminal', async () => {
  const { call, register } = await pairingServer();
  const id = await register('1853012345');
  const check = async (password: string) =>
    call(`POST /pairing/terminals/${id}/check`, { body: { password } });
  expect((await check('never paired')).body).toEqual({ current: false });
  const first = (await call(`POST /pairing/terminals/${id}`)).body;
  expect((await check(first.password)).body).toEqual({ current: true });
  const second = (await call(`POST /pairing/terminals/${id}`)).body;
  expect((await check(first.password)).body).toEqual({ current: false });
  expect((await check(second.password)).body).toEqual({ current: true });
  await call(`DELETE /v1/in-person/terminals/${id}`);
  expect((await check(second.password)).status).toBe(404);
});

test('pairing: the simulators that were paired last are listed for an external broker', async () => {
  const { call, services } = await pairingServer();
  const names: string[] = [];
  for (let paired = 0; paired < 52; paired += 1)
    names.push((await call('POST /pairing/simulators')).body.username);
  const listed = await listPairedSimulators(services.store);
  expect(listed.map((uuid) => `sim_${uuid}`)).toEqual(names.slice(-50));
});

test('pairing: with live keys there are no simulated terminals', async () => {
  const { call } = await pairingServer({ mode: 'live' });
  expect((await call('POST /pairing/simulators')).status).toBe(404);
});

test('POST /pairing/terminals: returns the credentials of each terminal, in the order of the request', async () => {
  const { call, cut, register, letIn } = await pairingServer();
  const ids = [await register('1853012345'), await register('1853012346')];
  const { status, body } = await call('POST /pairing/terminals', { body: { terminalIds: ids } });
  expect(status).toBe(200);
  const items = body.items as { username: string; password: string }[];
  expect(items.map(({ username }) => username)).toEqual(ids);
  for (const [index, item] of items.entries())
    expect(await letIn(item)).toEqual({ kind: 'terminal', terminalId: ids[index] });
  expect(cut).toEqual(ids);
});

test('POST /pairing/terminals: pairs none when one is online, or is not in the scope of the caller', async () => {
  const { call, cut, register, services } = await pairingServer();
  const [one, online] = [await register('1853012345'), await register('1853012346')];
  await services.store.transaction((tx) => savePresence(tx, online, { online: true }));
  const pair = (terminalIds: string[]) =>
    call('POST /pairing/terminals', { body: { terminalIds, unless: 'Online' } });
  expect((await pair([one, online])).status).toBe(409);
  expect((await pair([one, `${one.slice(0, -1)}0`])).status).toBe(404);
  expect(cut).toEqual([]);
  expect(await pairingGeneration(services.store, one)).toBe(0);
});
