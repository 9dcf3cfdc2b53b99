import { expect, test } from 'vitest';
import { createPasses } from '../../../server/dashboard/passes.ts';
import { sessionRoute } from '../../../server/dashboard/session.ts';
import { Refusal } from '../../../server/http/refusals.ts';
import type { Mode } from '../../../server/services.ts';
import { smallServer } from '../http/small-server.ts';
import { terminalRoutes } from '../../../server/in-person/terminal.resource.ts';

interface Asking {
  headers?: Record<string, string>;
  body?: string;
  senderAddress?: string;
}

/** The route by itself, on a server that listens somewhere. */
async function sessions(listensOn: string | undefined, mode: Mode = 'sandbox') {
  const server = await smallServer(terminalRoutes, { mode });
  const passes = createPasses(server.services);
  server.services.passes = passes;
  const route = sessionRoute({ services: server.services, passes, listensOn: () => listensOn });
  const ask = async ({ headers = {}, body = '', senderAddress = '127.0.0.1' }: Asking = {}) => {
    const given: Record<string, string> = { host: 'localhost:3000', ...headers };
    try {
      const answer = await route.handle({ params: {}, body, senderAddress, header: (name) => given[name] });
      return (JSON.parse(String(answer.body)) as { token: string }).token;
    } catch (error) {
      if (error instanceof Refusal) return error.refusal;
      throw error;
    }
  };
  const key = server.services.settings.secretKey;
  return {
    ...server,
    passes,
    ask,
    key,
    withKey: (given: string) => ({ body: JSON.stringify({ key: given }) }),
  };
}

const TOKEN = /^dash_[\w-]{43}$/;

test.each([
  'localhost:3000',
  '127.0.0.1:3000',
  '127.1.2.3',
  '[::1]:3000',
  'LOCALHOST',
  'tapbench.localhost:3000',
])('on the machine itself, as %s, a token is there for the asking', async (host) => {
  const { ask } = await sessions('127.0.0.1');
  expect(await ask({ headers: { host } })).toMatch(TOKEN);
  expect(await ask({ headers: { host, origin: `http://${host.toLowerCase()}` }, body: '{}' })).toMatch(TOKEN);
});

test.each([
  ['a name that somebody else leads here', { host: 'rebound.example:3000' }],
  ['a name that only begins so', { host: 'localhost.example' }],
  ['an address of the network', { host: '192.168.1.10:3000' }],
  ['a name that is none', { host: 'localhost:3000:1' }],
  ['an empty name', { host: '' }],
  ['a proxy', { 'x-forwarded-for': '203.0.113.9' }],
  ['another proxy', { forwarded: 'for=203.0.113.9' }],
])('called by %s, it takes the key', async (_what, headers) => {
  const { ask, key, withKey } = await sessions('127.0.0.1');
  expect(await ask({ headers })).toBe('key_wanted');
  if (!('host' in headers)) expect(await ask({ headers, ...withKey(key) })).toMatch(TOKEN);
});

test.each(['0.0.0.0', '::', '192.168.1.10'])(
  'bound to %s, it takes the key also from here',
  async (address) => {
    const { ask, key, withKey } = await sessions(address);
    expect(await ask()).toBe('key_wanted');
    expect(await ask({ headers: { host: '192.168.1.10:3000' }, ...withKey(key) })).toMatch(TOKEN);
    expect(await ask(withKey('sk_sandbox_guessed'))).toBe('bad_key');
  },
);

test('with live keys it takes the key, also on the machine itself', async () => {
  const { ask, key, withKey } = await sessions('127.0.0.1', 'live');
  expect(await ask()).toBe('key_wanted');
  expect(await ask(withKey(key))).toMatch(TOKEN);
});

test.each([
  ['from another site', { origin: 'https://evil.example' }],
  ['from another port of this machine', { origin: 'http://localhost:8080' }],
  ['from a page without an origin', { origin: 'null' }],
  ['that a browser says is from another site', { 'sec-fetch-site': 'cross-site' }],
  ['that a browser says is from a neighbour', { 'sec-fetch-site': 'same-site' }],
])('a page %s gets no token, not even with the key', async (_what, headers) => {
  const { ask, key, withKey } = await sessions('127.0.0.1');
  expect(await ask({ headers })).toBe('foreign_page');
  expect(await ask({ headers, ...withKey(key) })).toBe('foreign_page');
});

test('after ten wrong keys in a minute none is looked at, from that address', async () => {
  const { ask, key, withKey, realClock } = await sessions('0.0.0.0');
  const senderAddress = '203.0.113.9';
  for (let tries = 0; tries < 10; tries += 1) {
    expect(await ask({ ...withKey('sk_sandbox_guessed'), senderAddress })).toBe('bad_key');
  }
  expect(await ask({ ...withKey(key), senderAddress })).toBe('too_many_tries');
  expect(await ask({ ...withKey(key), senderAddress: '203.0.113.10' })).toMatch(TOKEN);
  await realClock.advance(60_000);
  expect(await ask({ ...withKey(key), senderAddress })).toMatch(TOKEN);
});

test.each([
  ['not JSON', '{', 'not_json'],
  ['a key that is no text', '{"key":1}', 'invalid_field'],
  ['the public key', '{"key":"pk_sandbox_a+b/c="}', 'bad_key'],
])('%s is refused', async (_what, body, refusal) => {
  const { ask } = await sessions('127.0.0.1');
  expect(await ask({ body })).toBe(refusal);
});

test('a token opens what the secret key opens, for twelve hours after its last use', async () => {
  const { ask, call, realClock } = await sessions('127.0.0.1');
  const headers = { authorization: await ask() };
  const status = async () => (await call('GET /v1/in-person/terminals', { headers })).status;
  expect(await status()).toBe(200);
  for (let hours = 0; hours < 30; hours += 10) {
    await realClock.advance(10 * 3_600_000);
    expect(await status()).toBe(200);
  }
  await realClock.advance(12 * 3_600_000);
  expect(await status()).toBe(403);
  expect(await status()).toBe(403);
});

test('a page has a rate of its own, so that it takes nothing from the shop', async () => {
  const server = await smallServer(terminalRoutes, { rateLimit: 'on' });
  const passes = createPasses(server.services);
  server.services.passes = passes;
  const authorization = passes.issue().token;
  const path = 'GET /v1/in-person/terminals';
  const statuses = [];
  for (let calls = 0; calls < 11; calls += 1) statuses.push((await server.call(path)).status);
  expect(statuses.at(-1)).toBe(429);
  expect((await server.call(path, { headers: { authorization } })).status).toBe(200);
});

test('of too many tokens the one that was used longest ago goes', async () => {
  const { passes } = await sessions('127.0.0.1');
  const first = passes.issue().token;
  const second = passes.issue().token;
  for (let pages = 0; pages < 198; pages += 1) passes.issue();
  expect(passes.admits(first)).toBe(true);
  passes.issue();
  expect([passes.admits(first), passes.admits(second)]).toEqual([true, false]);
});
