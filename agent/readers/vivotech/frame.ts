import { concat } from '../../../protocol/emv/tlv.ts';
import { crcCcitt } from '../crc.ts';

/** `ViVOtech2` and a zero (Protocol 2 frames). */
export const HEADER = Uint8Array.from(Buffer.from('ViVOtech2\0', 'latin1'));
export const HEAD_BYTES = HEADER.length + 4;
export const CRC_BYTES = 2;

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
