import { expect, test } from 'vitest';
import { ActionAbandoned } from '../../protocol/messages/action.messages.ts';
import { REASON_CHARACTERS_MAX, reasonText } from '../../protocol/reason.ts';

test.each([
  ['there is no port /dev/ttyUSB0', 'there is no port /dev/ttyUSB0'],
  ['the reader answered 6A82 to GENERATE AC', 'the reader answered 6A82 to GENERATE AC'],
  ['read: Input/output error\r\n\tat the port\u0000', 'read: Input/output error at the port'],
  ['a bad\u202Etxet\uD800 here', 'a bad txet here'],
])('reasonText: %j becomes one printable line', (text, line) => {
  expect(reasonText(text)).toBe(line);
});

test.each([
  ['card 4012001037140085 refused', 'card ·· refused'],
  ['card 4012 0010 3714 0085 refused', 'card ·· refused'],
  ['card 3714 496353 98431 refused', 'card ·· refused'],
  [';4012001037140085=25121010000012345678?', ';··=··?'],
  ['the frame 6F 1A 84 07 A0 00 00 00 03 10 10 is cut', 'the frame ·· is cut'],
  ['57114012001037140085D25121010000012345', '··'],
])('reasonText: %j has no card number and no bytes', (text, masked) => {
  expect(reasonText(text)).toBe(masked);
});

test('reasonText: a long text is cut to what a message may carry, and not within a character', () => {
  const body = (reason: string) => ({ actionId: ACTION_ID, seq: 1, code: 'unexpected_error', reason });
  for (const text of ['x'.repeat(50_000), `${'x'.repeat(198)}😀${'y'.repeat(100)}`]) {
    const reason = reasonText(text)!;
    expect(reason.length).toBeLessThanOrEqual(REASON_CHARACTERS_MAX);
    expect(reason).toMatch(/^x{198}x?…$/);
    expect(ActionAbandoned.check(body(reason))).toEqual([]);
  }
  expect(ActionAbandoned.check(body('x'.repeat(201)))[0]).toMatchObject({ path: 'reason' });
});

test('reasonText: is undefined where there is nothing to read', () => {
  expect([reasonText(''), reasonText(' \n\u0007')]).toEqual([undefined, undefined]);
});

const ACTION_ID = 'tmlact_01J9Z6P1A2B3C4D5E6F7G8H9JK_01J9Z6P1A2B3C4D5E6F7G8H9JM';
