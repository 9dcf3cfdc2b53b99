import { expect, test } from 'vitest';
import { actionBody, amountProblem } from '../../../../server/dashboard/page/objects/action-form.tsx';
import type { ActionField } from '../../../../server/dashboard/page/objects/stored-object.ts';

const field = (member: string, type: ActionField['type'], required = false): ActionField => ({
  member,
  label: member,
  type,
  required,
});

test('actionBody: has amounts in minor units, times in seconds, and nested members', () => {
  const action = {
    body: { captureTransaction: { id: 'ptxn_1' } },
    fields: [
      field('amount', 'amount'),
      field('text.uncategorised', 'text'),
      field('refundPlatformFee', 'boolean'),
      field('resumeAtTimestamp', 'timestamp'),
    ],
  };
  expect(actionBody(action, {})).toEqual({ captureTransaction: { id: 'ptxn_1' } });
  const values = {
    amount: ' 17,42 ',
    'text.uncategorised': 'It was delivered.',
    refundPlatformFee: 'true',
    resumeAtTimestamp: '2026-03-01T14:05',
  };
  expect(actionBody(action, values)).toEqual({
    captureTransaction: { id: 'ptxn_1' },
    amount: 1742,
    text: { uncategorised: 'It was delivered.' },
    refundPlatformFee: true,
    resumeAtTimestamp: Date.UTC(2026, 2, 1, 14, 5) / 1000,
  });
});

test('actionBody: there is none while a required member is missing or a text is no value', () => {
  const required = { body: {}, fields: [field('status', 'choice', true)] };
  expect(actionBody(required, { status: ' ' })).toBeUndefined();
  for (const amount of ['1.234', '-1', 'all'])
    expect(actionBody({ body: {}, fields: [field('amount', 'amount')] }, { amount })).toBeUndefined();
  const timed = { body: {}, fields: [field('at', 'timestamp')] };
  expect(actionBody(timed, { at: 'tomorrow' })).toBeUndefined();
});

test('amountProblem: names the amounts that are allowed as money', () => {
  const fields = [{ ...field('amount', 'amount'), label: 'Amount', maximum: 1250, currency: 'GBP' }];
  for (const amount of ['12.51', '0'])
    expect(amountProblem(fields, { amount })).toBe('Amount must be 0.01 GBP to 12.50 GBP');
  for (const amount of ['12.50', '', 'all']) expect(amountProblem(fields, { amount })).toBeUndefined();
});
