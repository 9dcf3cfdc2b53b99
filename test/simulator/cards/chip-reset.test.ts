import { expect, test } from 'vitest';
import { CHIP_CARD_NAMES } from '../../../simulator/cards/chip-card-registry.ts';
import { newCard } from './chip-fixture.ts';

/** ISO/IEC 7816-3 §8.2: what an answer to reset says, or why it is none. */
function readAtr(atr: Uint8Array) {
  const [ts, t0] = atr as unknown as [number, number];
  let at = 2;
  const interfaceBytes: Record<string, number> = {};
  const protocols: number[] = [];
  let follows = t0 >> 4;
  for (let level = 1; follows !== 0; level++) {
    for (const [bit, letter] of [...'ABC'].entries()) {
      if (follows & (1 << bit)) interfaceBytes[`T${letter}${level}`] = atr[at++]!;
    }
    const td = follows & 8 ? atr[at++]! : 0;
    if (follows & 8) protocols.push(td & 0x0f);
    follows = td >> 4;
  }
  const historical = atr.slice(at, at + (t0 & 0x0f));
  const needsCheck = protocols.some((protocol) => protocol !== 0);
  return { ts, interfaceBytes, protocols, historical, rest: atr.length - at - historical.length, needsCheck };
}

test.each(CHIP_CARD_NAMES)('chip %s: returns a valid EMV answer to reset for T=0', (name) => {
  const { ts, interfaceBytes, protocols, historical, rest, needsCheck } = readAtr(newCard(name).atr);

  expect(ts).toBe(0x3b);
  expect(interfaceBytes).toEqual({ TB1: 0x00, TC1: 0x00 });
  expect(protocols, 'none named is T=0').toEqual([]);
  expect(needsCheck).toBe(false);
  expect(rest, 'nothing after the historical bytes').toBe(0);
  expect(Buffer.from(historical.slice(2)).toString()).toBe('TAPBENCH');
});

test.each(CHIP_CARD_NAMES)('chip %s: has contactless parameters of a payment card', (name) => {
  const { atqa, sak, uid, ats } = newCard(name);

  expect([...atqa]).toEqual([0x00, 0x04]);
  expect(sak & 0x20, 'ISO/IEC 14443-4').toBe(0x20);
  expect(uid).toHaveLength(4);
  expect(uid[0], 'a number that tells nothing').toBe(0x08);
  expect(ats[0], 'its own length').toBe(ats.length);
  expect(ats[1]! & 0x0f, 'frames of 256 bytes').toBe(8);
  expect(ats[1]! & 0x70, 'TA, TB and TC follow').toBe(0x70);
  expect(ats[2], 'the same speed both ways').toBe(0x80);
  expect(ats[3]! >> 4, 'frame waiting time').toBeLessThanOrEqual(7);
  expect(ats[3]! & 0x0f, 'start-up guard time').toBeLessThanOrEqual(8);
});

test('chips: every card has its own UID', () => {
  const numbers = CHIP_CARD_NAMES.map((name) => Buffer.from(newCard(name).uid).toString('hex'));

  expect(new Set(numbers).size).toBe(numbers.length);
});
