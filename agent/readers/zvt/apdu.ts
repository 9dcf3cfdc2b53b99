import { Fault } from '../../../protocol/failures.ts';
import { concat } from '../../../protocol/emv/tlv.ts';

/** A command or an answer of ZVT (PA00P015 §1.5). */
export interface Apdu {
  /** Class and instruction, such as 0x0601. */
  control: number;
  data: Uint8Array;
}

// The length is one byte, or FF and two bytes, the lower one first.
const LONG_LENGTH = 0xff;
const DATA_MAX = 0xffff;

export function encodeApdu({ control, data }: Apdu): Uint8Array<ArrayBuffer> {
  if (data.length > DATA_MAX) throw new Fault('internal', `a ZVT command of ${data.length} bytes`);
  const length =
    data.length < LONG_LENGTH ? [data.length] : [LONG_LENGTH, data.length & 0xff, data.length >> 8];
  return concat(Uint8Array.of(control >> 8, control & 0xff, ...length), data);
}

/** The size of the command that begins here, or undefined as long as its length has not come. */
export function apduSize(bytes: Uint8Array): number | undefined {
  const first = bytes[2];
  if (first === undefined) return undefined;
  if (first !== LONG_LENGTH) return 3 + first;
  const [low, high] = [bytes[3], bytes[4]];
  return low === undefined || high === undefined ? undefined : 5 + low + high * 256;
}

/** The command that these bytes are, whole; undefined for anything else. */
export function decodeApdu(bytes: Uint8Array): Apdu | undefined {
  if (apduSize(bytes) !== bytes.length) return undefined;
  const start = bytes[2] === LONG_LENGTH ? 5 : 3;
  return { control: bytes[0]! * 256 + bytes[1]!, data: bytes.slice(start) };
}
