/**
 * The numbers of the chip's user manual (NXP UM0701-02). The driver has tables of its own: a mistake in one of them
 * shows.
 */

/** Commands of the host (§7.1). */
export const COMMAND = {
  diagnose: 0x00,
  getFirmwareVersion: 0x02,
  getGeneralStatus: 0x04,
  readRegister: 0x06,
  writeRegister: 0x08,
  readGpio: 0x0c,
  writeGpio: 0x0e,
  setSerialBaudRate: 0x10,
  setParameters: 0x12,
  samConfiguration: 0x14,
  powerDown: 0x16,
  rfConfiguration: 0x32,
  inDataExchange: 0x40,
  inCommunicateThru: 0x42,
  inDeselect: 0x44,
  inListPassiveTarget: 0x4a,
  inPsl: 0x4e,
  inAtr: 0x50,
  inRelease: 0x52,
  inSelect: 0x54,
  inJumpForDep: 0x56,
  inAutoPoll: 0x60,
  tgInitAsTarget: 0x8c,
} as const;

/** Status of a response that has one: error codes in bits 5 to 0 (§7.1). */
export const STATUS = { timeout: 0x01, context: 0x27 } as const;
/** MI, bit 6 of Tg and of Status: more of the same data follows (§7.3.8). */
export const MORE_INFORMATION = 1 << 6;
/** The bits of Tg that name a target. */
export const TARGET_BITS = 0x3f;
/** DataOut and DataIn of InDataExchange, each at most (§7.3.8). */
export const LONGEST_DATA = 262;

/** Bits of SetParameters (§7.2.9). */
export const AUTOMATIC_ATR_RES = 1 << 2;
export const AUTOMATIC_RATS = 1 << 4;

/** CfgItem of RFConfiguration (§7.3.1). */
export const CONFIGURATION = { field: 0x01, maxRetries: 0x05 } as const;
/** MxRtyATR and MxRtyPassiveActivation: the chip tries until a device or a card comes. */
export const ENDLESS_RETRIES: number = 0xff;

/** BrTy of InListPassiveTarget (§7.3.5): 00 is ISO/IEC 14443 type A at 106 kbit/s, 04 the last that there is. */
export const TYPE_A_106 = 0x00;
export const LAST_CARD_TYPE = 0x04;

/**
 * Types of InAutoPoll (§7.3.13): any card of type A, one of ISO/IEC 14443-3 alone (such as MIFARE), one of ISO/IEC 14443-4. The
 * others are of technologies that no simulated card has.
 */
export const POLL_TYPE = { anyTypeA: 0x00, part3: 0x10, part4: 0x20 } as const;
export const POLL_TYPES: readonly number[] = [
  0x00, 0x01, 0x02, 0x03, 0x04, 0x10, 0x11, 0x12, 0x20, 0x23, 0x40, 0x41, 0x42, 0x80, 0x81, 0x82,
];
export const POLL_TYPES_MAX = 15;
/** PollNr: the chip polls until a card comes. */
export const ENDLESS_POLLS = 0xff;
/** Period is in units of 150 ms, 1 to 15. */
export const POLL_PERIOD_MS = 150;
export const POLL_PERIODS_MAX = 15;

/** Mode, MIFARE, FeliCa and NFCID3 parameters of TgInitAsTarget (§7.3.14), and the lengths of its general and historical bytes. */
export const TARGET_HEAD_BYTES = 37;

/** SEL_RES of a card that supports ISO/IEC 14443-4 (ISO/IEC 14443-3 §6.5.3.4). */
export const SUPPORTS_PART_4 = 1 << 5;

// Start code, length and its complement, frame identifier, data and their complement; zeros before and behind
// (UM0701-02 §6.2.1).
const START_CODE = Buffer.of(0x00, 0xff);
const FROM_HOST = 0xd4;
const FROM_CHIP = 0xd5;
// In place of a length and its complement.
const ACK_CODE = 0x00_ff;
const NACK_CODE = 0xff_00;
const EXTENDED_CODE = 0xff_ff;
// Frame identifier and data: more than this needs an extended frame, and no frame holds more than 265 (§6.2.1.2).
const NORMAL_MAX = 255;
const EXTENDED_MAX = 265;

/** What arrives from the host: a command, or an ACK or a NACK of a response. */
export type Received = { type: 'command'; code: number; parameters: Uint8Array } | { type: 'ack' | 'nack' };

export const ACK: Uint8Array = Uint8Array.of(0x00, 0x00, 0xff, 0x00, 0xff, 0x00);

/** The error frame: the chip refuses the syntax of a command (§6.2.1.5). */
export const SYNTAX_ERROR: Uint8Array = Uint8Array.of(0x00, 0x00, 0xff, 0x01, 0xff, 0x7f, 0x81, 0x00);

/** The frame of a response; `data` begins with the response code. */
export function responseFrame(data: Uint8Array): Uint8Array {
  const body = Buffer.of(FROM_CHIP, ...data);
  const length = body.length;
  const head =
    length > NORMAL_MAX
      ? [0xff, 0xff, length >> 8, length % 256, complement([length >> 8, length % 256])]
      : [length, complement([length])];
  return Buffer.concat([Buffer.of(0x00, ...START_CODE, ...head), body, Buffer.of(complement(body), 0x00)]);
}

/** What makes the sum of bytes 0, modulo 256. */
function complement(bytes: Iterable<number>): number {
  let sum = 0;
  for (const byte of bytes) sum += byte;
  return (256 - (sum % 256)) % 256;
}

/**
 * Collects bytes of the line and returns what is in them. The chip ignores damaged frames: the host sends a command again
 * that is not acknowledged. The search continues behind the start code of such a frame, since it may have lost bytes.
 */
export function createFrameCollector(): { push(bytes: Uint8Array): Received[] } {
  let pending = Buffer.alloc(0);
  return {
    push(bytes) {
      pending = Buffer.concat([pending, bytes]);
      const received: Received[] = [];
      for (let start = pending.indexOf(START_CODE); start >= 0; start = pending.indexOf(START_CODE)) {
        pending = pending.subarray(start);
        const first = readFrame(pending.subarray(START_CODE.length));
        if (first === 'incomplete') return received;
        if (first !== 'damaged' && first.frame) received.push(first.frame);
        pending = pending.subarray(START_CODE.length + (first === 'damaged' ? 0 : first.size));
      }
      // The first byte of a start code.
      const keepsLast = pending.at(-1) === START_CODE[0];
      pending = keepsLast ? pending.subarray(-1) : Buffer.alloc(0);
      return received;
    },
  };
}

/** A whole frame, without `frame` when it is not for the chip. `size` does not count the start code. */
type Read = { frame?: Received; size: number } | 'incomplete' | 'damaged';

function readFrame(bytes: Buffer): Read {
  if (bytes.length < 2) return 'incomplete';
  const code = bytes.readUInt16BE(0);
  if (code === ACK_CODE) return { frame: { type: 'ack' }, size: 2 };
  if (code === NACK_CODE) return { frame: { type: 'nack' }, size: 2 };
  if (code !== EXTENDED_CODE) return readBody(bytes, 2, bytes[0]!);
  return bytes.length < 5 ? 'incomplete' : readBody(bytes, 5, bytes.readUInt16BE(2));
}

/** @param headSize bytes before the body; the last of them complements the ones of the length. */
function readBody(bytes: Buffer, headSize: number, length: number): Read {
  const lengthField = bytes.subarray(headSize === 2 ? 0 : 2, headSize);
  if (complement(lengthField) !== 0 || length === 0 || length > EXTENDED_MAX) return 'damaged';
  const size = headSize + length + 1;
  if (bytes.length < size) return 'incomplete';
  if (complement(bytes.subarray(headSize, size)) !== 0) return 'damaged';
  const [identifier, code, ...parameters] = bytes.subarray(headSize, size - 1);
  if (identifier !== FROM_HOST || code === undefined) return { size };
  return { frame: { type: 'command', code, parameters: Uint8Array.from(parameters) }, size };
}
