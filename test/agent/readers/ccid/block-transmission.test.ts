import { expect, test } from 'vitest';
import { createBlockTransmission } from '../../../../agent/readers/ccid/block-transmission.ts';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';

/**
 * A card that expects these blocks and answers with those, in hexadecimal without the checksum; `!` breaks the
 * checksum of an answer. `1: ` and `2: ` before a block say who sends it.
 */
function card(lines: (string | string[])[], cardField: number = 0x20) {
  const script = lines.flat();
  const factors: number[] = [];
  const transmission = createBlockTransmission(async (block, factor) => {
    factors.push(factor);
    expect(`1: ${toHex(block.subarray(0, -1))}`).toBe(script.shift());
    const answer = script.shift()!.replace('2: ', '');
    const bytes = fromHex(answer.replace('!', ''));
    const check = bytes.reduce((sum, byte) => sum ^ byte, 0);
    return Uint8Array.of(...bytes, answer.endsWith('!') ? check ^ 0xff : check);
  }, cardField);
  return {
    factors,
    begin: () => transmission.begin(),
    ask: (apdu: string) =>
      transmission.transceive(fromHex(apdu)).then(toHex, (error: Error) => error.message),
    left: () => script.length,
  };
}

test('T=1: sequence numbers alternate on both sides', async () => {
  const { ask, left } = card(['1: 00000400A40400', '2: 0000029000', '1: 00400400A40401', '2: 0040026A82']);
  expect(await ask('00A40400')).toBe('9000');
  expect(await ask('00A40401')).toBe('6A82');
  expect(left()).toBe(0);
});

test('T=1: negotiates the information field size and chains longer data', async () => {
  const { begin, ask, left } = card(
    [
      ['1: 00C101FE', '2: 00E101FE'],
      ['1: 00200400A40400', '2: 009000'],
      ['1: 00400102', '2: 0020020102'],
      ['1: 009000', '2: 0040029000'],
    ],
    4,
  );
  await begin();
  expect(await ask('00A4040002')).toBe('01029000');
  expect(left()).toBe(0);
});

test('T=1: accepts waiting time extension and IFS requests', async () => {
  const { ask, factors, left } = card([
    ['1: 00000400A40400', '2: 00C30105'],
    ['1: 00E30105', '2: 00C10102'],
    ['1: 00E10102', '2: 0000029000'],
    ['1: 00600200A4', '2: 008000'],
    ['1: 0000020400', '2: 0040029000'],
  ]);
  expect(await ask('00A40400')).toBe('9000');
  expect(await ask('00A40400')).toBe('9000');
  expect(factors).toEqual([1, 5, 1, 1, 1]);
  expect(left()).toBe(0);
});

test('T=1: requests a broken block again and resends a lost one', async () => {
  const { ask, left } = card([
    ['1: 00000400A40400', '2: 0000029000!'],
    ['1: 008100', '2: 0000029000'],
    ['1: 00400400A40400', '2: 009100'],
    ['1: 00400400A40400', '2: 0040029000'],
  ]);
  expect(await ask('00A40400')).toBe('9000');
  expect(await ask('00A40400')).toBe('9000');
  expect(left()).toBe(0);
});

test('T=1: fails after repeated protocol errors', async () => {
  const noise = ['1: 00000400A40400', '2: 0000029000!', '1: 008100', '2: 0000029000!', '1: 008100', '2: 00!'];
  expect(await card(noise).ask('00A40400')).toBe('the card breaks its protocol');
  expect(await card(['1: 00000400A40400', '2: 0040029000']).ask('00A40400')).toBe(
    'the card breaks its protocol',
  );
  const refusalReason = card(['1: 00C101FE', '2: 0000029000']);
  await expect(refusalReason.begin()).rejects.toThrow('the card breaks its protocol');
});
