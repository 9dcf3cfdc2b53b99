import { crc16ccitt, crc16kermit } from 'crc';

/** CRC-16/KERMIT: reflected, polynomial 0x8408, initial 0. The check of ZVT's serial frames (PA00P016 §2). */
export function crcKermit(bytes: Uint8Array): number {
  return crc16kermit(bufferOf(bytes));
}

/** CRC-16/CCITT-FALSE: polynomial 0x1021, initial FFFF. The check of ViVOtech2 frames (NEO2 Interface Developers Guide). */
export function crcCcitt(bytes: Uint8Array): number {
  return crc16ccitt(bufferOf(bytes));
}

/** The same bytes as the library wants to see them. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
