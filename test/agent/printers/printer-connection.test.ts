import { expect, test } from 'vitest';
import { createAnswerParser } from '../../../agent/printers/printer-answers.ts';
import { createPrinterConnection } from '../../../agent/printers/printer-connection.ts';
import { createFrameChannel } from '../../../agent/readers/frame-channel.ts';
import { delay } from '../../../protocol/clock.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { bytePipe } from '../../../simulator/twins/byte-pipe.ts';

/** Answers to `DLE EOT` 1 to 4 of a printer whose cover is open. */
const COVER_OPEN = [0x1a, 0x16, 0x12, 0x12];

/** A connection to a printer on a line that takes so many bytes a second. */
function openLine({ bytesPerSecond = Infinity } = {}) {
  const clock = new VirtualClock(0);
  const [ours, device] = bytePipe({ clock });
  const state = { answerMs: 0, heard: 0 };
  device.onData((bytes) => {
    state.heard += bytes.length;
    if (bytes[0] !== 0x10) return;
    const answer = Uint8Array.of(COVER_OPEN[bytes[2]! - 1]!);
    clock.at(clock.nowMs() + state.answerMs, () => void device.write(answer));
  });
  const write = async (bytes: Uint8Array) => {
    await delay(clock, (1_000 * bytes.length) / bytesPerSecond);
    await ours.write(bytes);
  };
  const channel = createFrameChannel({
    port: { ...ours, write },
    parser: createAnswerParser(),
    clock,
    onUnsolicited() {},
    onClosed() {},
  });
  channel.setBuffering(true);
  return { clock, state, connection: createPrinterConnection(channel, clock) };
}

test('connection to a printer: a copy goes over a line of 1,200 baud', async () => {
  const { clock, state, connection } = openLine({ bytesPerSecond: 120 });
  const printing = connection.print(new Uint8Array(1_200).fill(0x41)).then(
    () => 'sent',
    (error: unknown) => String(error),
  );
  await clock.advance(15_000);
  expect(await printing).toBe('sent');
  expect(state.heard).toBeGreaterThanOrEqual(1_200);
});

test('connection to a printer: an answer that comes after its time is not one to the next question', async () => {
  const { clock, state, connection } = openLine();
  state.answerMs = 1_500;
  const late = connection.readCondition();
  await clock.advance(2_000);
  expect(await late).toBeUndefined();
  state.answerMs = 10;
  const condition = connection.readCondition();
  await clock.advance(1_000);
  expect(await condition).toMatchObject({ problem: 'the cover is open', isPaperOut: false });
});
