import { concat } from '../../../protocol/emv/tlv.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { FrameParser } from '../frame-channel.ts';

const STX = 0x02;
const ETX = 0x03;

/** Bytes that are a frame by themselves: who speaks, and what became of a message. */
export const CONTROLS = { eot: 0x04, enq: 0x05, ack: 0x06, nak: 0x15 } as const;
export type Control = keyof typeof CONTROLS;

export type ConcertFrame =
  | { type: Control }
  | { type: 'message'; text: string }
  /** A byte between frames that is none. */
  | { type: 'noise' }
  /** Bytes that are no message, or one with a wrong check byte. */
  | { type: 'broken'; reason: string };

const CONTROL_NAMES = new Map<number, Control>([
  [CONTROLS.eot, 'eot'],
  [CONTROLS.enq, 'enq'],
  [CONTROLS.ack, 'ack'],
  [CONTROLS.nak, 'nak'],
]);

/** The check byte (LRC): over the message and ETX. It may have the value of any control. */
function checkOf(message: Uint8Array): number {
  return message.reduce((check, byte) => check ^ byte, ETX);
}

/** Encodes a message. @throws Fault `internal` for one that is not printable ASCII. */
export function encodeMessage(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\x20-\x7e]+$/.test(text)) throw new Fault('internal', 'a Concert message is printable ASCII');
  const message = Uint8Array.from(Buffer.from(text, 'ascii'));
  return concat(Uint8Array.of(STX), message, Uint8Array.of(ETX, checkOf(message)));
}

// Longer than any answer.
const MESSAGE_BYTES_MAX = 1_100;

/** A line with seven bits has its parity in the eighth. */
const SEVEN_BITS = 0x7f;

/** Creates a parser for what a terminal sends. */
export function createFrameParser(): FrameParser<ConcertFrame> {
  /** Bytes of the message so far; undefined between messages. */
  let message: number[] | undefined;
  let isChecked = false;

  const end = (frame: ConcertFrame): ConcertFrame => {
    message = undefined;
    isChecked = false;
    return frame;
  };
  const broken = (rule: string) =>
    end({ type: 'broken', reason: `answer, byte ${message!.length + 1}: ${rule}` });
  const take = (byte: number): ConcertFrame | undefined => {
    if (!message) {
      const control = CONTROL_NAMES.get(byte);
      if (control) return { type: control };
      if (byte !== STX) return { type: 'noise' };
      message = [];
      return undefined;
    }
    if (isChecked) {
      const text = Buffer.from(message).toString('ascii');
      if (byte !== checkOf(Uint8Array.from(message))) return broken('the check byte (LRC) is wrong');
      return end({ type: 'message', text });
    }
    if (byte === ETX) isChecked = true;
    else if (byte < 0x20 || byte > 0x7e) return broken('between STX and ETX is printable ASCII');
    else if (message.push(byte) > MESSAGE_BYTES_MAX)
      return broken(`it has at most ${MESSAGE_BYTES_MAX} bytes`);
    return undefined;
  };
  return {
    push(bytes) {
      const frames: ConcertFrame[] = [];
      for (const byte of bytes) {
        const frame = take(byte & SEVEN_BITS);
        if (frame) frames.push(frame);
      }
      return frames;
    },
    // A part of a message may have a part of a card number, which no mask finds.
    traceOf: ({ type }, bytes) =>
      type === 'noise' || type === 'broken' ? undefined : bytes.map((byte) => byte & SEVEN_BITS),
  };
}
