import { expect, test } from 'vitest';
import { changeMember, parseMemberChange } from '../../../cli/trigger/member-change.ts';

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
