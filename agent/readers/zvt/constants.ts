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

/** The high byte of a refusal; the low byte is an error code (PA00P015, error messages). */
export const REFUSAL_CLASS = 0x84;
export const POSITIVE_CLASS = 0x80;

/** Bytes of the serial line (PA00P016 §3.1). */
export const DLE = 0x10;
export const STX = 0x02;
export const ETX = 0x03;
export const ACK = 0x06;
export const NAK = 0x15;

/** Attempts to send a block that is not acknowledged, the first included (PA00P016 §3.2.5). */
export const SEND_TRIES = 3;
/** Time for an acknowledgement, from the last byte of the block. The block is sent again after it. */
export const ACK_LIMIT_MS = 2_000;
/** Transmission time of a byte at 9600 baud, 8N2. */
export const BYTE_MS = 1.15;
/** T3: from a command to its response (PA00P016 §3.2.6). */
export const ANSWER_LIMIT_MS = 5_000;
/** T4: longest time between two messages of a terminal during a command (PA00P016 §3.2.6). */
export const WORK_LIMIT_MS = 180_000;
/** From an abort to the end of the aborted command. */
export const ABORT_LIMIT_MS = 45_000;

/**
 * Config byte of the registration (PA00P015 §2.1): the ECR prints receipts of payments (02) and of administration
 * (04), receives intermediate statuses (08), controls payments (10) and administration (20), so that only the ECR
 * can start them, and receives receipts in print commands (80). Without 80 a terminal sends no receipt, and the ECR
 * would have to build it from the status information.
 */
export const CONFIG_BYTE = 0x02 | 0x04 | 0x08 | 0x10 | 0x20 | 0x80;

/** Service byte (BMP 03) of repeat-receipt (PA00P015 §2.20): send the status information. */
export const REPEAT_STATUS = 0x01;
/** Print on neither side. */
export const REPEAT_NO_PRINT = 0x02;
/** Service byte of status-enquiry (PA00P015 §2.55): omit the software version before the status. */
export const ENQUIRY_NO_VERSION = 0x02;
/** Include a TLV container, which has the device name. */
export const ENQUIRY_CONTAINER = 0x04;

/** Factory default password (PA00P015 §1.2). It protects no money, since a reversal needs it too. */
export const PASSWORD = '000000';

/** Device name (TLV E4, 1F40) of Tapbench's twin. No real terminal has it. */
export const TWIN_DEVICE_NAME = 'TAPBENCH TWIN';
