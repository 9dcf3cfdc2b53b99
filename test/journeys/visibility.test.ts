import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Api } from '../kit/api.ts';
import { openTill } from '../kit/till.ts';
import { startWorld, type World } from '../kit/world.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

/** What one account has, by the names that paths give it. */
interface Belongings {
  api: Api;
  locations: string;
  terminals: string;
  paymentSessionId: string;
  paymentTransactionId: string;
  eventId: string;
  clientSecret: string;
  /** Every id that only this account may read. */
  ids: string[];
}

interface Operation {
  method: 'get' | 'post' | 'patch' | 'delete';
  path: string;
  takesAccount: boolean;
  takesPublicKey: boolean;
}

let world: World;
let platform: Belongings;
let branch: Belongings;
let operations: Operation[];

beforeEach(async () => {
  world = await startWorld();
  platform = await belongings(undefined);
  branch = await belongings(world.subAccountId);
  operations = await servedOperations();
});
afterEach(() => world.close());

/** Takes a payment on a terminal of its own, so that there is one of everything. */
async function belongings(accountId: string | undefined): Promise<Belongings> {
  const api = accountId ? world.api.as(accountId) : world.api;
  const terminal = await world.addTerminal(accountId ? { accountId } : {});
  const session = await openTill(world, terminal, accountId).takes(1000);
  const { body } = await api.get(`/v1/in-person/terminals/${terminal.terminalId}`);
  const transactions = await api.get(`/v1/payment-sessions/${session.id}/transactions?limit=50`);
  const events = await api.get('/v1/events?limit=50');
  const idsOf = (items: Json[]) => items.map(({ id }) => id as string);
  return {
    api,
    locations: body.location.id,
    terminals: body.id,
    paymentSessionId: session.id,
    paymentTransactionId: transactions.body.items[0].id,
    eventId: events.body.items[0].id,
    clientSecret: session.clientSecret,
    ids: [
      body.location.id,
      body.id,
      body.action.id,
      session.id,
      ...idsOf(transactions.body.items),
      ...idsOf(events.body.items),
    ],
  };
}

/** Every operation under /v1, from the server's own document, so that none is forgotten here. */
async function servedOperations(): Promise<Operation[]> {
  const { body } = await world.api.get('/openapi.json');
  const paths = Object.entries<Record<string, Json>>(body.paths).filter(([path]) => path.startsWith('/v1/'));
  return paths.flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters = [], security }]) => ({
      method: method as Operation['method'],
      path,
      takesAccount: parameters.some(({ name }: { name: string }) => name === 'Account'),
      takesPublicKey: security.length > 1,
    })),
  );
}

/** The path with an account's ids in it, or undefined for what belongs to no single account. */
function pathTo(path: string, of: Belongings): string | undefined {
  if (/^\/v1\/(webhooks|in-person\/(products|skus))/.test(path)) return undefined;
  return path.replace(/(\w+)\/\{(\w+)\}/g, (_, folder: string, name: string) => {
    const id =
      folder === 'orders'
        ? 'ipord_01J9Z6M1N2P3Q4R5S6T7V8W9XA'
        : of[(name === 'id' ? folder : name) as 'terminals'];
    if (id === undefined) throw new Error(`whose is ${path}?`);
    return `${folder}/${id}`;
  });
}

const BODIES: Record<string, Json> = {
  payment: { amounts: { requested: 1000 }, currency: 'GBP' },
  'confirm-receipt': { merchantCopy: { status: 'Succeeded' } },
};

function call(api: Api, { method }: Operation, path: string) {
  return method === 'get' || method === 'delete'
    ? api[method](path)
    : api[method](path, BODIES[path.split('/').at(-1)!] ?? {});
}

/** All that an account can read of its own, to see that nobody changed it. */
async function look({ api, ...of }: Belongings): Promise<Json[]> {
  const paths = [
    `/v1/in-person/locations/${of.locations}`,
    `/v1/in-person/terminals/${of.terminals}`,
    `/v1/payment-sessions/${of.paymentSessionId}`,
    `/v1/payment-sessions/${of.paymentSessionId}/transactions`,
    '/v1/in-person/locations',
    '/v1/in-person/terminals',
    '/v1/events?limit=50',
  ];
  return Promise.all(paths.map(async (path) => (await api.get(path)).body));
}

test('what a path names of another account does not exist, for any operation, either way', async () => {
  for (const [viewer, owner] of [
    [platform, branch],
    [branch, platform],
  ] as const) {
    const before = await look(owner);
    let tried = 0;
    for (const operation of operations.filter(({ path }) => path.includes('{'))) {
      const path = pathTo(operation.path, owner);
      if (!path) continue;
      const { status, body } = await call(viewer.api, operation, path);
      expect([operation.method, operation.path, status, body.errors[0].code]).toEqual([
        operation.method,
        operation.path,
        404,
        'not_found',
      ]);
      for (const id of owner.ids) expect(JSON.stringify(body)).not.toContain(id);
      tried += 1;
    }
    expect(tried).toBeGreaterThan(10);
    await world.settled();
    expect(await look(owner)).toEqual(before);
  }
});

test('a transaction is found under its own session alone', async () => {
  const path = `/v1/payment-sessions/${platform.paymentSessionId}/transactions`;
  expect((await platform.api.get(`${path}/${platform.paymentTransactionId}`)).status).toBe(200);
  expect((await platform.api.get(`${path}/${branch.paymentTransactionId}`)).status).toBe(404);
});

test('a list shows what the account has, and takes no token of another', async () => {
  const lists = operations.filter(({ method, path }) => method === 'get' && !path.includes('{'));
  expect(lists.map(({ path }) => path)).toContain('/v1/in-person/terminals');
  for (const { path } of lists) {
    for (const [viewer, owner] of [
      [platform, branch],
      [branch, platform],
    ] as const) {
      const { status, body } = await viewer.api.get(`${path}?limit=50&country=GB`);
      expect([path, status]).toEqual([path, 200]);
      for (const id of owner.ids) expect([path, JSON.stringify(body).includes(id)]).toEqual([path, false]);
      if (path === '/v1/webhooks') continue; // has no pages
      for (const token of owner.ids) {
        const answer = await viewer.api.get(`${path}?country=GB&startsAfter=${token}`);
        expect([path, answer.status]).toEqual([path, 400]);
      }
    }
  }
});

test('what a body names of another account does not exist either', async () => {
  const before = [await look(platform), await look(branch)];
  for (const [viewer, owner] of [
    [platform, branch],
    [branch, platform],
  ] as const) {
    const terminal = `/v1/in-person/terminals/${viewer.terminals}`;
    const registration = { serialNumber: 'A920-0001', locationId: owner.locations };
    const answers = [
      await viewer.api.post('/v1/in-person/terminals', registration),
      await viewer.api.patch(terminal, { locationId: owner.locations }),
      await viewer.api.post(`${terminal}/refund`, { paymentSession: { id: owner.paymentSessionId } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  }
  expect([await look(platform), await look(branch)]).toEqual(before);
});

test('products and SKUs are the same for all, orders and webhooks are not', async () => {
  await world.listen('shop', ['Terminal.action_updated']);
  for (const path of ['/v1/in-person/products', '/v1/in-person/skus?country=GB', '/v1/webhooks']) {
    const { body } = await platform.api.get(path);
    expect(body.items.length).toBeGreaterThan(0);
    // An endpoint belongs to the platform, who hears of its sub accounts too: the Account header is no matter.
    expect((await branch.api.get(path)).body).toEqual(body);
  }
  const orders = await platform.api.get('/v1/in-person/orders');
  expect((await branch.api.get('/v1/in-person/orders')).body.items).toEqual([]);
  expect((await branch.api.get(`/v1/in-person/orders/${orders.body.items[0].id}`)).status).toBe(404);
});

test('no operation is open to callers without a key, nor to accounts that are not linked', async () => {
  const nobody = { authorization: '' };
  const stranger = 'ac_00000000-0000-4000-8000-000000000000';
  for (const { method, path, takesAccount } of operations) {
    const to = pathTo(path, platform) ?? path.replace(/\{\w+\}/, 'any');
    const ask = async (headers: Record<string, string>) =>
      (await world.api.raw(method.toUpperCase(), to, '', headers)).status;
    expect([method, path, await ask(nobody)]).toEqual([method, path, 401]);
    expect([method, path, await ask({ authorization: 'sk_sandbox_stranger' })]).toEqual([method, path, 403]);
    if (!takesAccount) continue;
    expect([method, path, await ask({ account: stranger })]).toEqual([method, path, 403]);
    expect([method, path, await ask({ account: 'ac_1' })]).toEqual([method, path, 400]);
  }
});

test('the public key opens a session by its own client secret, and nothing else', async () => {
  const api = world.api.withKey('pk_sandbox_world');
  for (const operation of operations) {
    const to = pathTo(operation.path, platform) ?? operation.path.replace(/\{\w+\}/, 'any');
    const { status } = await call(api, operation, to);
    expect([operation.path, status]).toEqual([operation.path, operation.takesPublicKey ? 404 : 403]);
  }
  const read = (id: string, secret: string) => api.get(`/v1/payment-sessions/${id}?clientSecret=${secret}`);
  for (const owner of [platform, branch]) {
    const { status, body } = await read(owner.paymentSessionId, owner.clientSecret);
    expect([status, body.id]).toEqual([200, owner.paymentSessionId]);
  }
  expect((await read(platform.paymentSessionId, branch.clientSecret)).status).toBe(404);
  expect((await read(platform.paymentSessionId, platform.clientSecret.slice(0, -1))).status).toBe(404);
  expect((await read(platform.paymentSessionId, '')).status).toBe(404);
  expect((await read('ps_01J9Z6M1N2P3Q4R5S6T7V8W9XA', platform.clientSecret)).status).toBe(404);
});

test('a client secret is told to who asks for its session, and to nobody else', async () => {
  const shop = await world.listen('shop', ['Terminal.action_updated', 'PaymentSession.captured']);
  await openTill(world, world.fleet.terminal(platform.terminals)!).takes(1000);
  expect(shop.deliveries.length).toBeGreaterThan(0);
  const told = [shop.deliveries, await look(platform), (await platform.api.get('/sandbox/terminals')).body];
  const elsewhere = JSON.stringify(told).replace(JSON.stringify(platform.clientSecret), '');
  expect(elsewhere).not.toContain('_secret_');
});
