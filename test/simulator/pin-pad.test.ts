import { expect, test } from 'vitest';
import { createSimulatedPinPad } from '../../simulator/pin-pad.ts';

const never = new AbortController().signal;

test('a PIN is typed, corrected and entered', async () => {
  const pad = createSimulatedPinPad();
  const typed = pad.requestPin(never);
  expect(pad.isAsking).toBe(true);
  expect(pad.press(['9', '9', 'clear', '1', '2', '3', '4'])).toEqual({ ok: true });
  pad.press(['enter']);
  await expect(typed).resolves.toEqual({ digits: '1234' });
  expect(pad.isAsking).toBe(false);
});

test('enter before four digits is not the end of a PIN', async () => {
  const pad = createSimulatedPinPad();
  const typed = pad.requestPin(never);
  pad.press(['1', '2', 'enter', '3', '4', 'enter']);
  await expect(typed).resolves.toEqual({ digits: '1234' });
});

test('cancel ends the typing, and is heard also when no PIN is asked for', async () => {
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

test('who does not want the PIN any more gets none, and what was typed is forgotten', async () => {
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
