import { expect, test } from 'vitest';
import { bindArguments, required, optional, usageOf } from '../../cli/command.ts';

const pay = { terminal: optional('A terminal'), amount: required('An amount') };

test('one word is the amount, two are terminal and amount', () => {
  expect(bindArguments(pay, ['1742'])).toEqual({ amount: '1742' });
  expect(bindArguments(pay, ['SIM-0001', '1742'])).toEqual({ terminal: 'SIM-0001', amount: '1742' });
});

test('what is missing is named, with its meaning', () => {
  expect(() => bindArguments(pay, [])).toThrow('AMOUNT is missing: An amount');
});

test('optional words alone may all be left out', () => {
  expect(bindArguments({ terminal: optional('A terminal') }, [])).toEqual({});
});

test('the usage shows which words are needed', () => {
  expect(usageOf({ name: 'pay', parameters: pay })).toBe('pay [terminal] <amount>');
});
