import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAnswerParser } from '../../../agent/printers/printer-answers.ts';
import { fromHex } from '../../../protocol/emv/hex.ts';

const answersOf = (hex: string) => createAnswerParser().push(fromHex(hex.replaceAll(' ', '')));

test.each([
  ['at once', '12', [{ kind: 'atOnce', bits: 0x12 }]],
  ['at once: no paper', '7E', [{ kind: 'atOnce', bits: 0x7e }]],
  ['in turn', '03', [{ kind: 'inTurn', bits: 0x03 }]],
  ['at a change', '3C 00 00 0F', [{ kind: 'change' }]],
  [
    'at once, between the bytes of a change',
    '14 00 12 03 0F',
    [{ kind: 'atOnce', bits: 0x12 }, { kind: 'change' }],
  ],
  ['in turn, after a change', '14 00 03 0F 00', [{ kind: 'change' }, { kind: 'inTurn', bits: 0 }]],
  [
    'the name of its maker, which nobody asked for',
    '5F 45 50 53 4F 4E 00 16',
    [{ kind: 'atOnce', bits: 0x16 }],
  ],
  ['whether it takes more bytes', '13 11 12', [{ kind: 'atOnce', bits: 0x12 }]],
  ['noise', 'FF 80 12', [{ kind: 'atOnce', bits: 0x12 }]],
  ['a change that is broken off by another', '14 00 14 00 00 0F', [{ kind: 'change' }]],
])('answers of an ESC/POS printer: %s', (_name, hex, answers) => {
  expect(answersOf(hex)).toEqual(answers);
});

test.each([
  ['ready', '12', '14 00 00 0F'],
  ['ready, with the pin of the drawer low', '12', '10 00 00 0F'],
  ['near the end of its paper', '1E', '14 00 03 0F'],
  ['out of paper', '32', '1C 00 0F 0F'],
  ['out of paper, by the sensor', '72', '1C 00 0F 0F'],
  ['open', '16', '3C 00 00 0F'],
  ['in error', '52', '1C 08 00 0F'],
])('answers of an ESC/POS printer: one that is %s says %s at once, and reports %s', (_name, now, change) => {
  const bits = Number.parseInt(now, 16);
  expect(answersOf(`${now} ${change} ${now}`)).toEqual([
    { kind: 'atOnce', bits },
    { kind: 'change' },
    { kind: 'atOnce', bits },
  ]);
});

test('answers of an ESC/POS printer: arbitrary bytes in any pieces give the same answers, and a state is found after them', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), (pieces) => {
      const [whole, inPieces] = [createAnswerParser(), createAnswerParser()];
      const all = Uint8Array.from(pieces.flatMap((piece) => [...piece]));
      expect(pieces.flatMap((piece) => inPieces.push(piece))).toEqual(whole.push(all));
      expect(whole.push(Uint8Array.of(0x00, 0x12)).at(-1)).toEqual({ kind: 'atOnce', bits: 0x12 });
    }),
  );
});
