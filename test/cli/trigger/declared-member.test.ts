import { expect, test } from 'vitest';
import { readMember } from '../../../cli/trigger/declared-member.ts';

const SESSION = 'POST /v1/payment-sessions';
const PAYMENT = 'POST /v1/payment-sessions/attempt-payment';

test.each([
  ['a number', SESSION, 'amount', '1742', 1742],
  ['text for a number, for the API to refuse', SESSION, 'amount', 'much', 'much'],
  ['digits where the member is a string', PAYMENT, 'cardDetails.cvc', '100', '100'],
  ['a quoted string', PAYMENT, 'cardDetails.cvc', '"100"', '100'],
  ['digits of metadata', SESSION, 'metadata.order', '42', '42'],
  ['one of some names', SESSION, 'captureFlow', 'Manual', 'Manual'],
  ['true', 'POST /v1/webhooks', 'active', 'true', true],
  ['a list', SESSION, 'splits.items', '[]', []],
  ['null where it is allowed', 'POST /v1/in-person/locations', 'address.lineTwo', 'null', null],
  ['the word null where it is not', SESSION, 'metadata.order', 'null', 'null'],
] as const)('member: reads %s', async (_what, operation, path, typed, value) => {
  expect(await readMember(operation, path.split('.'), typed)).toEqual(value);
});

test('member: parameters of an operation may have other names', async () => {
  const operation = 'PATCH /v1/accounts/{account.id}/persons/{person.id}';
  expect(await readMember(operation, ['firstName'], 'Kim')).toBe('Kim');
});

test('member: one that the operation does not have is refused, with those that it has', async () => {
  await expect(readMember('POST /sandbox/clock/advance', ['hours'], '1')).rejects.toThrow(
    "--set: POST /sandbox/clock/advance has no member 'hours': it has seconds",
  );
});
