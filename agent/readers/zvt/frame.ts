import { concat } from '../../../protocol/emv/tlv.ts';
import { Fault } from '../../../protocol/failures.ts';
import { crcKermit } from '../crc.ts';
import type { FrameParser } from '../frame-channel.ts';

/** Control field, class and instruction, of each command (PA00P015, summary of commands). */
export const CONTROL = {
  // From the cash register (ECR) to the terminal (PT).
  registration: 0x0600,
  authorisation: 0x0601,
  repeatReceipt: 0x0620,
  preAuthorisation: 0x0622,
  reversal: 0x0630,
  refund: 0x0631,
  endOfDay: 0x0650,
  abort: 0x06b0,
  statusEnquiry: 0x0501,
  // From the terminal to the cash register.
  statusInformation: 0x040f,
  intermediateStatus: 0x04ff,
  completion: 0x060f,
  aborted: 0x061e,
  printLine: 0x06d1,
  printTextBlock: 0x06d3,
  // Either way: positive acknowledgement of a command. 84 xx refuses it.
  positive: 0x8000,
} as const;

/** Bytes of the serial line (PA00P016 §3.1). */
const DLE = 0x10;
const STX = 0x02;
const ETX = 0x03;
const ACK = 0x06;
const NAK = 0x15;

/** A ZVT command or response (PA00P015 §1.5). */
export interface Apdu {
  /** Control field: class and instruction, such as 0x0601. */
  control: number;
  data: Uint8Array;
}

// The length is one byte, or FF and two bytes, low byte first.
const LONG_LENGTH = 0xff;
const DATA_MAX = 0xffff;

/** Encodes an APDU. @throws Fault `internal` for more than 65535 bytes of data. */
export function encodeApdu({ control, data }: Apdu): Uint8Array<ArrayBuffer> {
  if (data.length > DATA_MAX) throw new Fault('internal', `a ZVT command of ${data.length} bytes`);
  const length =
    data.length < LONG_LENGTH ? [data.length] : [LONG_LENGTH, data.length & 0xff, data.length >> 8];
  return concat(Uint8Array.of(control >> 8, control & 0xff, ...length), data);
}

/** Returns the size in bytes of the APDU that starts here, or undefined while its length has not arrived. */
export function apduSize(bytes: ArrayLike<number>): number | undefined {
  const first = bytes[2];
  if (first === undefined) return undefined;
  if (first !== LONG_LENGTH) return 3 + first;
  const [low, high] = [bytes[3], bytes[4]];
  return low === undefined || high === undefined ? undefined : 5 + low + high * 256;
}

/** Decodes exactly one APDU. Returns undefined when the bytes are too few or too many. */
export function decodeApdu(bytes: Uint8Array): Apdu | undefined {
  if (apduSize(bytes) !== bytes.length) return undefined;
  const start = bytes[2] === LONG_LENGTH ? 5 : 3;
  return { control: bytes[0]! * 256 + bytes[1]!, data: bytes.slice(start) };
}

export const ACK_BYTES = Uint8Array.of(ACK);
export const NAK_BYTES = Uint8Array.of(NAK);

/**
 * Encodes a block of the serial line (PA00P016 §3.1): DLE STX, the APDU with each DLE doubled, DLE ETX, and the CRC
 * over the APDU without doubling and ETX, low byte first.
 */
export function encodeFrame(apdu: Uint8Array): Uint8Array<ArrayBuffer> {
  const crc = crcOf(apdu);
  const block = [DLE, STX];
  for (const byte of apdu) {
    if (byte === DLE) block.push(DLE);
    block.push(byte);
  }
  block.push(DLE, ETX, crc & 0xff, crc >> 8);
  return Uint8Array.from(block);
}

/** Returns the CRC of a block over its APDU and ETX. */
function crcOf(apdu: Uint8Array): number {
  return crcKermit(concat(apdu, Uint8Array.of(ETX)));
}

/** What the other side sends: an APDU, an acknowledgement, or a corrupt block. */
export type ZvtFrame = { type: 'apdu'; apdu: Apdu } | { type: 'ack' } | { type: 'nak' } | { type: 'broken' };

// The longest APDU with each byte doubled. A longer block is noise that looked like a start.
const BLOCK_MAX = 2 * (0xffff + 5);

/**
 * Creates a parser for blocks of the serial line. It skips noise up to the next DLE STX; a DLE STX inside a block
 * starts a new one.
 */
export function createSerialParser(): FrameParser<ZvtFrame> {
  let place: 'outside' | 'dle' | 'inside' | 'insideDle' | 'crcLow' | 'crcHigh' = 'outside';
  let block: number[] = [];
  let crcLow = 0;

  const begin = () => {
    block = [];
    place = 'inside';
  };
  const outside = (byte: number): ZvtFrame | undefined => {
    place = byte === DLE ? 'dle' : 'outside';
    if (byte === ACK) return { type: 'ack' };
    return byte === NAK ? { type: 'nak' } : undefined;
  };
  const take = (byte: number): ZvtFrame | undefined => {
    switch (place) {
      case 'outside':
        return outside(byte);
      case 'dle':
        if (byte === STX) begin();
        else return outside(byte);
        return undefined;
      case 'inside':
        if (byte === DLE) place = 'insideDle';
        else block.push(byte);
        if (block.length <= BLOCK_MAX) return undefined;
        place = 'outside';
        return { type: 'broken' };
      case 'insideDle':
        if (byte === DLE) block.push(DLE);
        if (byte === STX) begin();
        else if (byte === ETX) place = 'crcLow';
        else place = 'inside';
        return undefined;
      case 'crcLow':
        crcLow = byte;
        place = 'crcHigh';
        return undefined;
      case 'crcHigh':
        place = 'outside';
        return finished(Uint8Array.from(block), byte * 256 + crcLow);
    }
  };
  return {
    push(bytes) {
      const frames: ZvtFrame[] = [];
      for (const byte of bytes) {
        const frame = take(byte);
        if (frame) frames.push(frame);
      }
      return frames;
    },
  };
}

function finished(bytes: Uint8Array, crc: number): ZvtFrame {
  const apdu = crcOf(bytes) === crc ? decodeApdu(bytes) : undefined;
  return apdu ? { type: 'apdu', apdu } : { type: 'broken' };
}

/** Creates a parser for a TCP connection, which carries APDUs without blocks (PA00P016 §5). */
export function createTcpParser(): FrameParser<ZvtFrame> {
  let waiting: number[] = [];
  return {
    push(bytes) {
      for (const byte of bytes) waiting.push(byte);
      const frames: ZvtFrame[] = [];
      for (let size = apduSize(waiting); size !== undefined && size <= waiting.length;) {
        frames.push({ type: 'apdu', apdu: decodeApdu(Uint8Array.from(waiting.slice(0, size)))! });
        waiting = waiting.slice(size);
        size = apduSize(waiting);
      }
      return frames;
    },
  };
}
