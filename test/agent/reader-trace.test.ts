import { expect, test } from 'vitest';
import { createReaderTrace } from '../../agent/reader-trace.ts';
import { tracedParser } from '../../agent/readers/frame-channel.ts';
import type { Envelope } from '../../protocol/message.ts';
import { ReaderTraced, TRACED_BYTES_MAX } from '../../protocol/messages/inspection.messages.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';
import { ACTION_ID, NOW_MS, TERMINAL_ID } from './agent-fixture.ts';

function fixture(of: { isPrinter?: true } = {}) {
  const clock = new VirtualClock(NOW_MS);
  const way = { online: true };
  const told: { direction: string; bytes: string; note?: string }[] = [];
  const trace = createReaderTrace({
    terminalId: TERMINAL_ID,
    clock,
    actionId: () => ACTION_ID,
    isOnline: () => way.online,
    ...of,
    publish({ payload, qos, retain }: Envelope) {
      const body = JSON.parse(payload.toString()) as (typeof told)[number];
      expect([ReaderTraced.check(body), qos, retain]).toEqual([[], 0, false]);
      told.push(body);
    },
  });
  return { clock, way, told, trace };
}

test('reader trace: publishes a masked frame with its direction and action', () => {
  const { told, trace } = fixture();
  trace('out', Buffer.from('00A4040000', 'hex'));
  trace('in', Buffer.from('5A084012000000060085', 'hex'));
  expect(told).toEqual([
    { direction: 'out', bytes: '00A4040000', actionId: ACTION_ID },
    { direction: 'in', bytes: '5A08················', actionId: ACTION_ID },
  ]);
});

test('reader trace: names the bytes of a receipt printer, and masks a card number in them', () => {
  const { told, trace } = fixture({ isPrinter: true });
  trace('out', Buffer.from('VISA 4012000000060085 SALE'));
  trace('in', Uint8Array.of(0x12), 'it is online');
  expect(told).toMatchObject([
    { bytes: `5649534120${'··'.repeat(16)}2053414C45`, note: 'receipt printer, 26 bytes' },
    { bytes: '12', note: 'receipt printer, it is online' },
  ]);
});

test('reader trace: cuts a long frame, and counts frames over the limit', async () => {
  const { clock, told, trace } = fixture();
  trace('out', new Uint8Array(TRACED_BYTES_MAX + 1));
  expect(told[0]).toMatchObject({ bytes: '00'.repeat(TRACED_BYTES_MAX), note: 'the first of 1025 bytes' });
  for (let frames = 0; frames < 150; frames += 1) trace('out', Uint8Array.of(1));
  expect(told).toHaveLength(100);
  await clock.advance(1_000);
  trace('out', Uint8Array.of(2));
  expect(told.at(-1)).toMatchObject({ bytes: '02', note: '51 frames before it are left out' });
});

/** What is shown of frames, each after a pause. */
async function shownAfter(pauses: [ms: number, hex: string][]) {
  const { clock, told, trace } = fixture();
  for (const [ms, hex] of pauses) {
    await clock.advance(ms);
    trace('in', Buffer.from(hex, 'hex'));
  }
  return told.map(({ bytes }) => bytes);
}

test('reader trace: a value that is not finished hides the next frame, also after 30 s of silence', async () => {
  const [start, rest] = ['5713476173', '9001010119D29122011143878F'];
  for (const ms of [29_999, 31_000])
    expect(
      await shownAfter([
        [0, start],
        [ms, rest],
        [0, '0601020304050607'],
      ]),
    ).toEqual(['5713······', '··'.repeat(13), '0601020304050607']);
});

test('reader trace: a value that is not finished hides no acknowledgement after 30 s of silence, and nothing after it', async () => {
  const frames = ['800000', '000000060085A1A2A3'];
  for (const [ms, shown] of [
    [29_999, ['······', '··'.repeat(9)]],
    [30_000, frames],
  ] as const)
    expect(
      await shownAfter([
        [0, '5A084012'],
        [ms, frames[0]!],
        [0, frames[1]!],
      ]),
    ).toEqual(['5A08····', ...shown]);
});

test('reader trace: a value that begins in the first frame after 30 s of silence hides the next one', async () => {
  expect(
    await shownAfter([
      [0, '800000'],
      [30_000, '06010203040506075A084012'],
      [0, '000000060085A1A2A3'],
    ]),
  ).toEqual(['800000', '06010203040506075A08····', '··'.repeat(9)]);
});

test('reader trace: publishes nothing offline and still masks continued values', () => {
  const { told, trace, way } = fixture();
  way.online = false;
  trace('in', Buffer.from('5A0840', 'hex'));
  way.online = true;
  trace('in', Buffer.from('12000000060085FF', 'hex'));
  expect(told).toMatchObject([{ bytes: '················' }]);
});

test('reader trace: publishes whole frames however the line splits them', () => {
  const frames: string[] = [];
  /** A frame is its length and as many bytes. */
  const parser = () => {
    let bytes: number[] = [];
    return {
      push(piece: Uint8Array) {
        const found: number[][] = [];
        bytes.push(...piece);
        while (bytes.length > 0 && bytes.length > bytes[0]!) found.push(bytes.splice(0, bytes[0]! + 1));
        return found;
      },
    };
  };
  const traced = tracedParser(parser(), (_direction, bytes) =>
    frames.push(Buffer.from(bytes).toString('hex')),
  );
  const found = ['0101', '02', '0203', '01', '0503ff'].flatMap((hex) => traced.push(Buffer.from(hex, 'hex')));
  expect(frames).toEqual(['0101', '020203', '0105']);
  expect(found).toEqual([
    [1, 1],
    [2, 2, 3],
    [1, 5],
  ]);
});
