import { expect, test } from 'vitest';
import { Type } from '../../../protocol/schema.ts';
import { insertKey } from '../../../server/api/accounts/api-keys.ts';
import { route, type Route } from '../../../server/platform/http/route.ts';
import { smallServer, type SmallServer } from './http/small-server.ts';

const Ok = Type.Object({ ok: Type.Boolean() });

const common = {
  tag: 'Ok',
  summary: 'Fine',
  section: 'Spec §8',
  reply: Ok,
  handle: async () => ({ ok: true }),
};

const okRoutes: readonly Route[] = [
  route({ ...common, operation: 'GET /ok' }),
  route({ ...common, operation: 'GET /ok/public', access: 'public' }),
  route({ ...common, operation: 'GET /sandbox/ok', surface: 'sandbox' }),
  route({ ...common, operation: 'GET /pairing/ok', surface: 'pairing' }),
];

/** How many of `count` requests are let through before one is not. */
async function letThrough(server: SmallServer, count: number, authorization?: string): Promise<number> {
  for (let done = 0; done < count; done++) {
    const { status } = await server.call('GET /v1/ok', authorization ? { headers: { authorization } } : {});
    if (status === 429) return done;
    expect(status).toBe(200);
  }
  return count;
}

test.each([
  ['sandbox', 5],
  ['live', 50],
] as const)(
  'rate limit: in %s a key may burst to twice its rate, then has %i requests a second',
  async (mode, rate) => {
    const server = await smallServer(okRoutes, { mode, rateLimit: 'on' });
    expect(await letThrough(server, 1_000)).toBe(rate * 2);
    await server.realClock.advance(1_000);
    expect(await letThrough(server, 1_000)).toBe(rate);
    await server.realClock.advance(1_000 / rate);
    expect(await letThrough(server, 1_000)).toBe(1);
    await server.realClock.advance(3_600_000);
    expect(await letThrough(server, 1_000)).toBe(rate * 2);
  },
);

test(
  'rate limit: the refusal says when to retry',
  { tags: ['spec:7/rate-exceeded', 'refusal:rate_exceeded'] },
  async () => {
    const server = await smallServer(okRoutes, { rateLimit: 'on' });
    await letThrough(server, 1_000);
    const { status, headers, body } = await server.call('GET /v1/ok');
    expect([status, headers['retry-after']]).toEqual([429, '1']);
    expect(body).toMatchObject({ code: '429', errors: [{ code: 'too_many_requests' }] });
  },
);

test('rate limit: each key has its own bucket', async () => {
  const server = await smallServer(okRoutes, { rateLimit: 'on' });
  const another = 'sk_sandbox_another';
  await server.services.store.transaction((tx) => insertKey(tx, another, server.platformId));
  expect(await letThrough(server, 1_000)).toBe(10);
  expect(await letThrough(server, 1_000, another)).toBe(10);
  const authorization = server.services.settings.publicKey;
  expect((await server.call('GET /v1/ok/public', { headers: { authorization } })).status).toBe(200);
});

test('rate limit: refused keys use up no rate', async () => {
  const server = await smallServer(okRoutes, { rateLimit: 'on' });
  for (let i = 0; i < 50; i++) {
    const { status } = await server.call('GET /v1/ok', { headers: { authorization: 'sk_sandbox_wrong' } });
    expect(status).toBe(403);
  }
  expect(await letThrough(server, 1_000)).toBe(10);
});

test('rate limit: applies to the API only', async () => {
  const server = await smallServer(okRoutes, { rateLimit: 'on' });
  for (let i = 0; i < 30; i++) {
    expect((await server.call('GET /sandbox/ok')).status).toBe(200);
    expect((await server.call('GET /pairing/ok')).status).toBe(200);
  }
  expect(await letThrough(server, 1_000)).toBe(10);
});

test('rate limit: can be switched off', async () => {
  const server = await smallServer(okRoutes, { rateLimit: 'off' });
  expect(await letThrough(server, 100)).toBe(100);
});

test('rate limit: can be switched on while the server runs, as after the calls of its start', async () => {
  const server = await smallServer(okRoutes, { rateLimit: 'off' });
  expect(await letThrough(server, 100)).toBe(100);
  server.services.settings.rateLimit = 'on';
  expect(await letThrough(server, 1_000)).toBe(10);
});

test('rate limit: sandbox time does not refill a bucket, real time does', async () => {
  const server = await smallServer(okRoutes, { rateLimit: 'on' });
  await letThrough(server, 1_000);
  void server.services.clock.setOffset(86_400_000);
  expect(await letThrough(server, 1)).toBe(0);
});
