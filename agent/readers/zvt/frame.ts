import { concat } from '../../../protocol/emv/tlv.ts';
import { crcKermit } from '../crc.ts';
import { ACK, DLE, ETX, NAK, STX } from './constants.ts';

export const ACK_BYTES = Uint8Array.of(ACK);
export const NAK_BYTES = Uint8Array.of(NAK);

/**
 * Encodes a block of the serial line (PA00P016 §3.1): DLE STX, the APDU with each DLE doubled, DLE ETX, and the CRC
 * over the APDU without doubling and ETX, low byte first.
 */
export function encodeFrame(apdu: Uint8Array): Uint8Array<ArrayBuffer> {
  const crc = crcOf(apdu);
  const doubled = [...apdu].flatMap((byte) => (byte === DLE ? [DLE, DLE] : [byte]));
  return Uint8Array.of(DLE, STX, ...doubled, DLE, ETX, crc & 0xff, crc >> 8);
}

/** Returns the CRC of a block over its APDU and ETX. */
export function crcOf(apdu: Uint8Array): number {
  return crcKermit(concat(apdu, Uint8Array.of(ETX)));
}
