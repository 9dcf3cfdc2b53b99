import { expect, test } from 'vitest';
import { createLinkCodes, createAttemptLimit, sessionRoute } from '../../../server/dashboard/session.ts';
import { Refusal } from '../../../server/platform/http/refusals.ts';
import { smallServer } from '../platform/http/small-server.ts';
import type { Mode } from '../../../server/platform/settings.ts';

interface Asking {
  headers?: Record<string, string>;
  body?: string;
  senderAddress?: string;
}

/** The route alone, on a server that others reach at http://tapbench.test. */
async function sessions(mode: Mode = 'sandbox') {
  const server = await smallServer([], { mode });
  const { secretKey, dashboardToken } = server.services.settings;
  const codes = createLinkCodes(server.services);
  const failedKeys = createAttemptLimit(server.services.realClock);
  const parts = { services: server.services, codes, failedKeys };
  const ask = async ({ headers = {}, body = '', senderAddress = '127.0.0.1' }: Asking = {}) => {
    const given: Record<string, string> = { host: 'localhost:3000', ...headers };
    try {
      const header = (name: string) => given[name];
      const request = { params: {}, query: () => undefined, body, senderAddress, header };
      const answer = await sessionRoute.handle(request, parts);
      return (JSON.parse(String(answer.body)) as { token: string }).token;
    } catch (error) {
      if (error instanceof Refusal) return error.refusal;
      throw error;
    }
  };
  const withKey = (key: string) => ({ body: JSON.stringify({ key }) });
  const withCode = (code: string) => ({ body: JSON.stringify({ code }) });
  return { ...server, codes, withCode, ask, secretKey, dashboardToken, withKey };
}

test.each([
  ['a host name of this machine', { host: 'localhost:3000' }],
  ['an address of this machine', { host: '127.0.0.1:3000' }],
  ['an IPv6 address of this machine', { host: '[::1]:3000' }],
  ['a name below localhost', { host: 'tapbench.localhost:3000' }],
  ['another name', { host: 'tapbench.example' }],
  ['a proxy that names its client', { 'x-forwarded-for': '127.0.0.1' }],
  ['a proxy that names the host', { 'x-forwarded-host': '127.0.0.1:3000' }],
  ['a proxy with Forwarded', { forwarded: 'for=127.0.0.1;host=localhost' }],
  ['the page itself', { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }],
])(
  'POST /dashboard/session: refuses a caller without the key: %s',
  { tags: ['refusal:key_wanted'] },
  async (_what, headers) => {
    const { ask, secretKey, dashboardToken, withKey } = await sessions();
    for (const body of ['', '{}']) expect(await ask({ headers, body })).toBe('key_wanted');
    expect(await ask({ headers, ...withKey('sk_sandbox_guessed') })).toBe('bad_key');
    expect(await ask({ headers, ...withKey(secretKey) })).toBe(dashboardToken);
  },
);

test('POST /dashboard/session: accepts the live key in live mode', async () => {
  const { ask, secretKey, dashboardToken, withKey } = await sessions('live');
  expect(await ask()).toBe('key_wanted');
  expect(await ask(withKey(secretKey))).toBe(dashboardToken);
});

test.each([
  ['from another site', { origin: 'https://evil.example' }],
  ['from another port of this machine', { origin: 'http://localhost:8080' }],
  ['from a page without an origin', { origin: 'null' }],
  ['that a browser says is from another site', { 'sec-fetch-site': 'cross-site' }],
  ['that a browser says is from a neighbour', { 'sec-fetch-site': 'same-site' }],
])(
  'POST /dashboard/session: a page %s gets no token, not even with the key',
  { tags: ['refusal:foreign_page'] },
  async (_what, headers) => {
    const { ask, secretKey, withKey } = await sessions();
    expect(await ask({ headers })).toBe('foreign_page');
    expect(await ask({ headers, ...withKey(secretKey) })).toBe('foreign_page');
  },
);

test('POST /dashboard/session: a page at PUBLIC_URL belongs to this server, whatever Host its proxy sends', async () => {
  const { ask, secretKey, dashboardToken, withKey } = await sessions();
  const host = '127.0.0.1:8080';
  const asked = (origin: string) => ask({ headers: { host, origin }, ...withKey(secretKey) });
  expect(await asked('http://tapbench.test')).toBe(dashboardToken);
  expect(await asked('https://tapbench.test')).toBe('foreign_page');
  expect(await asked('http://tapbench.test:81')).toBe('foreign_page');
});

test(
  'POST /dashboard/session: after ten wrong keys in a minute refuses every key from that address',
  { tags: ['refusal:too_many_tries'] },
  async () => {
    const { ask, secretKey, dashboardToken, withKey, realClock } = await sessions();
    const senderAddress = '203.0.113.9';
    for (let tries = 0; tries < 10; tries += 1) {
      expect(await ask({ ...withKey('sk_sandbox_guessed'), senderAddress })).toBe('bad_key');
    }
    expect(await ask({ ...withKey(secretKey), senderAddress })).toBe('too_many_tries');
    expect(await ask({ ...withKey(secretKey), senderAddress: '203.0.113.10' })).toBe(dashboardToken);
    await realClock.advance(60_000);
    expect(await ask({ ...withKey(secretKey), senderAddress })).toBe(dashboardToken);
  },
);

test('POST /dashboard/session: exchanges the code of a link for the token once, within a minute', async () => {
  const { ask, codes, dashboardToken, withCode, realClock } = await sessions();
  const code = codes.issue();
  expect(await ask(withCode(code))).toBe(dashboardToken);
  expect(await ask(withCode(code))).toBe('bad_key');
  const late = codes.issue();
  await realClock.advance(60_000);
  expect(await ask(withCode(late))).toBe('bad_key');
});

test('POST /dashboard/session: exchanges a code from an address that tried too many wrong keys too', async () => {
  const { ask, codes, dashboardToken, withCode, withKey } = await sessions();
  for (let tries = 0; tries < 10; tries += 1) await ask(withKey('sk_sandbox_guessed'));
  expect(await ask(withKey('sk_sandbox_guessed'))).toBe('too_many_tries');
  expect(await ask(withCode(codes.issue()))).toBe(dashboardToken);
});

test('POST /dashboard/session: of more than twenty codes the oldest is dropped', async () => {
  const { ask, codes, dashboardToken, withCode } = await sessions();
  const issued = Array.from({ length: 21 }, () => codes.issue());
  expect(await ask(withCode(issued[0]!))).toBe('bad_key');
  for (const code of issued.slice(1)) expect(await ask(withCode(code))).toBe(dashboardToken);
});

test.each([
  ['not JSON', '{', 'not_json'],
  ['a key that is not a string', '{"key":1}', 'invalid_field'],
  ['a code that is not a string', '{"code":{}}', 'invalid_field'],
  ['the public key', '{"key":"pk_sandbox_a+b/c="}', 'bad_key'],
  ['a key that differs in its case', '{"key":"SK_SANDBOX_A+B/C="}', 'bad_key'],
])('POST /dashboard/session: refuses %s', async (_what, body, refusal) => {
  const { ask } = await sessions();
  expect(await ask({ body })).toBe(refusal);
});
