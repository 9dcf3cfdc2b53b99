import { ACK, HEADER_BYTES, LONGEST_DATA, NAK, SYNC } from './constants.ts';

/** A CCID message either way (CCID 1.1 §6). */
export interface Message {
  type: number;
  slot: number;
  sequence: number;
  /** The three message-specific bytes before the data; in a response bStatus, bError and one more. */
  own: [number, number, number];
  data: Uint8Array;
}

export type Frame =
  | { kind: 'message'; message: Message }
  /** The reader received a frame with a wrong LRC, and requests it again. */
  | { kind: 'nak' }
  | { kind: 'slotChange'; present: boolean }
  /** Time extension request with T=0. */
  | { kind: 'moreTime' }
  /** A frame of known length with a wrong LRC. */
  | { kind: 'broken' };

export const NAK_FRAME = Uint8Array.of(SYNC, NAK, SYNC ^ NAK);

/** Encodes a message as a frame. @throws RangeError for too much data. */
export function messageFrame({ type, slot, sequence, own, data }: Message): Uint8Array {
  if (data.length > LONGEST_DATA) throw new RangeError(`${data.length} bytes do not fit into a message`);
  const length = [data.length & 0xff, data.length >> 8, 0, 0];
  const covered = Uint8Array.of(SYNC, ACK, type, ...length, slot, sequence & 0xff, ...own, ...data);
  return Uint8Array.of(...covered, computeLrc(covered));
}

/** Computes the LRC. Over a whole frame including its LRC it is 0. */
export function computeLrc(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum ^ byte, 0);
}

/** Decodes the message of a frame, without the first two bytes and the LRC. */
export function messageOf(bytes: Uint8Array): Message {
  return {
    type: bytes[0]!,
    slot: bytes[5]!,
    sequence: bytes[6]!,
    own: [bytes[7]!, bytes[8]!, bytes[9]!],
    data: bytes.slice(HEADER_BYTES),
  };
}
