import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import {
  createFrameCollector,
  REPEAT_REQUEST,
  responseFrame,
  slotChange,
  timeByte,
  type Received,
} from '../../../../simulator/twins/ccid/frames.ts';
import { property } from '../../../property.ts';

const NO_DATA = new Uint8Array(0);

// Frames written by hand from the field tables of CCID 1.1, each with its exclusive or.
const GET_SLOT_STATUS = '03066500000000000100000061';
const POWER_ON_5_VOLT = '03066200000000000201000064';
const TRANSFER = '03066F05000000000700000000B2010C00D7';
const NAK = '031516';

/** Type, slot, sequence, specific bytes, data; or the kind of what is no command. */
function show(received: Received): string {
  if (received.type !== 'command') return received.type;
  const { type, slot, sequence, specific, data } = received.command;
  return [Uint8Array.of(type, slot, sequence), specific, data].map(toHex).join(' ').trim();
}

function receive(...pieces: string[]): string[] {
  const collector = createFrameCollector();
  return pieces.flatMap((piece) => collector.push(fromHex(piece))).map(show);
}

test('CCID frame collector: returns the commands of GetSlotStatus, IccPowerOn and XfrBlock', () => {
  expect(receive(GET_SLOT_STATUS)).toEqual(['650001 000000']);
  expect(receive(POWER_ON_5_VOLT)).toEqual(['620002 010000']);
  expect(receive(TRANSFER)).toEqual(['6F0007 000000 00B2010C00']);
});

test('CCID response frame: has a data block between SYNC, ACK and LRC', () => {
  const powered = { type: 0x80, slot: 0, sequence: 5, status: 0, error: 0, specific: 0 };
  const frame = responseFrame({ ...powered, data: fromHex('3B0000') });
  expect(toHex(frame)).toBe('0306800300000000050000003B0000B8');
});

test('CCID response frame: has status, error and length, lowest byte first', () => {
  const mute = { type: 0x80, slot: 1, sequence: 0xff, status: 0x42, error: 0xfe, specific: 0x01 };
  expect(toHex(responseFrame({ ...mute, data: NO_DATA }))).toBe('0306800000000001FF42FE01C6');
  const long = responseFrame({ ...mute, data: new Uint8Array(258) });
  expect(toHex(long.subarray(2, 7))).toBe('8002010000');
});

test('CCID frames: a slot change is two bytes, a time extension with T=0 one, a NAK three', () => {
  expect([slotChange(true), slotChange(false)].map(toHex)).toEqual(['5003', '5002']);
  expect(toHex(timeByte(1))).toBe('81');
  expect(toHex(REPEAT_REQUEST)).toBe(NAK);
  expect(receive(NAK)).toEqual(['repeatRequest']);
});

test('CCID frame collector: a frame with a wrong LRC is damaged, and the next frame is found', () => {
  const damaged = GET_SLOT_STATUS.slice(0, -2) + '60';
  expect(receive(damaged)).toEqual(['damaged']);
  expect(receive(damaged + POWER_ON_5_VOLT)).toEqual(['damaged', '620002 010000']);
});

test('CCID frame collector: finds the command after one that lost any one byte', () => {
  for (let at = 0; at < TRANSFER.length; at += 2) {
    const torn = TRANSFER.slice(0, at) + TRANSFER.slice(at + 2);
    expect(receive(torn, GET_SLOT_STATUS, GET_SLOT_STATUS).at(-1)).toBe('650001 000000');
  }
});

test('CCID frame collector: skips noise, false starts and lengths that no message has', () => {
  expect(receive(`FF00${GET_SLOT_STATUS}`)).toEqual(['650001 000000']);
  expect(receive(`0301${GET_SLOT_STATUS}`)).toEqual(['650001 000000']);
  expect(receive(`031517${GET_SLOT_STATUS}`)).toEqual(['650001 000000']);
  expect(receive(`03066F06010000${GET_SLOT_STATUS}`)).toEqual(['650001 000000']);
});

property([fc.array(fc.nat(), { maxLength: 8 })])(
  'frame collector: finds the same frames in whatever pieces they arrive',
  (cuts) => {
    const stream = fromHex(GET_SLOT_STATUS + NAK + TRANSFER);
    const places = [0, ...cuts.map((cut) => cut % stream.length), stream.length].sort((a, b) => a - b);
    const collector = createFrameCollector();
    const received = places.slice(1).flatMap((end, n) => collector.push(stream.subarray(places[n], end)));
    expect(received.map(show)).toEqual(['650001 000000', 'repeatRequest', '6F0007 000000 00B2010C00']);
  },
);

property([fc.uint8Array({ maxLength: 400 })])('frame collector: never throws', (bytes) => {
  expect(Array.isArray(createFrameCollector().push(bytes))).toBe(true);
});
