import { expect, test } from 'vitest';
import { MODULATION } from '../../../../agent/readers/pn532/chip.ts';
import { targetOf } from '../../../../agent/readers/pn532/slot.ts';
import { fromHex } from '../../../../protocol/emv/hex.ts';

test.each([
  ['an empty field', MODULATION.typeA, '00', undefined],
  ['an answer without a card', MODULATION.typeA, '01', undefined],
  [
    'a card of type A',
    MODULATION.typeA,
    '0101000420040801020305788070 02',
    { number: 1, modulation: 'typeA', sak: 0x20 },
  ],
  // Tg, ATQB (12), length and answer to ATTRIB.
  [
    'a card of type B',
    MODULATION.typeB,
    '01015080010203000000008081E10100',
    { number: 1, modulation: 'typeB' },
  ],
])('PN532 target: %s', (_, modulation, answer, target) => {
  expect(targetOf(modulation, fromHex(answer.replaceAll(' ', '')))).toEqual(target);
});
