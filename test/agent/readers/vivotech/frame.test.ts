import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import {
  encodeCommand,
  encodeResponse,
  type VivotechFrame,
} from '../../../../agent/readers/vivotech/frame.ts';
import { createHostParser, createReaderParser } from '../../../../agent/readers/vivotech/parser.ts';
import { readActivation } from '../../../../agent/readers/vivotech/transaction-result.ts';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import { concat } from '../../../../protocol/emv/tlv.ts';

const PREFIX = '5669564F746563683200';
const PING: VivotechFrame = { command: 0x18, code: 0x01, data: new Uint8Array(0) };
const PONG: VivotechFrame = { command: 0x18, code: 0x00, data: new Uint8Array(0) };
const GET_CONFIGURATION: VivotechFrame = { command: 0x03, code: 0x02, data: new Uint8Array(0) };

/** No reader turns to the host in these: 61-xx has its check bytes the other way round. */
const aFrame = fc.record({
  command: fc.integer({ min: 0, max: 0x60 }),
  code: fc.nat(255),
  data: fc.uint8Array({ maxLength: 60 }),
});

function pieces(bytes: Uint8Array, cuts: number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((end, index) => bytes.subarray(places[index]!, end));
}

test('frames are those of the guide: ping, its answer, get configuration', () => {
  expect(toHex(encodeCommand(PING))).toBe(`${PREFIX}18010000B3CD`);
  expect(toHex(encodeResponse(PONG))).toBe(`${PREFIX}18000000FA83`);
  expect(toHex(encodeCommand(GET_CONFIGURATION))).toBe(`${PREFIX}030200005B91`);
});

test('an activation for all interfaces is the one of the guide', () => {
  const data = fromHex('1E9C01009F02060000000001009F0306000000000000DFEF370107DFEF3C03010060');
  const bytes = encodeCommand({ command: 0x02, code: 0x40, data });
  expect(toHex(bytes).slice(-4)).toBe('18D1');
});

test('each side reads what the other one writes', () => {
  expect(createReaderParser().push(encodeCommand(PING))).toEqual([PING]);
  expect(createHostParser().push(encodeResponse(PONG))).toEqual([PONG]);
  expect(createHostParser().push(encodeCommand(PING))).toEqual([]);
  const question: VivotechFrame = { command: 0x61, code: 0x02, data: Uint8Array.of(3) };
  expect(createHostParser().push(encodeCommand(question))).toEqual([question]);
  expect(createReaderParser().push(encodeResponse(question))).toEqual([question]);
});

property.prop([fc.array(aFrame, { maxLength: 4 }), fc.array(fc.nat(), { maxLength: 8 })])(
  'frames cut and joined in any way are the same frames',
  (frames, cuts) => {
    const parser = createReaderParser();
    const stream = concat(...frames.map(encodeCommand));
    expect(pieces(stream, cuts).flatMap((piece) => parser.push(piece))).toEqual(frames);
  },
);

property.prop([fc.uint8Array({ maxLength: 60 }), aFrame, fc.uint8Array({ maxLength: 60 })])(
  'noise before a frame costs no frame',
  (noise, frame, more) => {
    const parser = createHostParser();
    const heard = parser.push(concat(noise, encodeResponse(frame), more, encodeResponse(frame)));
    expect(heard).toEqual([frame, frame]);
  },
);

test('a frame that lost a byte costs nothing but itself', () => {
  const parser = createHostParser();
  const bytes = encodeResponse({ ...PONG, data: new Uint8Array(20) });
  for (let lost = 0; lost < bytes.length; lost += 1) {
    const hurt = concat(bytes.subarray(0, lost), bytes.subarray(lost + 1));
    expect(parser.push(concat(hurt, encodeResponse(PONG)))).toEqual([PONG]);
  }
});

property.prop([fc.uint8Array({ maxLength: 200 }), fc.nat(255), fc.constantFrom('activateAll', 'activate')])(
  'no bytes break a parser or the reading of a result',
  (bytes, code, way) => {
    expect(Array.isArray(createHostParser().push(concat(fromHex(PREFIX), bytes)))).toBe(true);
    const found = readActivation({ command: 2, code, data: bytes }, way as 'activate' | 'activateAll');
    expect(found.type).toBeTypeOf('string');
  },
);

test('results of 02-40 and of 02-01 say how the card was read', () => {
  const tlv = '5A0847617390010100105F2403491231';
  const read = (code: number, hex: string, way: 'activate' | 'activateAll' = 'activateAll') =>
    readActivation({ command: 2, code, data: fromHex(hex) }, way);
  expect(read(0x23, `01${tlv}`)).toMatchObject({ type: 'tap', asksIssuer: true });
  expect(read(0x00, `00${tlv}`)).toMatchObject({ type: 'contact' });
  expect(read(0x00, `08DFEF18053B34373F0A`)).toMatchObject({ type: 'stripe' });
  expect(read(0x23, `00000000E110${tlv}`, 'activate')).toMatchObject({ type: 'tap' });
  expect(read(0x00, `00053B34373D3F00`, 'activate')).toEqual({ type: 'stripe', track2: ';47=?' });
  expect(read(0x08, '')).toEqual({ type: 'nobody' });
  expect(read(0x0a, '00FFEE1F0426000000')).toEqual({ type: 'declined', reason: 'the card has expired' });
  expect(read(0x0a, '00FFEE1F0421000000')).toEqual({ type: 'unreadable', reason: 'more than one card' });
  expect(read(0x23, `C1${tlv}`)).toMatchObject({
    type: 'failed',
    reason: expect.stringContaining('encrypts'),
  });
});
