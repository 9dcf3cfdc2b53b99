import { createParser } from '../../agent/readers/pn532/parser.ts';
import { TFI, WAKE_UP } from '../../agent/readers/pn532/constants.ts';
import { ACK, ERROR, informationFrame, type Frame } from '../../agent/readers/pn532/frame.ts';
import { delay } from '../../protocol/clock.ts';
import { createPn532Chip } from './pn532-chip.ts';
import type { Twin, TwinParts } from './twin.ts';

// The chip needs this long to acknowledge, and then at least this long to answer.
const ACK_AFTER_MS = 1;
const ANSWER_AFTER_MS = 2;

/**
 * A PN532 on its high-speed UART (UM0701-02 §6): it acknowledges a command, works on it, answers; an ACK or the
 * next command from the host stops its work, a NACK makes it answer again. It begins asleep.
 */
export function createTwin({ port, clock, log, tray }: TwinParts): Twin {
  const chip = createPn532Chip({ clock, tray });
  let parser = createParser();
  let asleep = true;
  let answered: Uint8Array | undefined;
  // The work under way; whoever begins or stops something makes it another one.
  let work = {};
  const write = (bytes: Uint8Array) => port.write(bytes).catch(() => {});

  const obey = async (data: Uint8Array) => {
    const mine = {};
    work = mine;
    answered = undefined;
    await delay(clock, ACK_AFTER_MS);
    if (work !== mine) return;
    await write(ACK);
    await delay(clock, ANSWER_AFTER_MS);
    const stopped = () => work !== mine;
    const answer = await chip.run(data[0]!, data.subarray(1), stopped);
    if (stopped() || answer === 'stopped') return;
    answered = answer === 'refused' ? ERROR : informationFrame(TFI.chipToHost, answer.data);
    await write(answered);
    if (answer !== 'refused' && answer.sleep) asleep = true;
  };
  const hear = (frame: Frame) => {
    if (frame.kind === 'ack') work = {};
    if (frame.kind === 'nack' && answered) void write(answered);
    // A frame with a wrong checksum is not acknowledged: the host sends it again (§6.2.1.5).
    if (frame.kind !== 'information' || frame.tfi !== TFI.hostToChip || frame.data.length === 0) return;
    log.debug({ command: frame.data[0] }, 'a command for the PN532');
    void obey(frame.data);
  };
  port.onData((bytes) => {
    let heard = bytes;
    if (asleep) {
      const edge = bytes.indexOf(WAKE_UP);
      if (edge < 0) return;
      asleep = false;
      parser = createParser();
      heard = bytes.subarray(edge + 1);
    }
    for (const frame of parser.push(heard)) hear(frame);
  });
  const stop = () => {
    work = {};
    chip.stop();
  };
  port.onClose(stop);
  return {
    name: 'PN532',
    controls: {},
    async close() {
      stop();
      await port.close();
    },
  };
}
