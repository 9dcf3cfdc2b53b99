import { delay } from '../../protocol/clock.ts';
import { createSerialQueue } from '../../protocol/serial-queue.ts';
import {
  createFrameCollector,
  REPEAT_REQUEST,
  RESPONSE,
  responseFrame,
  slotChange,
  TIME_EXTENSION,
  timeByte,
  type Command,
  type Received,
} from './ccid/frames.ts';
import { createCcidReader } from './ccid/reader.ts';
import type { Twin, TwinParts } from './twin.ts';

const ANSWER_AFTER_MS = 3;
// Interval of time extension requests of a slow card (ISO/IEC 7816-3: WWT and BWT are about a second).
const MORE_TIME_EVERY_MS = 900;

/**
 * Creates a serial CCID reader with one slot, of the GemCore family. It runs one command at a time, requests damaged
 * frames again, repeats its response on request, and notifies the host when a card is inserted or removed.
 */
export function createTwin({ port, clock, log, tray }: TwinParts): Twin {
  const reader = createCcidReader({ clock, tray });
  const collector = createFrameCollector();
  let answered: Uint8Array | undefined;
  const queue = createSerialQueue();
  let over = false;
  /** A slot change notification to send before the next response, if the host has configured that. */
  let held: Uint8Array | undefined;
  const write = async (bytes: Uint8Array) => {
    if (!over) await port.write(bytes).catch(() => {});
  };
  tray.watch((card) => {
    const change = slotChange(card !== undefined);
    if (reader.settings.notifiesWithResponses) held = change;
    else void write(change);
  });

  const execute = async (command: Command) => {
    log.debug({ command: command.type }, 'a command for the CCID reader');
    await delay(clock, ANSWER_AFTER_MS);
    let done = false;
    const answer = reader.run(command).finally(() => (done = true));
    void askForTime(command, () => done || over);
    const frame = responseFrame(await answer);
    if (held) await write(held);
    held = undefined;
    answered = frame;
    await write(frame);
  };
  /** With T=0 one byte, with T=1 a message whose error byte multiplies the time (CCID 1.1 §6.2.6). */
  const askForTime = async ({ slot, sequence }: Command, stopped: () => boolean) => {
    for (;;) {
      await delay(clock, MORE_TIME_EVERY_MS);
      if (stopped()) return;
      const extension = { status: TIME_EXTENSION, error: 1, specific: 0, data: new Uint8Array(0) };
      const request = responseFrame({ type: RESPONSE.dataBlock, slot, sequence, ...extension });
      await write(reader.protocol === 0 ? timeByte(1) : request);
    }
  };
  const receive = (frame: Received) => {
    if (frame.type === 'damaged') void write(REPEAT_REQUEST);
    if (frame.type === 'repeatRequest' && answered) void write(answered);
    if (frame.type === 'command') void queue(() => execute(frame.command));
  };
  port.onData((bytes) => {
    for (const frame of collector.push(bytes)) receive(frame);
  });
  port.onClose(() => (over = true));
  return {
    name: 'CCID',
    controls: {},
    async close() {
      over = true;
      await port.close();
    },
  };
}
