import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signatureOf, verifySignature } from '../../../../server/platform/outbox/signature.ts';

const SECRET = 'whs_5d0f2a68-1c3b-4e7a-9b1d-2f6c8e0a4b91';
const BODY = '{"id":"ev_01J9Z60A1B2C3D4E5F6G7H8J9K","eventType":"Customer.deleted"}';
const SIGNATURE = '8cd6848b3bbc83e1ca6dd0666668dec042aadaa36a3df26b1c4f0910ffb01cd1';

test(
  'signature: is the HMAC-SHA256 in hex with the whole text of the secret',
  { tags: ['spec:6/hmac'] },
  () => {
    expect(signatureOf(SECRET, BODY)).toBe(SIGNATURE);
  },
);

test('signature: signs text as its UTF-8 bytes, as it is sent', () => {
  const body = '{"name":"Café Zoë 😀"}';
  const overBytes = createHmac('sha256', SECRET).update(Buffer.from(body, 'utf8')).digest('hex');
  expect(signatureOf(SECRET, body)).toBe(overBytes);
  expect(signatureOf(SECRET, Buffer.from(body))).toBe(overBytes);
});

test('signature: a receiver accepts the right one and no other', () => {
  expect(verifySignature(SECRET, BODY, SIGNATURE)).toBe(true);
  expect(verifySignature(SECRET, Buffer.from(BODY), SIGNATURE)).toBe(true);
  expect(verifySignature(SECRET, `${BODY} `, SIGNATURE)).toBe(false);
  expect(verifySignature(SECRET.slice('whs_'.length), BODY, SIGNATURE)).toBe(false);
  expect(verifySignature(SECRET, BODY, `0${SIGNATURE.slice(1)}`)).toBe(false);
  expect(verifySignature(SECRET, BODY, SIGNATURE.slice(0, -1))).toBe(false);
  expect(verifySignature(SECRET, BODY, '')).toBe(false);
});
