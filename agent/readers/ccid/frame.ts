import { concat } from '../../../protocol/emv/tlv.ts';
import type { FrameParser } from '../frame-channel.ts';

// Serial CCID of the GemCore family: messages of USB-IF CCID 1.1 in frames of SYNC, ACK, message, LRC.

const SYNC = 0x03;
const ACK = 0x06;
const NAK = 0x15;

/** First byte of a slot change notification, and its second. */
const SLOT_CHANGE = { code: 0x50, absent: 0x02, present: 0x03 } as const;

/** Bytes from here on, between frames: a time extension request with T=0. */
const TIME_REQUEST = 0x80;

/** Message type, length (4), slot, sequence number, three message-specific bytes. */
const HEADER_BYTES = 10;
/** The longest data of a message: a short APDU of 5 + 255 + 1 bytes (dwMaxCCIDMessageLength 271). */
const LONGEST_DATA = 261;

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
function messageOf(bytes: Uint8Array): Message {
  return {
    type: bytes[0]!,
    slot: bytes[5]!,
    sequence: bytes[6]!,
    own: [bytes[7]!, bytes[8]!, bytes[9]!],
    data: bytes.slice(HEADER_BYTES),
  };
}

/** Result at one offset: a frame and its end, no frame, or too few bytes to decide. */
type Found = { frame: Frame; end: number } | 'nothing' | 'incomplete';

/** Creates a parser for serial CCID. After a corrupt frame it continues with the byte after its first. */
export function createParser(): FrameParser<Frame> {
  let held: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  return {
    push(bytes) {
      held = concat(held, bytes);
      const frames: Frame[] = [];
      let at = 0;
      while (at < held.length) {
        const found = frameAt(held, at);
        if (found === 'incomplete') break;
        if (found === 'nothing') {
          at += 1;
          continue;
        }
        frames.push(found.frame);
        at = found.frame.kind === 'broken' ? at + 1 : found.end;
      }
      held = held.slice(at);
      return frames;
    },
  };
}

function frameAt(bytes: Uint8Array, at: number): Found {
  const [first, second] = [bytes[at]!, bytes[at + 1]];
  if (first >= TIME_REQUEST) return { frame: { kind: 'moreTime' }, end: at + 1 };
  if (first !== SYNC && first !== SLOT_CHANGE.code) return 'nothing';
  if (second === undefined) return 'incomplete';
  if (first === SLOT_CHANGE.code) {
    if (second !== SLOT_CHANGE.present && second !== SLOT_CHANGE.absent) return 'nothing';
    return { frame: { kind: 'slotChange', present: second === SLOT_CHANGE.present }, end: at + 2 };
  }
  if (second === ACK) return messageAt(bytes, at);
  if (second !== NAK) return 'nothing';
  const check = bytes[at + 2];
  if (check === undefined) return 'incomplete';
  return check === (SYNC ^ NAK) ? { frame: { kind: 'nak' }, end: at + 3 } : 'nothing';
}

function messageAt(bytes: Uint8Array, at: number): Found {
  const header = at + 2;
  if (bytes.length < header + 5) return 'incomplete';
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(header + 1, true);
  if (length > LONGEST_DATA) return 'nothing';
  const end = header + HEADER_BYTES + length + 1;
  if (bytes.length < end) return 'incomplete';
  if (computeLrc(bytes.subarray(at, end)) !== 0) return { frame: { kind: 'broken' }, end };
  return { frame: { kind: 'message', message: messageOf(bytes.subarray(header, end - 1)) }, end };
}
