import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { Api } from '../../testing/world/api.ts';
import { CARDS, encoded, openCheckout } from '../kit/checkout.ts';
import { openTill } from '../../testing/world/till.ts';
import { prepareWorlds } from '../kit/prepared-worlds.ts';
import type { World } from '../../testing/world/world.ts';
import { BUSINESS, earn, EARNED_MINUTES, good, oneOfEach } from './one-of-each.ts';
import { call, servedOperations, type Operation } from './served-operations.ts';
import { named, NAMES_PAYMENTS, NO_PAGES, SEEN_BY_PLATFORM, SHARED } from './account-visibility.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

/** What one account has, by the names that paths give it, and every id that only this account may read. */
type Belongings = Awaited<ReturnType<typeof oneOfEach>> & {
  api: Api;
  /** Only the platform has ordered anything. */
  orders: string;
};

let world: World;
let platform: Belongings;
let branch: Belongings;
let operations: Operation[];

const worlds = prepareWorlds(async (prepared) => {
  const { platformId, subAccountId } = prepared;
  const [ours, theirs] = [await earn(prepared, platformId), await earn(prepared, subAccountId)];
  await prepared.advance({ minutes: EARNED_MINUTES });
  const sibling = good(await prepared.api.post('/v1/accounts', BUSINESS));
  const orders: string = good(await prepared.api.get('/v1/in-person/orders')).items[0].id;
  const ofPlatform = await oneOfEach(prepared, platformId, ours.payoutMethodId, sibling.id);
  const ofBranch = await oneOfEach(prepared, subAccountId, theirs.payoutMethodId, subAccountId);
  good(
    await prepared.api.post('/v1/transfers', {
      amount: 100,
      currency: 'EUR',
      destination: { accountId: subAccountId },
    }),
  );
  return { orders, ofPlatform, ofBranch };
});

beforeEach(async () => {
  const { world: fork, prepared } = await worlds.start();
  world = fork;
  platform = { ...prepared.ofPlatform, api: world.api, orders: prepared.orders };
  branch = { ...prepared.ofBranch, api: world.api.as(world.subAccountId), orders: NO_ORDER };
  operations = await servedOperations(world.api);
});
afterEach(() => world.close());
afterAll(() => worlds.close());

const NO_ORDER = 'ipord_01J9Z6M1N2P3Q4R5S6T7V8W9XA';
const STRANGER = 'ac_00000000-0000-4000-8000-000000000000';

/** The path with an account's ids in it. */
function filled(path: string, of: Belongings): string {
  return path.replace(/([\w-]+)\/\{(\w+)\}/g, (_, folder: string, name: string) => {
    const id = of[(name === 'id' ? folder : name) as 'terminals'];
    if (id === undefined) throw new Error(`whose is ${path}?`);
    return `${folder}/${id}`;
  });
}

/** The path to what `owner` has, as `viewer` would ask; undefined for what belongs to no single account. */
function pathTo(path: string, owner: Belongings, viewer: Belongings = owner): string | undefined {
  // What hangs on an account is looked for under the viewer's own.
  if (/^\/v1\/accounts\/\{id\}\/.+\{/.test(path))
    return filled(path, { ...owner, accounts: viewer.accounts });
  return named(path, SHARED) ? undefined : filled(path, owner);
}

/** All that an account can read of its own, to see that nobody changed it. */
async function look(of: Belongings): Promise<Json[]> {
  const seen: Json[] = [];
  for (const { method, path } of operations) {
    const own = pathTo(path, of);
    // The persons of the platform in this test are those of a sibling of the branch.
    if (method !== 'get' || !own || own.includes(NO_ORDER) || NO_PAGES.includes(path)) continue;
    if (of === platform && path.endsWith('{personId}')) continue;
    const { status, body } = await of.api.get(path.includes('{') ? own : `${own}?limit=50&${ANY_TIME}`);
    expect([path, status]).toEqual([path, 200]);
    seen.push(body);
  }
  return seen;
}

// Some lists show what was created today unless they are asked.
const ANY_TIME = 'startTimestamp=1';

test(
  'access: an object of another account named in a path is not found, for any operation',
  { tags: ['spec:4.11/account-header'] },
  async () => {
    for (const [viewer, owner] of [
      [platform, branch],
      [branch, platform],
    ] as const) {
      const before = await look(owner);
      let tried = 0;
      for (const operation of operations.filter(({ path }) => path.includes('{'))) {
        const path = pathTo(operation.path, owner, viewer);
        if (!path || (viewer === platform && named(operation.path, SEEN_BY_PLATFORM))) continue;
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
      expect(tried).toBeGreaterThan(45);
      await world.settled();
      expect(await look(owner)).toEqual(before);
    }
  },
);

test('access: a transaction is found under its own session only', async () => {
  const path = `/v1/payment-sessions/${platform.paymentSessionId}/transactions`;
  expect((await platform.api.get(`${path}/${platform.paymentTransactionId}`)).status).toBe(200);
  expect((await platform.api.get(`${path}/${branch.paymentTransactionId}`)).status).toBe(404);
});

test('access: each exception to account isolation matches an operation', () => {
  for (const [of] of [...SHARED, ...SEEN_BY_PLATFORM, ...NAMES_PAYMENTS]) {
    expect([of, operations.some(({ path }) => of.test(path))]).toEqual([of, true]);
  }
});

test('access: an account of another platform is not found by any operation', async () => {
  const asked = operations.filter(({ path }) => path.startsWith('/v1/accounts/{id}'));
  expect(asked.length).toBeGreaterThan(10);
  for (const operation of asked) {
    const path = filled(operation.path, { ...branch, accounts: STRANGER });
    const { status } = await call(world.api, operation, path);
    expect([operation.method, operation.path, status]).toEqual([operation.method, operation.path, 404]);
  }
});

test('access: a platform sees the disputes of its sub accounts, and its fees from them', async () => {
  expect(await platform.api.get(`/v1/disputes/${branch.disputeId}`)).toMatchObject({ status: 200 });
  const { body } = await platform.api.get(`/v1/disputes?${ANY_TIME}`);
  expect(body.items.map(({ id }: Json) => id)).toEqual([branch.disputeId, platform.disputeId]);
  expect((await branch.api.get(`/v1/disputes/${platform.disputeId}`)).status).toBe(404);
  for (const list of ['/v1/transfers', '/v1/platform-fees']) {
    const ours = (await platform.api.get(list)).body;
    expect(ours.items).toHaveLength(1);
    expect((await branch.api.get(list)).body).toEqual(ours);
  }
});

test('access: a client secret pays its session, but not under the Account header of another account', async () => {
  const opened = async ({ api }: Belongings) => openCheckout(api).session();
  const attempt = async ({ api }: Belongings, session: Json) =>
    (await openCheckout(api).attempt(session)).status;
  expect(await attempt(branch, await opened(platform))).toBe(404);
  expect(await attempt(platform, await opened(branch))).toBe(200);
  expect(await attempt(branch, await opened(branch))).toBe(200);
  const waiting = await openCheckout(platform.api).pay(await opened(platform), CARDS.challenge);
  const goOn = async ({ api }: Belongings) =>
    (await openCheckout(api).goOn(waiting, { challengeResult: encoded({ transStatus: 'Y' }) })).status;
  expect([await goOn(branch), await goOn(platform)]).toEqual([404, 200]);
});

test(
  "access: a list contains the account's own objects only, and refuses the token of another account",
  { tags: ['spec:5/accounts-isolated'] },
  async () => {
    const lists = operations.filter(
      ({ method, path }) => method === 'get' && !path.includes('{') && path !== '/v1/conversions/rate',
    );
    expect(lists.map(({ path }) => path)).toContain('/v1/in-person/terminals');
    for (const { path } of lists) {
      for (const [viewer, owner] of [
        [platform, branch],
        [branch, platform],
      ] as const) {
        // What is the platform's, or seen by it, has a test of its own.
        if (viewer === platform && named(path, SEEN_BY_PLATFORM)) continue;
        if (named(path, SHARED) && /transfers|platform-fees/.test(path)) continue;
        const { status, body } = await viewer.api.get(`${path}?limit=50&country=GB&${ANY_TIME}`);
        expect([path, status]).toEqual([path, 200]);
        const orderedNothing = viewer === branch && path === '/v1/in-person/orders';
        if (path !== '/v1/webhooks') expect([path, body.items.length > 0]).toEqual([path, !orderedNothing]);
        const toldOf = (id: string) =>
          viewer === platform && named(path, NAMES_PAYMENTS) && /^(ps|txn)_/.test(id);
        const leaked = owner.ids.filter((id) => !toldOf(id) && JSON.stringify(body).includes(id));
        expect([path, leaked]).toEqual([path, []]);
        if (NO_PAGES.includes(path)) continue;
        for (const token of owner.ids) {
          const answer = await viewer.api.get(`${path}?country=GB&startsAfter=${token}`);
          expect([path, answer.status]).toEqual([path, 400]);
        }
      }
    }
  },
);

test(
  'access: an object of another account named in a body is not found',
  { tags: ['spec:7/foreign-account'] },
  async () => {
    const before = [await look(platform), await look(branch)];
    for (const [viewer, owner] of [
      [platform, branch],
      [branch, platform],
    ] as const) {
      const terminal = `/v1/in-person/terminals/${viewer.terminals}`;
      const price = { amount: 1500, currency: 'GBP', interval: { unit: 'Days', count: 1 } };
      const subscriber = { customer: { id: viewer.customerId }, price };
      const registration = { serialNumber: 'A920-0001', locationId: owner.locations };
      const answers = [
        await viewer.api.post('/v1/in-person/terminals', registration),
        await viewer.api.patch(terminal, { locationId: owner.locations }),
        await viewer.api.post(`${terminal}/refund`, { paymentSession: { id: owner.paymentSessionId } }),
        await viewer.api.post('/v1/subscriptions', { customer: { id: owner.customerId }, price }),
        await viewer.api.post('/v1/subscriptions', {
          ...subscriber,
          paymentMethod: { id: owner.paymentMethodId },
        }),
        await viewer.api.patch(`/v1/customers/${viewer.customerId}`, {
          defaultPaymentMethod: owner.paymentMethodId,
        }),
        await viewer.api.patch(`/v1/disputes/${viewer.disputeId}/evidence`, {
          files: { receipt: { id: owner.files } },
        }),
        await viewer.api.post(`/v1/accounts/${viewer.accounts}/payouts`, {
          amount: 100,
          currency: 'GBP',
          payoutMethodId: owner.payoutMethodId,
        }),
      ];
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    }
    expect([await look(platform), await look(branch)]).toEqual(before);
  },
);

test('access: products and SKUs are shared, orders and webhooks are not', async () => {
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

test(
  'access: no operation is open to callers without a key, nor for accounts that are not linked',
  { tags: ['spec:5/secret-key'] },
  async () => {
    const nobody = { authorization: '' };
    for (const { method, path, takesAccount } of operations) {
      const to = pathTo(path, platform) ?? path.replaceAll(/\{\w+\}/g, 'any');
      const ask = async (headers: Record<string, string>) =>
        (await world.api.raw(method.toUpperCase(), to, '', headers)).status;
      expect([method, path, await ask(nobody)]).toEqual([method, path, 401]);
      expect([method, path, await ask({ authorization: 'sk_sandbox_stranger' })]).toEqual([
        method,
        path,
        403,
      ]);
      if (!takesAccount) continue;
      expect([method, path, await ask({ account: STRANGER })]).toEqual([method, path, 403]);
      expect([method, path, await ask({ account: 'ac_1' })]).toEqual([method, path, 400]);
    }
  },
);

test(
  'access: the public key opens a session by its own client secret, and nothing else',
  { tags: ['spec:5/public-key'] },
  async () => {
    const api = world.api.withKey('pk_sandbox_world');
    for (const operation of operations) {
      const to = pathTo(operation.path, platform) ?? operation.path.replaceAll(/\{\w+\}/g, 'any');
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
  },
);

test('access: a client secret opens a session to the public key, but not under the Account header of another account', async () => {
  const front = world.api.withKey('pk_sandbox_world');
  const accounts = {
    none: front,
    platform: front.as(world.platformId),
    branch: front.as(world.subAccountId),
  };
  const open = operations.filter(({ takesPublicKey }) => takesPublicKey);
  expect(open.map(({ path }) => path)).toHaveLength(3);
  for (const { method, path } of open) {
    const found = async (api: Api, { paymentSessionId, clientSecret }: Belongings) => {
      const to = path.replace('{paymentSessionId}', paymentSessionId);
      const { status } =
        method === 'get'
          ? await api.get(`${to}?clientSecret=${clientSecret}`)
          : await api.post(to, { clientSecret, threeDs: { fingerprint: 'e30=' } });
      return status !== 404;
    };
    const seen = async (of: Belongings) =>
      Promise.all(Object.entries(accounts).map(async ([name, api]) => [name, await found(api, of)]));
    // A platform sees the sessions of its sub accounts.
    const ofBranch = { none: true, platform: true, branch: true };
    expect([path, Object.fromEntries(await seen(branch))]).toEqual([path, ofBranch]);
    const ofPlatform = { none: true, platform: true, branch: false };
    expect([path, Object.fromEntries(await seen(platform))]).toEqual([path, ofPlatform]);
  }
});

test(
  'access: a client secret is returned to the caller who asks for its session, and to nobody else',
  { tags: ['spec:2.2/client-secret-private'] },
  async () => {
    const shop = await world.listen('shop', ['Terminal.action_updated', 'PaymentSession.captured']);
    await openTill(world, world.fleet.terminal(platform.terminals)!).takes(1000);
    expect(shop.deliveries.length).toBeGreaterThan(0);
    const elsewhere = [shop.deliveries];
    for (const path of ['/sandbox/terminals', '/v1/events?limit=50']) {
      elsewhere.push((await platform.api.get(path)).body);
    }
    expect(JSON.stringify(elsewhere)).not.toContain('_secret_');
    // Where a session is told of, in its own member and nowhere else.
    const shown = await look(platform);
    const rest = JSON.stringify(shown, (name, value) => (name === 'clientSecret' ? undefined : value));
    expect(JSON.stringify(shown)).toContain(platform.clientSecret);
    expect(rest).not.toContain('_secret_');
  },
);
