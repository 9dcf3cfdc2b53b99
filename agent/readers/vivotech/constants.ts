/** Command and sub-command of each request (NEO 2 Interface Developers Guide, command reference). */
export const COMMANDS = {
  setPollMode: [0x01, 0x01],
  activate: [0x02, 0x01],
  activateAll: [0x02, 0x40],
  getConfiguration: [0x03, 0x02],
  updateBalance: [0x03, 0x03],
  setConfiguration: [0x04, 0x00],
  cancel: [0x05, 0x01],
  ping: [0x18, 0x01],
  version: [0x29, 0x00],
  contactStart: [0x60, 0x10],
  contactAuthenticate: [0x60, 0x11],
  contactComplete: [0x60, 0x12],
} as const satisfies Record<string, readonly [number, number]>;
export type CommandName = keyof typeof COMMANDS;

/** Command of the reader to the host (8.4.30 and 8.4.31). */
export const HOST_REQUEST = 0x61;
export const HOST_REQUEST_PIN = 0x02;

/** Mode of a PIN request to the host (61-02). */
export const PIN_MODE = { cancelled: 0x00, online: 0x01, offline: 0x03 } as const;

export const STATUS = {
  ok: 0x00,
  incorrectHeader: 0x01,
  unknownCommand: 0x02,
  unknownSubCommand: 0x03,
  crcError: 0x04,
  incorrectParameter: 0x05,
  notSupported: 0x06,
  malformedData: 0x07,
  timeout: 0x08,
  failed: 0x0a,
  notAllowed: 0x0b,
  subCommandNotAllowed: 0x0c,
  userInterfaceEvent: 0x0e,
  onlineAuthorisation: 0x23,
  /** The command is understood and being worked on; another answer follows (8.4.2). */
  working: 0x63,
} as const;

/** A status in words (2.1.5). */
export const STATUS_TEXTS: Record<number, string> = {
  [STATUS.incorrectHeader]: 'incorrect header',
  [STATUS.unknownCommand]: 'unknown command',
  [STATUS.unknownSubCommand]: 'unknown sub-command',
  [STATUS.crcError]: 'CRC error',
  [STATUS.incorrectParameter]: 'incorrect parameter',
  [STATUS.notSupported]: 'parameter not supported',
  [STATUS.malformedData]: 'malformed data',
  [STATUS.timeout]: 'timeout',
  [STATUS.failed]: 'failed',
  [STATUS.notAllowed]: 'command not allowed',
  [STATUS.subCommandNotAllowed]: 'sub-command not allowed',
};

/** Statuses of a model for a command that it does not support. */
export const UNSUPPORTED_STATUSES: readonly number[] = [
  STATUS.unknownCommand,
  STATUS.unknownSubCommand,
  STATUS.notSupported,
  STATUS.subCommandNotAllowed,
];

/** Result codes of a transaction, object DFEE25, two bytes, the higher first (8.4.18 to 8.4.20). */
export const RESULT = {
  approvedOffline: 0x0000,
  declinedOffline: 0x0001,
  approved: 0x0002,
  declined: 0x0003,
  goOnline: 0x0004,
  callBank: 0x0005,
  notAccepted: 0x0006,
  useStripe: 0x0007,
  timeout: 0x0008,
  started: 0x0010,
  swiped: 0x0011,
  cancelled: 0x0012,
} as const;

/** Results of a transaction that ended because no card was taken: a timeout, or a card that was removed. */
export const NO_CARD_RESULTS: readonly number[] = [RESULT.timeout, 0x3012, 0x5005];

/** Results of a transaction that the card or the reader declined. */
export const DECLINED_RESULTS: readonly number[] = [
  RESULT.declinedOffline,
  RESULT.declined,
  RESULT.callBank,
  RESULT.notAccepted,
];

/** Error codes of a transaction that failed (2.1.6), for people. */
export const ERROR_TEXTS: Record<number, string> = {
  0x02: 'the card wants its chip to be used',
  0x03: 'the amount is zero',
  0x20: 'the card returned an error status',
  0x21: 'more than one card',
  0x22: 'the amount is over the maximum of the reader',
  0x24: 'a communication error with the card',
  0x25: 'the card is blocked',
  0x26: 'the card has expired',
  0x27: 'the card is not supported',
  0x30: 'the card did not respond',
  0x40: 'the card sent data that the reader does not know',
  0x41: 'the card lacks data that it should have',
  0x42: 'the card declined',
  0x43: 'the reader is set to approve offline only, and the card wants to ask its issuer',
  0x44: 'the card cannot be authenticated in the way that its network requires',
  0x50: 'the reader lacks the key of the certification authority of the card',
  0x51: 'the certificate of the issuer is wrong',
  0x52: 'the signature of the card is wrong',
  0x53: 'the certificate of the card is wrong',
  0x54: 'the signature of the card is wrong',
  0x55: 'the card may not be used for this',
  0x56: 'the risk management of the reader declined',
  0x57: 'the holder of the card was not verified',
  0x58: 'the rules of the reader or of the issuer decline the card',
};
/** Error codes after which another attempt with the same card is useless. */
export const DECLINING_ERRORS: readonly number[] = [
  0x03, 0x22, 0x25, 0x26, 0x42, 0x43, 0x44, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58,
];

/** Proprietary tags (4.4). */
export const TAG = {
  /** Which interfaces to activate: bit 0 stripe, 1 contactless, 2 contact. */
  interfaces: 'DFEF37',
  /** Fallback to the stripe, and seconds until the next command must come. */
  fallback: 'DFEF3C',
  /** Tags that a contact result is to carry. */
  output: 'DFEE1A',
  result: 'DFEE25',
  /** The tracks as the reader formats them: STX, lengths, statuses, tracks, checks, ETX. */
  stripe: 'DFEE23',
  /** Lengths of the three tracks in `tracks`, one byte each; three more bytes follow. */
  trackLengths: 'DFEF4C',
  /** The tracks, one after the other. */
  tracks: 'DFEF4D',
  /** Error code, status words and state of a failure. `olderError` stands in older manuals. */
  error: 'DFEE02',
  olderError: 'FFEE1F',
  /** Repeats the attribution byte. */
  encryption: 'DFEE26',
  /** Tracks of a tap in the mode of the magnetic stripe, as text without sentinels. */
  contactlessTrack1: 'FFEE13',
  contactlessTrack2: 'FFEE14',
  /** 00 none, 01 signature, 02 online PIN, 03 the cardholder's own device. */
  transactionCvm: 'DF52',
} as const;

export const INTERFACE = { stripe: 0x01, contactless: 0x02, contact: 0x04 } as const;

/** Tags of the maker that have the bit of a group, and are none. */
export const VALUES_NOT_GROUPS: readonly string[] = [
  TAG.olderError,
  TAG.contactlessTrack1,
  TAG.contactlessTrack2,
];

/** Serial number of the key with which a result is encrypted. */
export const KEY_SERIAL_NUMBERS: readonly string[] = ['DFEE12', 'FFEE12'];

/**
 * Bits of the attribution byte, the first of a result (8.5.3): the interface, without which the chip is in the slot, and
 * whether something is encrypted. Bit 5 only means that DFEE26 has a second byte.
 */
export const ATTRIBUTION_TAP = 0x01;
export const ATTRIBUTION_STRIPE = 0x08;
export const ATTRIBUTION_ENCRYPTED = 0xc0;

/** POS entry mode, tag 9F39, as the reader reports it. */
export const ENTRY_MODE = { contact: 0x05, contactlessStripe: 0x91 } as const;

/** For a simple command. */
export const ANSWER_LIMIT_MS = 2_000;
/** A command that got no answer is sent again, as far as that is harmless. */
export const SEND_TRIES = 3;
/** Timeout of one command to look for a card. It is repeated after that. */
export const CARD_TIMEOUT_S = 15;
/** Extra time for the response to arrive. */
export const GRACE_MS = 3_000;
/** Time for cryptography and offline PIN entry. */
export const AUTHENTICATE_LIMIT_MS = 30_000;
