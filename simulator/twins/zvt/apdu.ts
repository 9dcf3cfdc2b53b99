import { Fault } from '../../../protocol/failures.ts';

/** A message of either side (PA00P015 §1.5): class and instruction as one number such as 0x0601, and its data block. */
export interface Apdu {
  control: number;
  data: Uint8Array;
}

// A length byte of FF announces two more, the lower one first.
const SHORT_MAX = 0xfe;
const LONG_MARK = 0xff;
const LONG_MAX = 0xffff;

/** The longest message: class, instruction, the three bytes of a long length, data. */
export const LONGEST_APDU: number = 5 + LONG_MAX;

const NO_DATA = new Uint8Array(0);

/** 80 00 00: the message before is received and understood. */
export const POSITIVE: Apdu = { control: 0x8000, data: NO_DATA };

/** 84 xx 00: the command is refused. @param code a result code (PA00P015 §10). */
export function refusal(code: number): Apdu {
  return { control: 0x8400 + code, data: NO_DATA };
}

/** Whether a message is an acknowledgement, positive or negative, and no command. */
export function isAnswer({ control }: Apdu): boolean {
  return [0x80, 0x84].includes(Math.floor(control / 256));
}

/** @throws Fault `internal` for data that no message holds. */
export function apduBytes({ control, data }: Apdu): Uint8Array<ArrayBuffer> {
  if (data.length > LONG_MAX)
    throw new Fault('internal', `${data.length} bytes do not fit into a ZVT message`);
  const isShort = data.length <= SHORT_MAX;
  const bytes = Buffer.alloc((isShort ? 3 : 5) + data.length);
  bytes.writeUInt16BE(control);
  bytes[2] = isShort ? data.length : LONG_MARK;
  if (!isShort) bytes.writeUInt16LE(data.length, 3);
  bytes.set(data, bytes.length - data.length);
  return Uint8Array.from(bytes);
}

/** The message at the beginning of these bytes, and its size; undefined as long as it is incomplete. */
export function readApdu(bytes: Uint8Array): { apdu: Apdu; size: number } | undefined {
  const [group, instruction, length, low, high] = bytes;
  if (group === undefined || instruction === undefined || length === undefined) return undefined;
  const isLong = length === LONG_MARK;
  if (isLong && (low === undefined || high === undefined)) return undefined;
  const head = isLong ? 5 : 3;
  const size = head + (isLong ? low! + high! * 256 : length);
  if (bytes.length < size) return undefined;
  const data = Uint8Array.from(bytes.subarray(head, size));
  return { apdu: { control: group * 256 + instruction, data }, size };
}
