import { expect, test } from 'vitest';
import { createFrameCollector, frameBytes } from '../../../../simulator/twins/concert/frames.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();
const BLANKS = ' '.repeat(10);

test.each([
  ['payment with card data', `0100001250110978${BLANKS}A010B010`, '01'],
  ['payment', `0100001250010978${BLANKS}A010B010`, '00'],
  ['cancel', `0100001250012978${BLANKS}A010B010`, '02'],
  ['cancel with card data', `0100001250112978${BLANKS}A010B010`, '03'],
  ['payment of E', `0100001250010978${BLANKS}`, '03'],
  ['payment of E with card data', `0100001250110978${BLANKS}`, '02'],
  ['payment answered at once', `0100002500010978${BLANKS}A011B010`, '00'],
  ['cheque answered at once', `01000025000C0978${BLANKS}A011B010`, '72'],
  ['answer with card data', `010000012501${'4970100000000154'.padEnd(55)}978${BLANKS}`, '18'],
  ['answer', `010000012501978${BLANKS}`, '33'],
  ['refusal', `017000012501978${BLANKS}`, '34'],
  ['taken in', `019000025001978${BLANKS}`, '3B'],
  ['records', 'CZ0040300CJ012247300123456CA00201CB00512345CD0010CE003978', '23'],
])('Concert frames: the check byte of a %s', (_, text, check) => {
  expect(hex(frameBytes(text)).slice(-4)).toBe(`03${check}`);
});

const FIRST = '02303130303030313235303131303937382020202020202020202041303130423031300301';

test('Concert frames: the first frame and the refusal of the sheet, byte by byte', () => {
  expect(hex(frameBytes(`0100001250110978${BLANKS}A010B010`))).toBe(FIRST);
  expect(hex(frameBytes(`017000012501978${BLANKS}`))).toBe(
    '02303137303030303132353031393738202020202020202020200334',
  );
});

function collect(...pieces: Uint8Array[]) {
  const collector = createFrameCollector();
  return pieces.flatMap((piece) => collector.push(piece));
}

test('Concert frames: finds frames and signs wherever their bytes are split, also with parity and a check byte of 03', () => {
  const text = `0100001250112978${BLANKS}A010B010`;
  const bytes = Uint8Array.of(0x05, 0x7a, ...frameBytes(text), 0x06, 0x15, 0x04);
  const parity = bytes.map((byte) => byte | 0x80);
  for (const sent of [bytes, parity]) {
    for (let cut = 0; cut <= sent.length; cut += 1) {
      expect(collect(sent.slice(0, cut), sent.slice(cut))).toEqual([
        { type: 'enq' },
        { type: 'message', text },
        { type: 'ack' },
        { type: 'nak' },
        { type: 'eot' },
      ]);
    }
  }
});

test('Concert frames: a wrong check byte, and a frame without an end, are named', () => {
  expect(collect(Uint8Array.of(0x02, 0x41, 0x03, 0x00))).toEqual([
    { type: 'damaged', problem: 'frame, byte 3: the check byte is 00, 42 is expected' },
  ]);
  expect(collect(Uint8Array.of(0x02, ...new Uint8Array(3_000).fill(0x41)))).toEqual([
    { type: 'damaged', problem: 'frame, byte 2048: ETX (03) is missing' },
  ]);
});
