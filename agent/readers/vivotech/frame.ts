import { concat } from '../../../protocol/emv/tlv.ts';
import { crcCcitt } from '../crc.ts';
import type { FrameParser } from '../frame-channel.ts';
import { HOST_REQUEST } from './constants.ts';

/** `ViVOtech2` and a zero (Protocol 2 frames). */
const HEADER = Uint8Array.from(Buffer.from('ViVOtech2\0', 'latin1'));
const HEAD_BYTES = HEADER.length + 4;
const CRC_BYTES = 2;

/** A command or a response. They differ only in the byte order of the CRC. */
export interface VivotechFrame {
  command: number;
  /** The sub-command; in a response the status. */
  code: number;
  data: Uint8Array;
}

/** Data objects from the reader, by tag. */
export type Objects = ReadonlyMap<string, Uint8Array>;

/** A command has the low byte of its CRC first. */
export function encodeCommand(frame: VivotechFrame): Uint8Array<ArrayBuffer> {
  const bytes = withoutCrc(frame);
  const crc = crcCcitt(bytes);
  return concat(bytes, Uint8Array.of(crc & 0xff, crc >> 8));
}

/** A response has the high byte first. */
export function encodeResponse(frame: VivotechFrame): Uint8Array<ArrayBuffer> {
  const bytes = withoutCrc(frame);
  const crc = crcCcitt(bytes);
  return concat(bytes, Uint8Array.of(crc >> 8, crc & 0xff));
}

function withoutCrc({ command, code, data }: VivotechFrame): Uint8Array {
  return concat(HEADER, Uint8Array.of(command, code, data.length >> 8, data.length & 0xff), data);
}

// The longest result of a transaction is far shorter; a length beyond it is noise.
const DATA_MAX = 4_096;

/**
 * Creates a parser for frames of the reader: responses, and commands to the host (61-xx). After a corrupt frame it
 * searches for the next header. A header inside a frame starts a new one, since no data contains it.
 */
export function createHostParser(): FrameParser<VivotechFrame> {
  let waiting: Uint8Array = new Uint8Array(0);

  /** Drops what comes before the next header, or what may be the beginning of one. */
  const findHeader = (from: number): void => {
    for (let at = from; at < waiting.length; at += 1) {
      const rest = waiting.subarray(at, at + HEADER.length);
      if (rest.every((byte, index) => byte === HEADER[index])) {
        waiting = waiting.slice(at);
        return;
      }
    }
    waiting = new Uint8Array(0);
  };
  /** The frame at the beginning; undefined when it is not whole yet, `broken` when it never will be. */
  const take = (): VivotechFrame | 'broken' | undefined => {
    const next = Buffer.from(waiting).indexOf(HEADER, 1);
    if (waiting.length < HEAD_BYTES) return next < 0 ? undefined : 'broken';
    const length = waiting[HEAD_BYTES - 2]! * 256 + waiting[HEAD_BYTES - 1]!;
    const size = HEAD_BYTES + length + CRC_BYTES;
    if (length > DATA_MAX || (next >= 0 && next < size)) return 'broken';
    if (waiting.length < size) return undefined;
    const command = waiting[HEADER.length]!;
    const [first, second] = [waiting[size - 2]!, waiting[size - 1]!];
    // A response has the high byte of its CRC first, a command the low one.
    const crc = command === HOST_REQUEST ? second * 256 + first : first * 256 + second;
    if (crcCcitt(waiting.subarray(0, size - CRC_BYTES)) !== crc) return 'broken';
    const frame = {
      command,
      code: waiting[HEADER.length + 1]!,
      data: waiting.slice(HEAD_BYTES, size - CRC_BYTES),
    };
    waiting = waiting.slice(size);
    return frame;
  };
  return {
    push(bytes) {
      waiting = concat(waiting, bytes);
      const frames: VivotechFrame[] = [];
      findHeader(0);
      while (waiting.length > 0) {
        const frame = take();
        if (!frame) break;
        if (frame !== 'broken') frames.push(frame);
        findHeader(frame === 'broken' ? 1 : 0);
      }
      return frames;
    },
  };
}
