import { expect, test } from 'vitest';
import { changeMember, parseMemberChange, readMember } from '../../../cli/trigger/member-change.ts';

test.each([
  ['amount=1742', undefined, ['amount'], '1742'],
  ['currency=EUR', undefined, ['currency'], 'EUR'],
  ['payment:cardDetails.cvc="100"', 'payment', ['cardDetails', 'cvc'], '"100"'],
  ['bankAccount.accountNumber=00000111', undefined, ['bankAccount', 'accountNumber'], '00000111'],
  ['metadata.note=a=b:c', undefined, ['metadata', 'note'], 'a=b:c'],
  ['metadata.note=', undefined, ['metadata', 'note'], ''],
  ['splits={"items":[]}', undefined, ['splits'], '{"items":[]}'],
  ['returnUrl=http://shop.example/?a=1', undefined, ['returnUrl'], 'http://shop.example/?a=1'],
])('member change: %s', (change, step, path, typed) => {
  expect(parseMemberChange(change)).toEqual({ step, path, typed });
});

test.each(['amount', '=5', 'a..b=1', ':a=1', 'a b=1', ''])('member change: %j is refused', (typed) => {
  expect(() => parseMemberChange(typed)).toThrow(`--set must be a member and its value`);
});

test('member change: objects and arrays on the way are created, and others stay', () => {
  const body = { amount: 1, items: [{ name: 'Tea' }] };
  expect(changeMember(body, ['items', '0', 'price'], 5)).toEqual({
    amount: 1,
    items: [{ name: 'Tea', price: 5 }],
  });
  expect(changeMember(body, ['splits', 'items', '0', 'amount'], 5)).toEqual({
    ...body,
    splits: { items: [{ amount: 5 }] },
  });
  expect(body).toEqual({ amount: 1, items: [{ name: 'Tea' }] });
});

test('member change: a position beyond the end is the next one, because JSON has no gaps', () => {
  expect(changeMember({ items: ['a'] }, ['items', '7'], 'b')).toEqual({ items: ['a', 'b'] });
});

test('member change: __proto__ is a member like any other', () => {
  const changed = changeMember({}, ['__proto__', 'amount'], 5);
  expect(JSON.stringify(changed)).toBe('{"__proto__":{"amount":5}}');
});

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
