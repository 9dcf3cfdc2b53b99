import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as commands from '../../../../agent/readers/ecr17/commands.ts';
import {
  createFrameParser,
  encodeAnswer,
  encodeMessage,
  LRC_SPANS,
  lrcOf,
  type LrcSpan,
} from '../../../../agent/readers/ecr17/frame.ts';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';

const [NOEXT, STD, STX, STX_NOEXT] = LRC_SPANS;
const ID = '09253031';

const lrc = (payload: string, span: LrcSpan) => toHex(Uint8Array.of(lrcOf(Buffer.from(payload), span)));
const framesOf = (hex: string) => createFrameParser().push(fromHex(hex.replaceAll(' ', '')));

test.each([
  [STD, '3E', '33', '79', '6A'],
  [NOEXT, '3D', '30', '7A', '69'],
  [STX, '3F', '32', '78', '6B'],
  [STX_NOEXT, '3C', '31', '7B', '68'],
])(
  'ECR17 check byte over %s: of a letter, a status request and both answers',
  (span, letter, status, ack, nak) => {
    expect(lrc('A', span)).toBe(letter);
    expect(lrc(commands.status(ID), span)).toBe(status);
    expect(toHex(encodeAnswer('ack', span))).toBe(`0603${ack}`);
    expect(toHex(encodeAnswer('nak', span))).toBe(`1503${nak}`);
  },
);

const DONE = '092530310E000000000000000001234CLI1234563310945200000000001000123000045';
const REFUSED = `092530310E01${'CARTA RIFIUTATA'.padEnd(24)}00000000000200000000001000124000046`;

test.each([
  ['status', commands.status(ID), '092530310s', '33', '30', '32'],
  ['status of any terminal', commands.status(commands.ANY_TERMINAL), '000000000s', '3C', '3F', '3D'],
  [
    'payment of 10.00, credit',
    commands.payment('P', ID, 1000, '2'),
    `092530310P000000010000200001000${' '.repeat(128)}00000000`,
    '22',
    '21',
    '23',
  ],
  ['result', DONE, DONE, '4B', '48', '4A'],
  ['refusal', REFUSED, REFUSED, '36', '35', '37'],
  ['reversal', commands.reversal(ID, '000123'), '092530310S0000000100012300', '12', '11', '13'],
  ['last result', commands.lastResult(ID), '092530310G000000010000', '06', '05', '07'],
])('ECR17 message: %s', (_, payload, expected, std, noext, stx) => {
  expect(payload).toBe(expected);
  expect([lrc(payload, STD), lrc(payload, NOEXT), lrc(payload, STX)]).toEqual([std, noext, stx]);
});

test.each([
  ['end of the session', '092530310C0000000100000000', '02', '01', '03'],
  ['answer to it', '092530310C0000000000000010000000000000001000', '03', '00', '02'],
  ['totals', '092530310T0000000100000000', '15', '16', '14'],
  ['receipts to the till', '092530310E1', '34', '37', '35'],
  ['reprint', '092530310R100000000000', '13', '10', '12'],
])('ECR17 check byte: of a message of another till: %s', (_, payload, std, noext, stx) => {
  expect([lrc(payload, STD), lrc(payload, NOEXT), lrc(payload, STX)]).toEqual([std, noext, stx]);
});

test('ECR17 message: a payment has 167 characters', () => {
  expect(commands.payment('X', ID, 1)).toHaveLength(167);
});

test('ECR17 frames: the exchange of a status request', () => {
  expect(toHex(encodeMessage(commands.status(ID), NOEXT))).toBe('02303932353330333130730330');
  expect(framesOf('06 03 7A')).toEqual([{ type: 'ack' }]);
  const status = `02${toHex(Buffer.from('092530310s000000000027112615452SYS03.4EEMV08.81'))}0372`;
  expect(framesOf(status)).toEqual([
    { type: 'message', payload: '092530310s000000000027112615452SYS03.4EEMV08.81', lrc: 0x72 },
  ]);
  expect(lrc('092530310s000000000027112615452SYS03.4EEMV08.81', NOEXT)).toBe('72');
});

test('ECR17 frames: acknowledgements with a constant, progress, and noise between frames', () => {
  const progress = toHex(Buffer.from('INSERIRE CARTA'.padEnd(20)));
  expect(framesOf(`00 06 03 7C FF 15 03 7C 01 ${progress} 04 06 03 03`)).toEqual([
    { type: 'ack' },
    { type: 'nak' },
    { type: 'progress', text: 'INSERIRE CARTA' },
    { type: 'ack' },
  ]);
});

test.each([0x02, 0x03, 0x06, 0x00])('ECR17 frames: a check byte of %i ends a message', (byte) => {
  const frames = createFrameParser().push(Uint8Array.of(0x02, 0x41, 0x03, byte, 0x06, 0x03, 0x7a));
  expect(frames).toEqual([{ type: 'message', payload: 'A', lrc: byte }, { type: 'ack' }]);
});

test('ECR17 frames: bytes that are no message are named by place and rule, and the next frame is found', () => {
  expect(framesOf('02 41 00 06 03 7A')).toEqual([
    { type: 'broken', reason: 'message, byte 3: between STX and ETX is printable ASCII' },
    { type: 'ack' },
  ]);
  // The start of a second message ends a first that was cut.
  expect(framesOf('02 41 02 42 03 3C')).toMatchObject([
    { type: 'broken' },
    { type: 'message', payload: 'B' },
  ]);
  const endless = createFrameParser().push(Uint8Array.from(Buffer.from(`\x02${'x'.repeat(5_000)}`)));
  expect(endless).toEqual([
    { type: 'broken', reason: 'message, byte 1202: a message has at most 1200 bytes' },
  ]);
});

test('ECR17 frames: the same in pieces of any size, and any bytes without a fault', () => {
  const whole = Buffer.concat([
    encodeMessage(DONE, STX),
    encodeAnswer('ack', STX),
    encodeMessage(REFUSED, STX),
  ]);
  const inOne = createFrameParser().push(whole);
  expect(inOne).toHaveLength(3);
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length)), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), whole.length];
      const parser = createFrameParser();
      const frames = places.slice(1).flatMap((end, index) => parser.push(whole.subarray(places[index], end)));
      expect(frames).toEqual(inOne);
    }),
  );
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void createFrameParser().push(bytes)));
});
