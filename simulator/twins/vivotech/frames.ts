import { crcCcitt } from '../../../agent/readers/crc.ts';
import { HOST_CONTROL } from './protocol.ts';

/** A frame on the reader's line: a command of the host, or the host's response to a question (61-xx). */
export interface ReceivedFrame {
  command: number;
  /** The sub-command; in a response the status. */
  code: number;
  data: Uint8Array;
}

const TAG = Buffer.from('ViVOtech2\0', 'latin1');
// Command, sub-command or status, length of two bytes.
const BEFORE_DATA = TAG.length + 4;
const CRC_BYTES = 2;
const LONGEST_DATA = 2_048;

/** Bytes of a response, whose CRC has its high byte first (2.1.3). */
export function responseFrame(command: number, status: number, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return frame([command, status], data, 'highFirst');
}

/** Bytes of a question to the host: a command, whose CRC has its low byte first. */
export function questionFrame(subCommand: number, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return frame([HOST_CONTROL, subCommand], data, 'lowFirst');
}

type CrcOrder = 'highFirst' | 'lowFirst';

function frame(
  [command, code]: [number, number],
  data: Uint8Array,
  order: CrcOrder,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(BEFORE_DATA + data.length + CRC_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(TAG);
  bytes.set([command, code], TAG.length);
  view.setUint16(TAG.length + 2, data.length);
  bytes.set(data, BEFORE_DATA);
  view.setUint16(bytes.length - CRC_BYTES, crcCcitt(bytes.subarray(0, -CRC_BYTES)), order === 'lowFirst');
  return bytes;
}

/** Collects bytes of the line and returns the whole frames in them. Bytes that belong to none are dropped. */
export function createFrameCollector(): { push(bytes: Uint8Array): ReceivedFrame[] } {
  let pending = Buffer.alloc(0);
  return {
    push(bytes) {
      pending = Buffer.concat([pending, bytes]);
      const frames: ReceivedFrame[] = [];
      for (let start = pending.indexOf(TAG); start >= 0; start = pending.indexOf(TAG)) {
        pending = pending.subarray(start);
        const found = firstFrame(pending);
        if (found === 'incomplete') return frames;
        if (found !== 'damaged') frames.push(found.frame);
        pending = pending.subarray(found === 'damaged' ? 1 : found.size);
      }
      // What may be the beginning of a tag.
      pending = pending.subarray(Math.max(pending.length - TAG.length + 1, 0));
      return frames;
    },
  };
}

function firstFrame(bytes: Buffer): { frame: ReceivedFrame; size: number } | 'incomplete' | 'damaged' {
  const size = bytes.length < BEFORE_DATA ? Infinity : sizeOf(bytes);
  const next = bytes.indexOf(TAG, 1);
  // No data contains a tag, so a frame that would has lost bytes.
  if (size > BEFORE_DATA + LONGEST_DATA + CRC_BYTES && bytes.length >= BEFORE_DATA) return 'damaged';
  if (next >= 0 && next < size) return 'damaged';
  if (bytes.length < size) return 'incomplete';
  const view = new DataView(bytes.buffer, bytes.byteOffset, size);
  const command = bytes[TAG.length]!;
  // The host sends commands, and a response to each request of the reader.
  const lowFirst = command !== HOST_CONTROL;
  const isWhole =
    view.getUint16(size - CRC_BYTES, lowFirst) === crcCcitt(bytes.subarray(0, size - CRC_BYTES));
  if (!isWhole) return 'damaged';
  const data = Uint8Array.from(bytes.subarray(BEFORE_DATA, size - CRC_BYTES));
  return { frame: { command, code: bytes[TAG.length + 1]!, data }, size };
}

function sizeOf(bytes: Buffer): number {
  return BEFORE_DATA + bytes.readUInt16BE(TAG.length + 2) + CRC_BYTES;
}
