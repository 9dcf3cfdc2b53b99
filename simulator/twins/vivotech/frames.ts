import { crcCcitt } from '../../../agent/readers/crc.ts';

/**
 * What the reader and its host say to each other, as the reader has it (NEO 2 Interface Developers Guide). The driver
 * has tables of its own: a mistake in one of them shows.
 */

/** Command and sub-command as one number. */
export const COMMAND = {
  setPollMode: 0x0101,
  activate: 0x0201,
  activateAll: 0x0240,
  getConfiguration: 0x0302,
  updateBalance: 0x0303,
  setConfiguration: 0x0400,
  resetConfiguration: 0x0409,
  cancel: 0x0501,
  ping: 0x1801,
  version: 0x2900,
  contactSetTerminalData: 0x6006,
  contactStart: 0x6010,
  contactAuthenticate: 0x6011,
  contactComplete: 0x6012,
} as const;

/** The reader asks its host for a PIN: 61-02 (8.4.31). */
export const HOST_CONTROL = 0x61;
export const GET_PIN = 0x02;
export const PIN_CANCELLED = 0x00;
export const PIN_ONLINE = 0x01;
export const PIN_OFFLINE = 0x03;

/** Table 6. */
export const STATUS = {
  ok: 0x00,
  unknownCommand: 0x02,
  unknownSubCommand: 0x03,
  incorrectParameter: 0x05,
  timeout: 0x08,
  failed: 0x0a,
  commandNotAllowed: 0x0b,
  subCommandNotAllowed: 0x0c,
  requestOnlineAuthorization: 0x23,
  /** First answer of a contact command, another one follows (8.4.2). */
  processing: 0x63,
} as const;

/** Why a transaction failed: table 8. */
export const ERROR = {
  useContact: 0x02,
  cardStatus: 0x20,
  communication: 0x24,
  cardBlocked: 0x25,
  unsupportedCard: 0x27,
  dataMissing: 0x41,
  cardDeclined: 0x42,
  signature: 0x54,
  holderVerification: 0x57,
  actionAnalysis: 0x58,
  generic: 0x62,
} as const;

/** Where a tap failed: table 9. */
export const RF_STATE = {
  none: 0x00,
  directory: 0x01,
  select: 0x02,
  processingOptions: 0x03,
  readRecord: 0x04,
  generateCryptogram: 0x05,
} as const;

/** Result codes, two bytes (DFEE25; codes 0000 to 0012 as in the maker's public header). */
export const RESULT_TAG = 'DFEE25';
export const RESULT = {
  declinedOffline: 0x0001,
  approved: 0x0002,
  declined: 0x0003,
  goOnline: 0x0004,
  timeout: 0x0008,
  started: 0x0010,
  swiped: 0x0011,
  cardRemoved: 0x3012,
  noCardTaken: 0x5005,
} as const;

/** Bits of the interfaces that 02-40 activates, in DFEF37. */
export const INTERFACES_TAG = 'DFEF37';
export const STRIPE = 0x01;
export const CONTACTLESS = 0x02;
export const CONTACT = 0x04;

/**
 * First byte of a result: the kind in bits 4, 3 and 0 (8.5.3). Bit 5: a second byte follows in DFEE26. Bits 7 and 6: the card
 * data is encrypted.
 */
export const ATTRIBUTION = { contact: 0x00, contactless: 0x01, stripe: 0x08 } as const;
export type ResultKind = keyof typeof ATTRIBUTION;
export const ATTRIBUTION_EXTENDED = 0x20;
export const ATTRIBUTION_ENCRYPTED = 0xc0;
export const ATTRIBUTION_TAG = 'DFEE26';

/** Error code, SW1, SW2 and RF state of a failure. */
export const FAILURE_TAG = 'DFEE02';
/** Tags that the host wants in a result (8.4.18). */
export const OUTPUT_LIST_TAG = 'DFEE1A';
export const KEY_SERIAL_NUMBER_TAG = 'DFEE12';
/** Tracks in the format of the reader. */
export const FORMATTED_TRACKS_TAG = 'DFEE23';
/** Lengths of tracks 1, 2 and 3 and of the card number in DFEF4D, a byte each, and two reserved bytes. */
export const TRACK_LENGTHS_TAG = 'DFEF4C';
/** Tracks one after the other. */
export const TRACKS_TAG = 'DFEF4D';

/** How the holder is verified: 00 not at all, 01 signature, 02 online PIN, 03 own device. */
export const TRANSACTION_CVM_TAG = 'DF52';

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
