import { Fault } from '../../../protocol/failures.ts';

// Bits and codes of the manual (PA00P015), as the terminal needs them.

/** Class and instruction of messages from the terminal (§3). */
export const MESSAGE = {
  statusInformation: 0x040f,
  intermediateStatus: 0x04ff,
  completion: 0x060f,
  abort: 0x061e,
} as const;

/** Class and instruction of commands from the ECR (§2). */
export const COMMAND = {
  statusEnquiry: 0x0501,
  registration: 0x0600,
  authorisation: 0x0601,
  logOff: 0x0602,
  turnoverTotals: 0x0610,
  reset: 0x0618,
  printSystemConfiguration: 0x061a,
  setTerminalId: 0x061b,
  repeatReceipt: 0x0620,
  preAuthorisation: 0x0622,
  bookReservation: 0x0623,
  bookTotal: 0x0624,
  reservationReversal: 0x0625,
  reversal: 0x0630,
  refund: 0x0631,
  endOfDay: 0x0650,
  diagnosis: 0x0670,
  selfTest: 0x0679,
  initialisation: 0x0693,
  abort: 0x06b0,
  readCard: 0x06c0,
  displayText: 0x06e0,
} as const;

/** Service byte (BMP 03) of repeat-receipt (§2.20): send the status information. */
export const REPEAT_WITH_STATUS = 0x01;
/** Do not print the receipt. */
export const REPEAT_UNPRINTED = 0x02;

/** Service byte of status-enquiry (§2.55): without the software version. */
export const ENQUIRY_UNVERSIONED = 0x02;
/** With a TLV container. */
export const ENQUIRY_WITH_CONTAINER = 0x04;

/** Terminal status code: ready. */
export const STATUS_READY = 0x00;

/** Result codes (§10). 01 to 63 are the bank's. */
export const RESULT = {
  approved: 0x00,
  cardNotReadable: 0x64,
  notRegistered: 0x6b,
  aborted: 0x6c,
  wrongCurrency: 0x6f,
  functionNotPossible: 0x83,
  protocolError: 0x9a,
  pleaseWait: 0x9c,
  alreadyReversed: 0xb4,
  reversalNotPossible: 0xb5,
  reservationWrong: 0xb7,
  openReservation: 0xb8,
} as const;

/** Intermediate statuses (§3.7). */
export const PROGRESS = {
  watchPinPad: 0x01,
  waitingForHost: 0x04,
  insertCard: 0x0a,
  incorrectPin: 0x15,
} as const;

/** Returns a text for a decline, for the ECR and the receipt. */
export function declineText(code: number): string {
  return `declined by the bank (${code.toString(16).padStart(2, '0').toUpperCase()})`;
}

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
