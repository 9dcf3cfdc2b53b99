import { expect, test } from 'vitest';
import { bindArguments, required, optional, usageOf } from '../../../cli/command-line/command.ts';

const pay = { terminal: optional('A terminal'), amount: required('An amount') };

test('bindArguments: fills required parameters first', () => {
  expect(bindArguments(pay, ['1742'])).toEqual({ amount: '1742' });
  expect(bindArguments(pay, ['SIM-0001', '1742'])).toEqual({ terminal: 'SIM-0001', amount: '1742' });
});

test('bindArguments: names a missing argument with its description', () => {
  expect(() => bindArguments(pay, [])).toThrow('AMOUNT is missing: An amount');
});

test('bindArguments: allows all optional arguments to be left out', () => {
  expect(bindArguments({ terminal: optional('A terminal') }, [])).toEqual({});
});

test('usageOf: marks required and optional arguments', () => {
  expect(usageOf({ name: 'pay', parameters: pay })).toBe('pay [terminal] <amount>');
});
