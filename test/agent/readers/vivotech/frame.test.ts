import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createHostParser,
  encodeCommand,
  encodeResponse,
  type VivotechFrame,
} from '../../../../agent/readers/vivotech/frame.ts';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import { concat } from '../../../../protocol/emv/tlv.ts';
import {
  createFrameCollector,
  questionFrame,
  responseFrame,
} from '../../../../simulator/twins/vivotech/frames.ts';
import { property } from '../../../property.ts';

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
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

test('ViVOtech2 frame: ping, its response and get configuration are encoded as in the guide', () => {
  expect(toHex(encodeCommand(PING))).toBe(`${PREFIX}18010000B3CD`);
  expect(toHex(encodeResponse(PONG))).toBe(`${PREFIX}18000000FA83`);
  expect(toHex(responseFrame(PONG.command, PONG.code, PONG.data))).toBe(`${PREFIX}18000000FA83`);
  expect(toHex(encodeCommand(GET_CONFIGURATION))).toBe(`${PREFIX}030200005B91`);
});

test('ViVOtech2 frame: activate transaction is encoded as in the guide', () => {
  const data = fromHex('1E9C01009F02060000000001009F0306000000000000DFEF370107DFEF3C03010060');
  const bytes = encodeCommand({ command: 0x02, code: 0x40, data });
  expect(toHex(bytes).slice(-4)).toBe('18D1');
});

test('ViVOtech2 frame: the twin reads the commands of the guide, and the driver its response to a ping', () => {
  const read = (hex: string) => createFrameCollector().push(fromHex(hex));
  expect(read(`${PREFIX}18010000B3CD`)).toEqual([PING]);
  expect(read(`${PREFIX}030200005B91`)).toEqual([GET_CONFIGURATION]);
  expect(createHostParser().push(fromHex(`${PREFIX}18000000FA83`))).toEqual([PONG]);
});

test("ViVOtech2 codecs: driver and twin read each other's frames", () => {
  expect(createFrameCollector().push(encodeCommand(PING))).toEqual([PING]);
  expect(createHostParser().push(responseFrame(PONG.command, PONG.code, PONG.data))).toEqual([PONG]);
  expect(createHostParser().push(encodeCommand(PING))).toEqual([]);
  const question: VivotechFrame = { command: 0x61, code: 0x02, data: Uint8Array.of(3) };
  expect(createHostParser().push(questionFrame(question.code, question.data))).toEqual([question]);
  expect(createFrameCollector().push(encodeResponse(question))).toEqual([question]);
});

const SIDES = {
  driver: { parser: createHostParser, encode: encodeResponse },
  twin: { parser: createFrameCollector, encode: encodeCommand },
};
const side = fc.constantFrom(...Object.values(SIDES));

property([side, fc.array(aFrame, { maxLength: 4 }), fc.array(fc.nat(), { maxLength: 8 })])(
  'frames cut and joined in any way are the same frames to driver and twin',
  ({ parser, encode }, frames, cuts) => {
    const line = parser();
    const stream = concat(...frames.map(encode));
    expect(pieces(stream, cuts).flatMap((piece) => line.push(piece))).toEqual(frames);
  },
);

property([side, fc.uint8Array({ maxLength: 60 }), aFrame, fc.uint8Array({ maxLength: 60 })])(
  'noise before a frame costs no frame',
  ({ parser, encode }, noise, frame, more) => {
    const heard = parser().push(concat(noise, encode(frame), more, encode(frame)));
    expect(heard).toEqual([frame, frame]);
  },
);

test.each(Object.entries(SIDES))(
  'ViVOtech2 parser: the %s finds the next frame after one that lost a byte',
  (_name, one) => {
    const parser = one.parser();
    const bytes = one.encode({ ...PONG, data: new Uint8Array(20) });
    for (let lost = 0; lost < bytes.length; lost += 1) {
      const hurt = concat(bytes.subarray(0, lost), bytes.subarray(lost + 1));
      expect(parser.push(concat(hurt, one.encode(PONG)))).toEqual([PONG]);
    }
  },
);

test('ViVOtech2 driver and twin: share no table and no codec', () => {
  const folder = new URL('../../../../simulator/twins/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.startsWith('vivotech') && name.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    expect(readFileSync(new URL(file, folder), 'utf8'), file).not.toContain('agent/readers/vivotech');
  }
});

property([fc.uint8Array({ maxLength: 200 })])('no bytes break the parser', (bytes) => {
  expect(Array.isArray(createHostParser().push(concat(fromHex(PREFIX), bytes)))).toBe(true);
});
