import { concat } from '../../../protocol/emv/tlv.ts';
import type { FrameParser } from '../frame-channel.ts';

// Frames of the NXP PN532 (UM0701-02, user manual).

/** Frame identifiers (§6.2.1.1). */
export const TFI = { hostToChip: 0xd4, chipToHost: 0xd5, error: 0x7f } as const;

/** The longest LEN of an extended frame that the chip takes: TFI, command and 263 bytes (§6.2.1.2). */
const LONGEST_LENGTH = 265;

/** What travels between host and chip (UM0701-02 §6.2.1). */
export type Frame =
  /** A command (`tfi` D4) or its answer (D5); `data` begins with the command's code. */
  | { kind: 'information'; tfi: number; data: Uint8Array }
  | { kind: 'ack' }
  | { kind: 'nack' }
  /** The chip refuses what it was sent: unknown command or wrong parameters. */
  | { kind: 'error' }
  /** A frame of known length whose data checksum is wrong. */
  | { kind: 'broken' };

export const ACK = Uint8Array.of(0x00, 0x00, 0xff, 0x00, 0xff, 0x00);
export const NACK = Uint8Array.of(0x00, 0x00, 0xff, 0xff, 0x00, 0x00);

/**
 * The bytes of an information frame, extended when it is longer than a normal one can say (§6.2.1.2).
 * @throws RangeError for data that no frame holds.
 */
export function informationFrame(tfi: number, data: Uint8Array): Uint8Array {
  const length = data.length + 1;
  if (length > LONGEST_LENGTH) throw new RangeError(`${data.length} bytes do not fit into a frame`);
  const header = length <= 0xff ? [length, -length & 0xff] : extendedLength(length);
  const checksum = -data.reduce((sum, byte) => sum + byte, tfi) & 0xff;
  return Uint8Array.of(0x00, 0x00, 0xff, ...header, tfi, ...data, checksum, 0x00);
}

function extendedLength(length: number): number[] {
  const [high, low] = [length >> 8, length & 0xff];
  return [0xff, 0xff, high, low, -(high + low) & 0xff];
}

/** Result at a start code: a frame and its end, no frame, or too few bytes to decide. */
type Found = { frame: Frame; end: number } | 'nothing' | 'incomplete';

/**
 * Creates a parser that finds frames by their start code 00 FF (UM0701-02 §6.2.1) and skips everything between them.
 * After a corrupt frame it continues after the start code, since a lost byte moves the next frame into its length.
 */
export function createParser(): FrameParser<Frame> {
  let held: Uint8Array = new Uint8Array(0);
  return {
    push(bytes) {
      held = concat(held, bytes);
      const frames: Frame[] = [];
      let at = 0;
      for (;;) {
        const start = startCode(held, at);
        if (start === undefined) break;
        const found = frameAt(held, start + 2);
        at = start;
        if (found === 'incomplete') break;
        at = start + 2;
        if (found === 'nothing') continue;
        frames.push(found.frame);
        if (found.frame.kind !== 'broken') at = found.end;
      }
      // A last 00 may be the first half of a start code.
      if (startCode(held, at) === undefined)
        at = held.at(-1) === 0x00 ? Math.max(at, held.length - 1) : held.length;
      held = held.slice(at);
      return frames;
    },
  };
}

/** Where the next 00 FF is, from `from` on. */
function startCode(bytes: Uint8Array, from: number): number | undefined {
  for (let at = from; at + 1 < bytes.length; at++) {
    if (bytes[at] === 0x00 && bytes[at + 1] === 0xff) return at;
  }
  return undefined;
}

/** Reads what follows a start code, at `from`. */
function frameAt(bytes: Uint8Array, from: number): Found {
  if (bytes.length < from + 2) return 'incomplete';
  const [first, second] = [bytes[from]!, bytes[from + 1]!];
  if (first === 0x00 && second === 0xff) return { frame: { kind: 'ack' }, end: from + 2 };
  if (first === 0xff && second === 0x00) return { frame: { kind: 'nack' }, end: from + 2 };
  if (first === 0xff && second === 0xff) return extendedAt(bytes, from + 2);
  if (((first + second) & 0xff) !== 0) return 'nothing';
  return dataAt(bytes, from + 2, first);
}

function extendedAt(bytes: Uint8Array, from: number): Found {
  if (bytes.length < from + 3) return 'incomplete';
  const [high, low, checksum] = [bytes[from]!, bytes[from + 1]!, bytes[from + 2]!];
  const length = (high << 8) | low;
  if (((high + low + checksum) & 0xff) !== 0 || length > LONGEST_LENGTH) return 'nothing';
  return dataAt(bytes, from + 3, length);
}

function dataAt(bytes: Uint8Array, from: number, length: number): Found {
  if (length === 0) return 'nothing';
  const end = from + length + 1;
  if (bytes.length < end) return 'incomplete';
  const covered = bytes.subarray(from, end);
  if ((covered.reduce((sum, byte) => sum + byte, 0) & 0xff) !== 0) return { frame: { kind: 'broken' }, end };
  const tfi = covered[0]!;
  if (tfi === TFI.error && length === 1) return { frame: { kind: 'error' }, end };
  return { frame: { kind: 'information', tfi, data: covered.slice(1, length) }, end };
}
