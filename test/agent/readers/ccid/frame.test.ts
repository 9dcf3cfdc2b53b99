import { expect, test } from 'vitest';
import { parametersOf, parseAnswerToReset } from '../../../../agent/readers/ccid/answer-to-reset.ts';
import { createParser, messageFrame, NAK_FRAME, type Frame } from '../../../../agent/readers/ccid/frame.ts';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import { fraction, seededRandom } from '../../../../protocol/ids.ts';

/** As people read frames in a failing test. */
function show(frame: Frame): string {
  if (frame.kind === 'slotChange') return frame.present ? 'came' : 'went';
  if (frame.kind !== 'message') return frame.kind;
  const { type, sequence, data } = frame.message;
  return `${toHex(Uint8Array.of(type))} #${sequence} ${toHex(data)}`;
}

function parse(...pieces: string[]): string[] {
  const parser = createParser();
  return pieces.flatMap((piece) => parser.push(fromHex(piece))).map(show);
}

const ATR_ANSWER = '0306800300000000050000003B0000B8';

test('CCID frame: has SYNC, ACK, message and LRC', () => {
  const message = {
    type: 0x65,
    slot: 0,
    sequence: 1,
    own: [0, 0, 0] as [number, number, number],
    data: new Uint8Array(0),
  };
  expect(toHex(messageFrame(message))).toBe('03066500000000000100000061');
  expect(createParser().push(messageFrame(message))).toEqual([{ kind: 'message', message }]);
  expect(parse(ATR_ANSWER)).toEqual(['80 #5 3B0000']);
  expect(() => messageFrame({ ...message, data: new Uint8Array(262) })).toThrow(RangeError);
});

test('CCID parser: reads slot changes, time extensions and NAKs between messages', () => {
  expect(toHex(NAK_FRAME)).toBe('031516');
  const bytes = `5003${ATR_ANSWER}5002031516C5${ATR_ANSWER}`;
  const wanted = ['came', '80 #5 3B0000', 'went', 'nak', 'moreTime', '80 #5 3B0000'];
  expect(parse(bytes)).toEqual(wanted);
  expect(parse(...bytes.match(/../g)!)).toEqual(wanted);
  for (let at = 2; at < bytes.length; at += 2)
    expect(parse(bytes.slice(0, at), bytes.slice(at))).toEqual(wanted);
});

test('CCID parser: detects a wrong LRC, skips noise and lengths over the maximum', () => {
  // The search goes on within a broken frame: its 80 could be a request for time.
  expect(parse(`${ATR_ANSWER.slice(0, -2)}00`, '5002')).toEqual(['broken', 'moreTime', 'went']);
  expect(parse('030680FFFFFFFF', ATR_ANSWER).at(-1)).toBe('80 #5 3B0000');
  expect(parse('00110355', ATR_ANSWER)).toEqual(['80 #5 3B0000']);
});

test('CCID parser: resynchronises after a frame that lost a byte', () => {
  for (let at = 0; at < ATR_ANSWER.length; at += 2) {
    const torn = ATR_ANSWER.slice(0, at) + ATR_ANSWER.slice(at + 2);
    expect(parse(torn, ATR_ANSWER, ATR_ANSWER).at(-1)).toBe('80 #5 3B0000');
  }
});

test.each(Array.from({ length: 50 }, (_, seed) => seed))(
  'CCID parser: accepts random bytes (seed %i)',
  (seed) => {
    const random = seededRandom(`ccid ${seed}`);
    const parser = createParser();
    for (let n = 0; n < 50; n++) {
      const bytes = Uint8Array.from(random.bytes(1 + Math.floor(fraction(random) * 40)));
      // Frames are rare in noise: the beginnings of some are put there.
      if (bytes.length > 8) bytes.set([0x03, 0x06, 0x80, bytes[3]!, 0, 0, 0]);
      parser.push(bytes);
    }
    parser.push(new Uint8Array(300));
    expect(parser.push(fromHex(ATR_ANSWER)).map(show)).toContain('80 #5 3B0000');
  },
);

test.each([
  // Direct convention, T=0 alone; TC1 0.
  ['3B6A000080685441504245434E48', { protocol: 0, speed: 0x11, guardTime: 0 }, '1100000A00'],
  // TA1 96 offers a speed that nobody agreed on; TC2 is WI.
  ['3B 95 96 40 20 31 32 33 34 35', { protocol: 0, speed: 0x11, waitingInteger: 0x20 }, '1100002000'],
  // T=1 by TD1, IFSC FE and BWI/CWI 45 in the third group.
  ['3B808131FE45B1', { protocol: 1, cardField: 0xfe, waitingTimes: 0x45 }, '1110004500FE00'],
  // Specific mode: TA2 81 insists on T=1, and so on TA1 18.
  ['3B901891810031FE4500', { protocol: 1, speed: 0x18 }, undefined],
  // Inverse convention.
  ['3F00', { protocol: 0, inverse: true }, '1102000A00'],
])('answer to reset: %s has its protocol and information field size', (atr, facts, parameters) => {
  const parsed = parseAnswerToReset(fromHex(atr.replaceAll(' ', '')));
  expect(parsed).toMatchObject(facts);
  if (parameters !== undefined) expect(toHex(parametersOf(parsed!))).toBe(parameters);
});

test.each(['', '3B', 'FF00', '3B80', '3B8081', '3B800F'])('answer to reset: %s is not usable', (atr) => {
  expect(parseAnswerToReset(fromHex(atr))).toBeUndefined();
});
