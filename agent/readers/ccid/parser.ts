import { concat } from '../../../protocol/emv/tlv.ts';
import type { FrameParser } from '../frame-channel.ts';
import { ACK, HEADER_BYTES, LONGEST_DATA, NAK, SLOT_CHANGE, SYNC, TIME_REQUEST } from './constants.ts';
import { computeLrc, messageOf, type Frame } from './frame.ts';

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
