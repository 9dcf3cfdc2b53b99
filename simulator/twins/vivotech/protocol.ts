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
  cancel: 0x0501,
  ping: 0x1801,
  version: 0x2900,
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

/** Result codes of the contact commands, two bytes (8.4.18 to 8.4.20). */
export const CONTACT_RESULT = {
  declinedOffline: 0x0001,
  approved: 0x0002,
  declined: 0x0003,
  goOnline: 0x0004,
  started: 0x0010,
} as const;

/** Bits of the interfaces that 02-40 activates, in DFEF37. */
export const INTERFACES_TAG = 'DFEF37';
export const STRIPE = 0x01;
export const CONTACTLESS = 0x02;
export const CONTACT = 0x04;

/** First byte of a result of 02-40: bits 4, 3 and 0 (8.5.3). */
export const ATTRIBUTION = { contact: 0x00, contactless: 0x01, stripe: 0x08 } as const;

export const TRACK_2_TAG = 'DFEF18';
/** How the holder is verified: 00 not at all, 01 signature, 02 online PIN, 03 own device. */
export const TRANSACTION_CVM_TAG = 'DF52';
