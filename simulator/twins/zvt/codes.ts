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
