import { expect, test } from 'vitest';
import {
  CHECK_MODES,
  createFrameCollector,
  messageBytes,
  progressBytes,
  reactionBytes,
  type CheckMode,
} from '../../../../simulator/twins/ecr17/frames.ts';
import { hexOf } from '../raw-till.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();
const checkOf = (payload: string, mode: CheckMode): string => hex(messageBytes(payload, mode)).slice(-2);

test.each([
  ['std', '3E', '33', '79', '6A'],
  ['noext', '3D', '30', '7A', '69'],
  ['stx', '3F', '32', '78', '6B'],
  ['stx_noext', '3C', '31', '7B', '68'],
] as const)('ECR17 frames: %s covers its bytes', (mode, letter, status, ack, nak) => {
  expect(checkOf('A', mode)).toBe(letter);
  expect(checkOf('092530310s', mode)).toBe(status);
  expect(hex(reactionBytes('ack', mode))).toBe(`0603${ack}`);
  expect(hex(reactionBytes('nak', mode))).toBe(`1503${nak}`);
});

const BLANKS = ' '.repeat(128);
const PAYMENT = `092530310P000000010000200001000${BLANKS}00000000`;

test.each([
  ['000000000s', '3C', '3F', '3D'],
  [PAYMENT, '22', '21', '23'],
  ['092530310E000000000000000001234CLI1234563310945200000000001000123000045', '4B', '48', '4A'],
  ['092530310E01CARTA RIFIUTATA         00000000000200000000001000124000046', '36', '35', '37'],
  ['092530310S0000000100012300', '12', '11', '13'],
  ['092530310C0000000100000000', '02', '01', '03'],
  ['092530310C0000000000000010000000000000001000', '03', '00', '02'],
  ['092530310T0000000100000000', '15', '16', '14'],
  ['092530310G000000010000', '06', '05', '07'],
  ['092530310E1', '34', '37', '35'],
  ['092530310R100000000000', '13', '10', '12'],
])('ECR17 frames: the check byte of %s', (payload, std, noext, stx) => {
  expect([checkOf(payload, 'std'), checkOf(payload, 'noext'), checkOf(payload, 'stx')]).toEqual([
    std,
    noext,
    stx,
  ]);
});

test('ECR17 frames: encodes a progress text of twenty letters', () => {
  expect(hex(progressBytes('INSERIRE CARTA'))).toBe(`01${hexOf('INSERIRE CARTA      ').toUpperCase()}04`);
});

function collect(mode: CheckMode, ...pieces: Uint8Array[]) {
  const collector = createFrameCollector(() => mode);
  return pieces.flatMap((piece) => collector.push(piece));
}

test.each(CHECK_MODES)('ECR17 frames: %s finds messages wherever their bytes are split', (mode) => {
  // A check byte may be 02, 03 or 06.
  for (const payload of ['092530310C0000000100000000', '092530310G000000010000', PAYMENT]) {
    const bytes = Uint8Array.of(0xff, 0x0a, ...messageBytes(payload, mode), ...reactionBytes('ack', mode));
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(collect(mode, bytes.slice(0, cut), bytes.slice(cut))).toEqual([
        { type: 'message', payload },
        { type: 'ack' },
      ]);
    }
  }
});

test('ECR17 frames: a wrong check byte is named with its place and the expected one', () => {
  expect(collect('noext', messageBytes('092530310s', 'std'))).toEqual([
    { type: 'damaged', problem: 'message, byte 12: the check byte is 33, 30 is expected (noext)' },
  ]);
});

test('ECR17 frames: takes an acknowledgement with another check byte', () => {
  expect(collect('noext', Uint8Array.of(0x06, 0x03, 0x7c, 0x15, 0x03, 0x7c))).toEqual([
    { type: 'ack' },
    { type: 'nak' },
  ]);
});

test('ECR17 frames: a message without an end is damaged after 4,096 bytes', () => {
  const endless = Uint8Array.of(0x02, ...new Uint8Array(5_000).fill(0x30));
  expect(collect('std', endless)).toEqual([
    { type: 'damaged', problem: 'message, byte 4096: ETX (03) is missing' },
  ]);
});
