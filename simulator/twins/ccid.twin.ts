import { COMMAND_STATUS, TIME_REQUEST } from '../../agent/readers/ccid/constants.ts';
import {
  messageFrame,
  NAK_FRAME,
  noticeFrame,
  type Frame,
  type Message,
} from '../../agent/readers/ccid/frame.ts';
import { createParser } from '../../agent/readers/ccid/parser.ts';
import { delay } from '../../protocol/clock.ts';
import { createCcidReader } from './ccid-reader.ts';
import type { Twin, TwinParts } from './twin.ts';

const ANSWER_AFTER_MS = 3;
// A card that thinks longer asks for more time this often (ISO/IEC 7816-3: WWT and BWT are about a second).
const MORE_TIME_EVERY_MS = 900;

/**
 * A serial CCID reader with one slot, of the GemCore family: it works on one command at a time, asks for frames
 * that came broken again, repeats its answer when asked, and tells of cards that come and go.
 */
export function createTwin({ port, clock, log, tray }: TwinParts): Twin {
  const reader = createCcidReader({ clock, tray });
  const parser = createParser();
  let answered: Uint8Array | undefined;
  let last: Promise<void> = Promise.resolve();
  let over = false;
  /** A notice that waits for the next answer, when the host has asked for that. */
  let held: Uint8Array | undefined;
  const write = async (bytes: Uint8Array) => {
    if (!over) await port.write(bytes).catch(() => {});
  };
  tray.watch((card) => {
    const notice = noticeFrame(card !== undefined);
    if (reader.noticesWithAnswers) held = notice;
    else void write(notice);
  });

  const obey = async (message: Message) => {
    log.debug({ command: message.type }, 'a command for the CCID reader');
    await delay(clock, ANSWER_AFTER_MS);
    let done = false;
    const answer = reader.run(message).finally(() => (done = true));
    void askForTime(message, () => done || over);
    const frame = messageFrame(await answer);
    if (held) await write(held);
    held = undefined;
    answered = frame;
    await write(frame);
  };
  /** With T=0 one byte, with T=1 a message whose error byte multiplies the time (CCID 1.1 §6.2.6). */
  const askForTime = async ({ slot, sequence }: Message, stopped: () => boolean) => {
    for (;;) {
      await delay(clock, MORE_TIME_EVERY_MS);
      if (stopped()) return;
      const own: Message['own'] = [COMMAND_STATUS.moreTime, 1, 0];
      const request = messageFrame({ type: 0x80, slot, sequence, own, data: new Uint8Array(0) });
      await write(reader.protocol === 0 ? Uint8Array.of(TIME_REQUEST | 1) : request);
    }
  };
  const hear = (frame: Frame) => {
    if (frame.kind === 'broken') void write(NAK_FRAME);
    if (frame.kind === 'nak' && answered) void write(answered);
    if (frame.kind === 'message') last = last.then(() => obey(frame.message));
  };
  port.onData((bytes) => {
    for (const frame of parser.push(bytes)) hear(frame);
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
