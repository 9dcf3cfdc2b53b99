import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { apduSize, decodeApdu, encodeApdu } from '../../../../agent/readers/zvt/apdu.ts';
import { authorisation } from '../../../../agent/readers/zvt/commands.ts';
import { encodeFrame } from '../../../../agent/readers/zvt/frame.ts';
import { createBareParser, createSerialParser, type ZvtFrame } from '../../../../agent/readers/zvt/parser.ts';
import { POSITIVE } from '../../../../agent/readers/zvt/transport-layer.ts';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import { concat } from '../../../../protocol/emv/tlv.ts';

const aCommand = fc.record({
  control: fc.integer({ min: 0, max: 0xffff }),
  data: fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ minLength: 250, maxLength: 300 })),
});

/** The commands among what was parsed, in their order. */
function commandsOf(frames: ZvtFrame[]) {
  return frames.flatMap((frame) => (frame.type === 'apdu' ? [frame.apdu] : []));
}

/** Cuts bytes at these places, anywhere modulo their length. */
function pieces(bytes: Uint8Array, cuts: number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

test('frames are those of the specification: 80 00 00 and a payment of 10.34', () => {
  expect(toHex(encodeFrame(encodeApdu(POSITIVE)))).toBe('10028000001003F51F');
  const payment = fromHex('06010704000000001034');
  expect(toHex(encodeFrame(payment))).toBe('100206010704000000001010341003A040');
});

test('a payment carries its amount and currency', () => {
  expect(toHex(encodeApdu(authorisation(1034, 'EUR')))).toBe('06010A04000000001034490978');
});

test('a length over 254 takes two bytes, the lower first', () => {
  const long = encodeApdu({ control: 0x06d3, data: new Uint8Array(300) });
  expect(toHex(long.subarray(0, 5))).toBe('06D3FF2C01');
  expect(apduSize(long)).toBe(305);
  expect(decodeApdu(long)?.data).toHaveLength(300);
});

property.prop([fc.array(aCommand, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 8 })])(
  'blocks cut and joined in any way are the same blocks',
  (commands, cuts) => {
    const stream = concat(...commands.map((command) => encodeFrame(encodeApdu(command))));
    const parser = createSerialParser();
    const frames = pieces(stream, cuts).flatMap((piece) => parser.push(piece));
    expect(frames.map(({ type }) => type)).toEqual(commands.map(() => 'apdu'));
    expect(commandsOf(frames)).toEqual(commands);
  },
);

property.prop([fc.array(aCommand, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 8 })])(
  'bare commands cut and joined in any way are the same commands',
  (commands, cuts) => {
    const parser = createBareParser();
    const stream = concat(...commands.map(encodeApdu));
    expect(commandsOf(pieces(stream, cuts).flatMap((piece) => parser.push(piece)))).toEqual(commands);
  },
);

property.prop([fc.uint8Array({ maxLength: 200 }), aCommand])(
  'after any noise the second of two blocks is found',
  (noise, command) => {
    const parser = createSerialParser();
    parser.push(noise);
    const block = encodeFrame(encodeApdu(command));
    expect(commandsOf(parser.push(concat(block, block))).at(-1)).toEqual(command);
  },
);

property.prop([fc.uint8Array({ maxLength: 400 })])('no bytes break a parser', (bytes) => {
  expect(Array.isArray(createSerialParser().push(bytes))).toBe(true);
  expect(Array.isArray(createBareParser().push(bytes))).toBe(true);
});

test('a block that lost a byte is known to be broken', () => {
  const block = encodeFrame(encodeApdu(authorisation(1000, 'EUR')));
  const hurt = concat(block.subarray(0, 6), block.subarray(7));
  expect(createSerialParser().push(hurt)).toEqual([{ type: 'broken' }]);
});
