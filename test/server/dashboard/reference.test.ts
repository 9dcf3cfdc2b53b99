import { expect, test } from 'vitest';
import {
  type OpenApiDocument,
  hasEveryWord,
  operationTexts,
} from '../../../server/dashboard/page/reference/search-operations.ts';
import { startWorld } from '../../../testing/world/world.ts';

test('API reference: is a page whose every part comes from this server, without a key', async () => {
  const world = await startWorld();
  const { http } = world.server;
  const page = await http.inject({ url: '/docs' });
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const parts = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
  expect(parts).toEqual(
    expect.arrayContaining(['docs/swagger-ui.css', 'docs/swagger-ui-bundle.js', 'openapi.json']),
  );
  for (const part of parts) {
    const { pathname, host } = new URL(part, 'http://tapbench.test/docs');
    expect([part, host]).toEqual([part, 'tapbench.test']);
    const answer = await http.inject({ url: pathname });
    expect([part, answer.statusCode, answer.rawPayload.length > 100]).toEqual([part, 200, true]);
  }
  // The browser is told to load nothing from elsewhere, whatever the scripts ask for.
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/https?:|\*|unsafe/);
  await world.close();
});

test('API reference: the styles of Swagger UI are in a layer, which yields to those of the page', async () => {
  const world = await startWorld();
  const { body, headers } = await world.server.http.inject({ url: '/docs/swagger-ui.css' });
  expect(headers['content-type']).toBe('text/css; charset=utf-8');
  expect(body.startsWith('@layer swagger {')).toBe(true);
  await world.close();
});

async function search(phrase: string): Promise<string[]> {
  const world = await startWorld();
  const { body } = await world.api.get('/openapi.json');
  await world.close();
  const texts = operationTexts(body as OpenApiDocument);
  return [...texts].filter(([, text]) => hasEveryWord(text, phrase)).map(([id]) => id);
}

test('search of the reference: has a text for each operation', async () => {
  const all = await search('');
  expect(all.length).toBeGreaterThan(100);
  expect(new Set(all).size).toBe(all.length);
});

test.each([
  ['a path', '/captures', 'postPaymentSessionsPaymentSessionIdCaptures'],
  ['a summary, in any case and order', 'CARD present', 'postSandboxTerminalsIdPresentCard'],
  ['the name of a member deep in the body', 'sdkEphemeralPublicKey', 'postPaymentSessionsContinuePayment'],
  ['the description of a member', 'legal form', 'postAccounts'],
  ['a parameter of the query', 'sellCurrency', 'getConversionsRate'],
  ['the name of a member of the reply', 'clientSecret', 'getPaymentSessionsPaymentSessionId'],
  ['a refusal', 'domainName is already registered', 'postApplePayWebDomains'],
  ['the description of a tag', 'bank accounts that payouts', 'getAccountsIdPayoutMethods'],
])('search of the reference: finds operations by %s', async (_what, phrase, operation) => {
  expect(await search(phrase)).toContain(operation);
});

test('search of the reference: a refusal that every operation has finds none', async () => {
  expect(await search('too_many_requests')).toEqual([]);
});

test('search of the reference: a phrase with a word that no operation has finds nothing', async () => {
  expect(await search('refund zzz')).toEqual([]);
});
