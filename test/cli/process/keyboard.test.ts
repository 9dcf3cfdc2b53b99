import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { keyboardOf } from '../../../cli/process/keyboard.ts';

async function keysOf(...typed: string[]): Promise<{ keys: string[]; interrupted: boolean }> {
  const input = new PassThrough();
  const keys: string[] = [];
  let interrupted = false;
  const keyboard = keyboardOf(input as unknown as NodeJS.ReadStream, () => (interrupted = true));
  keyboard.onKey((key) => keys.push(key));
  for (const text of typed) {
    input.write(text);
    await setImmediate();
  }
  return { keys, interrupted };
}

test('keyboardOf: maps digits, enter, backspace and escape to PIN pad keys', async () => {
  const { keys } = await keysOf('12', '\u007f', '34\r', '\u001b', 'x');
  expect(keys).toEqual(['1', '2', 'clear', '3', '4', 'enter', 'cancel']);
});

test('keyboardOf: ignores arrow and function keys for the PIN pad', async () => {
  expect((await keysOf('\u001b[A', '\u001bOP', '\u001b[15~')).keys).toEqual([]);
});

test('keyboardOf: Control-C interrupts', async () => {
  expect(await keysOf('\u0003')).toEqual({ keys: [], interrupted: true });
});
