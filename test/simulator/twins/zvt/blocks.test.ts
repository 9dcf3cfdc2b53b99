import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import { apduBytes, POSITIVE, refusal } from '../../../../simulator/twins/zvt/apdu.ts';
import {
  ACKNOWLEDGE,
  blockBytes,
  createBareCollector,
  createBlockCollector,
  REJECT,
  type Collector,
  type Received,
} from '../../../../simulator/twins/zvt/blocks.ts';
import { property } from '../../../property.ts';

// The examples of PA00P016: 80 00 00, and a payment of 10.34 whose 10 is doubled.
const POSITIVE_BLOCK = '10028000001003F51F';
const PAYMENT = '06010704000000001034';
const PAYMENT_BLOCK = '100206010704000000001010341003A040';

/** Control field and data in hexadecimal; the kind of what is no message. */
function show(received: Received): string {
  return received.type === 'apdu' ? toHex(apduBytes(received.apdu)) : received.type;
}

function receive(collector: Collector, ...pieces: string[]): string[] {
  return pieces.flatMap((piece) => collector.push(fromHex(piece))).map(show);
}

const receiveBlocks = (...pieces: string[]) => receive(createBlockCollector(), ...pieces);

/** Cuts bytes at these places, each modulo the length. */
function cut(bytes: Uint8Array, cuts: number[]): Uint8Array[] {
  const places = [0, ...cuts.map((place) => place % bytes.length), bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

test('ZVT blocks: encodes the examples of the manual', () => {
  expect(toHex(blockBytes(POSITIVE))).toBe(POSITIVE_BLOCK);
  expect(toHex(blockBytes({ control: 0x0601, data: fromHex('04000000001034') }))).toBe(PAYMENT_BLOCK);
  expect(toHex(ACKNOWLEDGE)).toBe('06');
  expect(toHex(REJECT)).toBe('15');
});

test('ZVT block collector: returns messages, ACK and NAK', () => {
  expect(receiveBlocks(POSITIVE_BLOCK, '06', PAYMENT_BLOCK, '15')).toEqual(['800000', 'ack', PAYMENT, 'nak']);
});

test('ZVT answer: is 80 00 00, or 84, a result code and 00', () => {
  expect(toHex(apduBytes(POSITIVE))).toBe('800000');
  expect(toHex(apduBytes(refusal(0x9c)))).toBe('849C00');
});

test('ZVT message: a length from 255 on is FF and two bytes, the lower one first', () => {
  const message = (length: number) => toHex(apduBytes({ control: 0x06d3, data: new Uint8Array(length) }));
  expect(message(254)).toBe(`06D3FE${'00'.repeat(254)}`);
  expect(message(255)).toBe(`06D3FFFF00${'00'.repeat(255)}`);
  expect(message(300)).toBe(`06D3FF2C01${'00'.repeat(300)}`);
  expect(() => message(65_536)).toThrow('65536 bytes do not fit');
  const long = `06D3FF2C01${'00'.repeat(300)}`;
  expect(receive(createBareCollector(), long, '06', 'D3', 'FF', '0100', '2A', '800000')).toEqual([
    long,
    '06D3012A',
    '800000',
  ]);
});

test('ZVT block collector: a block with a wrong check or a wrong length is damaged', () => {
  expect(receiveBlocks('10028000001003F51E')).toEqual(['damaged']);
  // A length that announces one byte more than there is, with a check that is right.
  expect(receiveBlocks('100280000110032D06')).toEqual(['damaged']);
});

test('ZVT block collector: finds the next block after a block without an end, and after noise', () => {
  expect(receiveBlocks('1002060107', POSITIVE_BLOCK)).toEqual(['800000']);
  expect(receiveBlocks('FF1011', POSITIVE_BLOCK)).toEqual(['800000']);
  expect(receiveBlocks('100206011099', POSITIVE_BLOCK)).toEqual(['800000']);
});

test('ZVT block collector: finds the block after one that lost any one byte', () => {
  for (let at = 0; at < PAYMENT_BLOCK.length; at += 2) {
    const torn = PAYMENT_BLOCK.slice(0, at) + PAYMENT_BLOCK.slice(at + 2);
    expect(receiveBlocks(torn, POSITIVE_BLOCK, POSITIVE_BLOCK).at(-1)).toBe('800000');
  }
});

property([fc.array(fc.nat(), { maxLength: 8 })])(
  'block collector: finds the same messages in whatever pieces they arrive',
  (cuts) => {
    const collector = createBlockCollector();
    const stream = fromHex(`${PAYMENT_BLOCK}06${POSITIVE_BLOCK}`);
    const received = cut(stream, cuts).flatMap((piece) => collector.push(piece));
    expect(received.map(show)).toEqual([PAYMENT, 'ack', '800000']);
  },
);

property([fc.array(fc.nat(), { maxLength: 8 })])(
  'TCP collector: finds the same messages in whatever pieces they arrive',
  (cuts) => {
    const collector = createBareCollector();
    const received = cut(fromHex(`${PAYMENT}800000${PAYMENT}`), cuts).flatMap((piece) =>
      collector.push(piece),
    );
    expect(received.map(show)).toEqual([PAYMENT, '800000', PAYMENT]);
  },
);

property([fc.uint8Array({ maxLength: 400 })])('ZVT collectors: never throw', (bytes) => {
  expect(Array.isArray(createBlockCollector().push(bytes))).toBe(true);
  expect(Array.isArray(createBareCollector().push(bytes))).toBe(true);
});
