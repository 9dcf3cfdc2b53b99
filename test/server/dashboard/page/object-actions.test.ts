import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { secondsUntil } from '../../../../server/dashboard/page/clock/clock-menu.tsx';
import { actionBody, amountProblem } from '../../../../server/dashboard/page/objects/action-form.tsx';
import type { ActionField } from '../../../../server/dashboard/page/objects/stored-object.ts';
import { PAUSE_MS, rereadOnChange } from '../../../../server/dashboard/page/parts/reread.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';

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

test('secondsUntil: is at most what the clock can be advanced by at once', () => {
  expect([secondsUntil(1_500, 0), secondsUntil(0, 9_000), secondsUntil(1e14, 0)]).toEqual([2, 1, 31_536_000]);
});

function rereading(isHidden = () => false) {
  const clock = new VirtualClock(0);
  const changes = signal(0);
  const reads: (() => void)[] = [];
  const handle = rereadOnChange({ clock, changes, isHidden }, () => new Promise((end) => reads.push(end)));
  const end = async () => {
    reads.at(-1)!();
    await clock.advance(0);
  };
  return { clock, changes, reads, end, ...handle };
}

test('rereadOnChange: reads at once, then after changes with a pause, one read at a time', async () => {
  const page = rereading();
  expect(page.reads.length).toBe(1);
  page.changes.value += 1;
  expect(page.reads.length).toBe(1);
  await page.end();
  page.changes.value += 1;
  expect(page.reads.length).toBe(1);
  await page.clock.advance(PAUSE_MS);
  expect(page.reads.length).toBe(2);
  await page.end();
  await page.clock.advance(10 * PAUSE_MS);
  expect(page.reads.length).toBe(2);
  page.changes.value += 1;
  expect(page.reads.length).toBe(3);
});

test('rereadOnChange: reads again on request without a pause, and nothing after it was stopped', async () => {
  const page = rereading();
  await page.end();
  page.reread();
  expect(page.reads.length).toBe(2);
  page.reread();
  await page.end();
  await page.clock.advance(PAUSE_MS);
  expect(page.reads.length).toBe(3);
  await page.end();
  page.changes.value += 1;
  page.stop();
  await page.clock.advance(10 * PAUSE_MS);
  page.changes.value += 1;
  expect(page.reads.length).toBe(3);
});

test('rereadOnChange: waits while nobody sees it', async () => {
  let hidden = false;
  const page = rereading(() => hidden);
  await page.end();
  hidden = true;
  page.changes.value += 1;
  await page.clock.advance(5 * PAUSE_MS);
  expect(page.reads.length).toBe(1);
  hidden = false;
  await page.clock.advance(PAUSE_MS);
  expect(page.reads.length).toBe(2);
});
