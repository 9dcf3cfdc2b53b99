import { expect, test } from 'vitest';
import { createSimulatedPinPad } from '../../simulator/pin-pad.ts';

const never = new AbortController().signal;

test('PIN pad: clear deletes the typed digits, and enter returns the PIN', async () => {
  const pad = createSimulatedPinPad();
  const typed = pad.requestPin(never);
  expect(pad.isAsking).toBe(true);
  expect(pad.press(['9', '9', 'clear', '1', '2', '3', '4'])).toEqual({ ok: true });
  pad.press(['enter']);
  await expect(typed).resolves.toEqual({ digits: '1234' });
  expect(pad.isAsking).toBe(false);
});

test('PIN pad: counts the typed digits while a PIN is entered, and reports each change', async () => {
  const pad = createSimulatedPinPad();
  const counts: number[] = [];
  pad.onTyped!(() => counts.push(pad.typedDigits!));
  const typed = pad.requestPin(never);
  for (const key of ['1', '2', 'clear', '1', '2', '3', '4', 'enter'] as const) pad.press([key]);
  await typed;
  expect(counts).toEqual([1, 2, 0, 1, 2, 3, 4]);
  expect(pad.typedDigits).toBe(0);
});

test('PIN pad: ignores enter before four digits', async () => {
  const pad = createSimulatedPinPad();
  const typed = pad.requestPin(never);
  pad.press(['1', '2', 'enter', '3', '4', 'enter']);
  await expect(typed).resolves.toEqual({ digits: '1234' });
});

test('PIN pad: cancel ends PIN entry, and calls onCancel when no PIN is requested', async () => {
  const pad = createSimulatedPinPad();
  let cancelled = 0;
  pad.onCancel(() => (cancelled += 1));
  const typed = pad.requestPin(never);
  pad.press(['1', 'cancel']);
  await expect(typed).resolves.toBe('cancelled');
  expect(cancelled).toBe(0);
  pad.press(['cancel']);
  expect(cancelled).toBe(1);
  expect(pad.press(['1'])).toEqual({ ok: false, problem: 'the terminal does not ask for a PIN' });
});

test('PIN pad: an aborted request resolves with undefined and discards the typed digits', async () => {
  const pad = createSimulatedPinPad();
  const asked = new AbortController();
  const typed = pad.requestPin(asked.signal);
  pad.press(['1', '2', '3']);
  asked.abort();
  await expect(typed).resolves.toBeUndefined();

  const again = pad.requestPin(never);
  pad.press(['4', '5', '6', '7', 'enter']);
  await expect(again).resolves.toEqual({ digits: '4567' });
  await expect(pad.requestPin(asked.signal)).resolves.toBeUndefined();
});
