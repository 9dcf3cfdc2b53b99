import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import {
  ACK,
  createFrameCollector,
  responseFrame,
  SYNTAX_ERROR,
  type Received,
} from '../../../../simulator/twins/pn532/frames.ts';
import { property } from '../../../property.ts';

// Frames as the manual has them (UM0701-02 §6.2.1 and §7.2).
const GET_FIRMWARE_VERSION = '0000FF 02 FE D402 2A 00';
const FIRMWARE_VERSION = '0000FF06FAD50332010607E800';
const SAM_CONFIGURATION = '0000FF 05 FB D414011700 00 00';
const ACK_FRAME = '0000FF00FF00';
const NACK_FRAME = '0000FFFF0000';
const ERROR_FRAME = '0000FF01FF7F8100';

/** Code and parameters of a command in hexadecimal; the kind of anything else. */
function show(received: Received): string {
  if (received.type !== 'command') return received.type;
  return `${toHex(Uint8Array.of(received.code))} ${toHex(received.parameters)}`.trim();
}

function receive(...pieces: string[]): string[] {
  const collector = createFrameCollector();
  return pieces.flatMap((piece) => collector.push(fromHex(piece))).map(show);
}

test('PN532 frame collector: returns commands, ACK and NACK', () => {
  expect(receive(GET_FIRMWARE_VERSION)).toEqual(['02']);
  expect(receive(SAM_CONFIGURATION)).toEqual(['14 011700']);
  expect(receive(ACK_FRAME + NACK_FRAME + GET_FIRMWARE_VERSION)).toEqual(['ack', 'nack', '02']);
});

test('PN532 response frame: is the one of the manual', () => {
  expect(toHex(responseFrame(fromHex('0332010607')))).toBe(FIRMWARE_VERSION);
  expect(toHex(responseFrame(fromHex('4B00')))).toBe('0000FF03FDD54B00E000');
});

test('PN532 frames: ACK and the error frame are those of the manual', () => {
  expect(toHex(ACK)).toBe(ACK_FRAME);
  expect(toHex(SYNTAX_ERROR)).toBe(ERROR_FRAME);
});

test('PN532 response frame: is normal up to 254 bytes, and extended from 255', () => {
  expect(toHex(responseFrame(new Uint8Array(254))).slice(0, 12)).toBe('0000FFFF01D5');
  expect(toHex(responseFrame(new Uint8Array(255))).slice(0, 18)).toBe('0000FFFFFF0100FFD5');
});

test('PN532 response frame: is extended with all the data of InDataExchange', () => {
  const frame = toHex(responseFrame(Uint8Array.of(0x41, 0x00, ...new Uint8Array(262))));
  expect(frame).toBe(`0000FFFFFF0109F6D54100${'00'.repeat(262)}EA00`);
});

test('PN532 frame collector: accepts an extended frame, for a short command too', () => {
  expect(receive('0000FF FFFF 0002 FE D402 2A 00')).toEqual(['02']);
  const data = '00'.repeat(262);
  expect(receive(`0000FF FFFF 0109 F6 D44001${data} EB 00`)).toEqual([`40 01${data}`]);
});

test('PN532 frame collector: ignores a wrong length checksum, a wrong data checksum and frames of a chip', () => {
  expect(receive('0000FF02FFD4022A00', GET_FIRMWARE_VERSION)).toEqual(['02']);
  expect(receive('0000FF02FED4022B00', SAM_CONFIGURATION)).toEqual(['14 011700']);
  expect(receive('0000FFFFFF010AF6D402', SAM_CONFIGURATION)).toEqual(['14 011700']);
  expect(receive(FIRMWARE_VERSION + ERROR_FRAME, SAM_CONFIGURATION)).toEqual(['14 011700']);
  expect(receive('0000FF01FFD42C00', SAM_CONFIGURATION)).toEqual(['14 011700']);
});

test('PN532 frame collector: finds the command after one that lost any one byte', () => {
  const digits = SAM_CONFIGURATION.replaceAll(' ', '');
  for (let at = 0; at < digits.length; at += 2) {
    const torn = digits.slice(0, at) + digits.slice(at + 2);
    expect(receive(torn, GET_FIRMWARE_VERSION, GET_FIRMWARE_VERSION).at(-1)).toBe('02');
  }
});

property([fc.array(fc.nat(), { maxLength: 8 })])(
  'frame collector: finds the same frames in whatever pieces they arrive',
  (cuts) => {
    const stream = fromHex(`5555${ACK_FRAME}${GET_FIRMWARE_VERSION}${NACK_FRAME}${SAM_CONFIGURATION}`);
    const places = [0, ...cuts.map((cut) => cut % stream.length), stream.length].sort((a, b) => a - b);
    const collector = createFrameCollector();
    const received = places.slice(1).flatMap((end, n) => collector.push(stream.subarray(places[n], end)));
    expect(received.map(show)).toEqual(['ack', '02', 'nack', '14 011700']);
  },
);

property([fc.uint8Array({ maxLength: 400 })])('frame collector: never throws', (bytes) => {
  expect(Array.isArray(createFrameCollector().push(bytes))).toBe(true);
});
