import { Fault } from '../../../protocol/failures.ts';
import { concat } from '../../../protocol/emv/tlv.ts';

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
export function apduSize(bytes: Uint8Array): number | undefined {
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
