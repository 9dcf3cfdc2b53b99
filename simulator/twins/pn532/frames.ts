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
