import { expect, test } from 'vitest';
import {
  hasEveryWord,
  operationTexts,
} from '../../../../server/dashboard/page/reference/search-operations.ts';
import type { OpenApiDocument } from '../../../../server/dashboard/page/reference/openapi-document.ts';
import { startWorld } from '../../../../testing/world/world.ts';

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
