import fc from 'fast-check';
import { expect, test } from 'vitest';
import { authorisation } from '../../../../agent/readers/zvt/commands.ts';
import {
  apduSize,
  createSerialParser,
  createTcpParser,
  decodeApdu,
  encodeApdu,
  encodeFrame,
  type ZvtFrame,
} from '../../../../agent/readers/zvt/frame.ts';
import { POSITIVE } from '../../../../agent/readers/zvt/transport-layer.ts';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import { concat } from '../../../../protocol/emv/tlv.ts';
import { property } from '../../../property.ts';

const aCommand = fc.record({
  control: fc.integer({ min: 0, max: 0xffff }),
  data: fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ minLength: 250, maxLength: 300 })),
});

/** Returns the APDUs among the frames, in order. */
function commandsOf(frames: ZvtFrame[]) {
  return frames.flatMap((frame) => (frame.type === 'apdu' ? [frame.apdu] : []));
}

/** Cuts bytes at these offsets, modulo their length. */
function pieces(bytes: Uint8Array, cuts: number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

test('ZVT frame: encodes the examples of PA00P016, 80 00 00 and a payment of 10.34', () => {
  expect(toHex(encodeFrame(encodeApdu(POSITIVE)))).toBe('10028000001003F51F');
  const payment = fromHex('06010704000000001034');
  expect(toHex(encodeFrame(payment))).toBe('100206010704000000001010341003A040');
});

test('authorisation command: has amount and currency', () => {
  expect(toHex(encodeApdu(authorisation(1034, 'EUR')))).toBe('06010A04000000001034490978');
});

test('ZVT APDU: encodes a length over 254 in two bytes, low byte first', () => {
  const long = encodeApdu({ control: 0x06d3, data: new Uint8Array(300) });
  expect(toHex(long.subarray(0, 5))).toBe('06D3FF2C01');
  expect(apduSize(long)).toBe(305);
  expect(decodeApdu(long)?.data).toHaveLength(300);
});

property([fc.array(aCommand, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 8 })])(
  'serial parser: finds the same blocks in whatever pieces they arrive',
  (commands, cuts) => {
    const stream = concat(...commands.map((command) => encodeFrame(encodeApdu(command))));
    const parser = createSerialParser();
    const frames = pieces(stream, cuts).flatMap((piece) => parser.push(piece));
    expect(frames.map(({ type }) => type)).toEqual(commands.map(() => 'apdu'));
    expect(commandsOf(frames)).toEqual(commands);
  },
);

property([fc.array(aCommand, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 8 })])(
  'TCP parser: finds the same APDUs in whatever pieces they arrive',
  (commands, cuts) => {
    const parser = createTcpParser();
    const stream = concat(...commands.map(encodeApdu));
    expect(commandsOf(pieces(stream, cuts).flatMap((piece) => parser.push(piece)))).toEqual(commands);
  },
);

property([fc.uint8Array({ maxLength: 200 }), aCommand])(
  'serial parser: finds the second of two blocks after any noise',
  (noise, command) => {
    const parser = createSerialParser();
    parser.push(noise);
    const block = encodeFrame(encodeApdu(command));
    expect(commandsOf(parser.push(concat(block, block))).at(-1)).toEqual(command);
  },
);

property([fc.uint8Array({ maxLength: 400 })])('ZVT parsers: never throw', (bytes) => {
  expect(Array.isArray(createSerialParser().push(bytes))).toBe(true);
  expect(Array.isArray(createTcpParser().push(bytes))).toBe(true);
});

test('serial parser: reports a block that lost a byte as broken', () => {
  const block = encodeFrame(encodeApdu(authorisation(1000, 'EUR')));
  const hurt = concat(block.subarray(0, 6), block.subarray(7));
  expect(createSerialParser().push(hurt)).toEqual([{ type: 'broken' }]);
});
