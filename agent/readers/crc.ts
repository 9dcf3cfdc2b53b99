import { crc16ccitt, crc16kermit, crc32 } from 'crc';

/** Computes CRC-16/KERMIT: reflected, polynomial 0x8408, initial 0. ZVT's serial blocks use it (PA00P016 §2). */
export function crcKermit(bytes: Uint8Array): number {
  return crc16kermit(bufferOf(bytes));
}

/** Computes CRC-16/CCITT-FALSE: polynomial 0x1021, initial FFFF. ViVOtech2 frames use it (NEO 2 Interface Developers Guide). */
export function crcCcitt(bytes: Uint8Array): number {
  return crc16ccitt(bufferOf(bytes));
}

/** Computes the CRC-32 of ISO 3309, which PNG uses. */
export function crc32Of(bytes: Uint8Array): number {
  return crc32(bufferOf(bytes));
}

/** Returns a view of the bytes of the type that the library needs. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
