import { expect, test } from 'vitest';
import { WAKE_UP_SEQUENCE } from '../../../../agent/readers/pn532/chip.ts';
import {
  ACK,
  createParser,
  informationFrame,
  NACK,
  type Frame,
} from '../../../../agent/readers/pn532/frame.ts';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import { fraction, seededRandom } from '../../../../protocol/ids.ts';

/** As people read frames in a failing test. */
function show(frame: Frame): string {
  return frame.kind === 'information' ? `${frame.tfi.toString(16)} ${toHex(frame.data)}` : frame.kind;
}

function parse(...pieces: string[]): string[] {
  const parser = createParser();
  return pieces.flatMap((piece) => parser.push(fromHex(piece))).map(show);
}

test('PN532 frame: encoded as in the user manual (UM0701-02 §6.2.1, §7.2.2)', () => {
  expect(toHex(informationFrame(0xd4, Uint8Array.of(0x02)))).toBe('0000FF02FED4022A00');
  expect(toHex(ACK)).toBe('0000FF00FF00');
  expect(toHex(NACK)).toBe('0000FFFF0000');
  expect(parse('0000FF06FAD50332010607E800')).toEqual(['d5 0332010607']);
  expect(parse('0000FF01FF7F8100')).toEqual(['error']);
  expect(parse('0000FF03FDD54B00E000')).toEqual(['d5 4B00']);
});

test('PN532 frame: the wake-up is 55 55 and fourteen 00, and SAMConfiguration follows it', () => {
  expect(toHex(WAKE_UP_SEQUENCE)).toBe(`5555${'00'.repeat(14)}`);
  expect(toHex(informationFrame(0xd4, fromHex('14011700')))).toBe('0000FF05FBD4140117000000');
});

test('PN532 frame: uses the extended format over 255 bytes', () => {
  const data = Uint8Array.from({ length: 264 }, (_, n) => n);
  const frame = informationFrame(0xd5, data);
  expect(toHex(frame.subarray(0, 8))).toBe('0000FFFFFF0109F6');
  expect(createParser().push(frame)).toEqual([{ kind: 'information', tfi: 0xd5, data }]);
  expect(toHex(informationFrame(0xd4, data.subarray(0, 254)).subarray(0, 5))).toBe('0000FFFF01');
  expect(() => informationFrame(0xd4, new Uint8Array(265))).toThrow(RangeError);
});

test('PN532 parser: finds split and joined frames', () => {
  const bytes = '0000FF00FF000000FF06FAD50332010607E8000000FFFF0000';
  const wanted = ['ack', 'd5 0332010607', 'nack'];
  expect(parse(bytes)).toEqual(wanted);
  expect(parse(...bytes.match(/../g)!)).toEqual(wanted);
  for (let at = 2; at < bytes.length; at += 2)
    expect(parse(bytes.slice(0, at), bytes.slice(at))).toEqual(wanted);
});

test('PN532 parser: skips noise, detects wrong checksums and finds the next frame', () => {
  expect(parse('55FF00AB0000FF00FF00')).toEqual(['ack']);
  expect(parse('0000FF06FAD50332010607E900', '0000FF00FF00')).toEqual(['broken', 'ack']);
  // A length whose own checksum is wrong begins no frame.
  expect(parse('0000FF06FBD503', '0000FF00FF00')).toEqual(['ack']);
  // A length beyond what the chip sends does not swallow what follows.
  expect(parse('0000FFFFFF7F00810000FF00FF00')).toEqual(['ack']);
});

test('PN532 parser: finds the next frame after one that lost a byte', () => {
  const answer = '0000FF06FAD50332010607E800';
  for (let at = 0; at < answer.length; at += 2) {
    const torn = answer.slice(0, at) + answer.slice(at + 2);
    expect(parse(torn, answer, '000000000000').at(-1)).toBe('d5 0332010607');
  }
});

test.each(Array.from({ length: 50 }, (_, seed) => seed))(
  'PN532 parser: accepts random bytes (seed %i)',
  (seed) => {
    const random = seededRandom(`pn532 ${seed}`);
    const parser = createParser();
    for (let n = 0; n < 50; n++) {
      const bytes = Uint8Array.from(random.bytes(1 + Math.floor(fraction(random) * 40)));
      // Start codes are rare in noise: some are put there.
      if (bytes.length > 4) bytes.set([0x00, 0xff, bytes[2]!, -bytes[2]! & 0xff]);
      parser.push(bytes);
    }
    parser.push(new Uint8Array(300).fill(0x01));
    expect(parser.push(ACK).map(show)).toContain('ack');
  },
);
