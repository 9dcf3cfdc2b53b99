import { delay } from '../../protocol/clock.ts';
import { createPn532Chip } from './pn532/chip.ts';
import { ACK, createFrameCollector, responseFrame, SYNTAX_ERROR, type Received } from './pn532/frames.ts';
import type { Twin, TwinParts } from './twin.ts';

// Time until the acknowledgement, and from there to the earliest response.
const ACK_AFTER_MS = 1;
const ANSWER_AFTER_MS = 2;

// The chip wakes on a byte with many edges, or on a preamble long enough for its oscillator to start (§7.2.11).
const WAKE_UP = 0x55;
const PREAMBLE_BYTES = 10;

/**
 * Creates a PN532 on its high-speed UART (UM0701-02 §6). It acknowledges a command, runs it and responds. An ACK or the
 * next command of the host aborts it, and a NACK repeats the response. It starts asleep.
 */
export function createTwin({ port, clock, log, tray }: TwinParts): Twin {
  const chip = createPn532Chip({ clock, tray });
  let collector = createFrameCollector();
  let asleep = true;
  let answered: Uint8Array | undefined;
  // How many zeros came in a row while it slept.
  let zeros = 0;
  // Asked for by SetSerialBaudRate, until the host acknowledges the answer (§7.2.8).
  let nextBaudRate: number | undefined;
  // Identifies the running command; starting or aborting a command changes it.
  let work = {};
  const write = (bytes: Uint8Array) => port.write(bytes).catch(() => {});

  const execute = async (code: number, parameters: Uint8Array) => {
    const mine = {};
    work = mine;
    answered = undefined;
    nextBaudRate = undefined;
    await delay(clock, ACK_AFTER_MS);
    if (work !== mine) return;
    await write(ACK);
    await delay(clock, ANSWER_AFTER_MS);
    const stopped = () => work !== mine;
    const answer = await chip.run(code, parameters, stopped);
    if (stopped() || answer === 'stopped') return;
    answered = answer === 'refused' ? SYNTAX_ERROR : responseFrame(answer.data);
    await write(answered);
    if (answer === 'refused') return;
    if (answer.sleep) asleep = true;
    nextBaudRate = answer.baudRate;
  };
  const receive = (frame: Received) => {
    if (frame.type === 'ack') {
      work = {};
      if (nextBaudRate !== undefined) port.setBaudRate?.(nextBaudRate);
      nextBaudRate = undefined;
    }
    if (frame.type === 'nack' && answered) void write(answered);
    if (frame.type !== 'command') return;
    log.debug({ command: frame.code }, 'a command for the PN532');
    void execute(frame.code, frame.parameters);
  };
  /** What is heard of bytes by a chip that sleeps: all from the byte that wakes it. */
  const wokenBy = (bytes: Uint8Array): Uint8Array | undefined => {
    for (const [index, byte] of bytes.entries()) {
      zeros = byte === 0 ? zeros + 1 : 0;
      if (byte === WAKE_UP) return bytes.subarray(index + 1);
      // The last zero may begin the frame.
      if (zeros === PREAMBLE_BYTES) return bytes.subarray(index);
    }
    return undefined;
  };
  port.onData((bytes) => {
    const heard = asleep ? wokenBy(bytes) : bytes;
    if (!heard) return;
    if (asleep) {
      asleep = false;
      zeros = 0;
      collector = createFrameCollector();
    }
    for (const frame of collector.push(heard)) receive(frame);
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
