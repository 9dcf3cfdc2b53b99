import { LONGEST_LENGTH } from './constants.ts';

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
