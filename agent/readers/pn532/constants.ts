/** NXP PN532, UM0701-02 (user manual): what its frames and commands are made of. */

/** Frame identifiers (§6.2.1.1). */
export const TFI = { hostToChip: 0xd4, chipToHost: 0xd5, error: 0x7f } as const;

/** Commands (§7.1). The chip answers each under its code plus one. */
export const COMMAND = {
  diagnose: 0x00,
  getFirmwareVersion: 0x02,
  setParameters: 0x12,
  samConfiguration: 0x14,
  rfConfiguration: 0x32,
  inDataExchange: 0x40,
  inListPassiveTarget: 0x4a,
  inRelease: 0x52,
} as const;

/** The longest LEN of an extended frame that the chip takes: TFI, command and 263 bytes (§6.2.1.2). */
export const LONGEST_LENGTH = 265;

/** Bytes of card data that InDataExchange carries at once, each way (§7.3.8). Longer data is chained. */
export const LONGEST_DATA = 262;

/** In InDataExchange: more data of the same APDU follows (§7.3.8). On Tg from the host, on Status from the chip. */
export const MORE_INFORMATION = 0x40;
/** In a status: a node address follows. */
export const NODE_ADDRESS = 0x80;

/** What InListPassiveTarget looks for (§7.3.5, BrTy). */
export const MODULATION = { typeA: 0x00, typeB: 0x03 } as const;

/** SetParameters (§7.2.9): the chip sends RATS itself, so that cards come up in ISO/IEC 14443-4. */
export const PARAMETER = { automaticAtrRes: 0x04, automaticRats: 0x10 } as const;

/** RFConfiguration items (§7.3.1). */
export const RF_ITEM = { field: 0x01, maxRetries: 0x05 } as const;

/** A byte of this value wakes a chip that sleeps on its serial line (§7.2.11): it has five rising edges. */
const WAKE_UP = 0x55;

/** The wake-up that goes before the first command: long enough for the oscillator to start (§7.2.11). */
export const WAKE_UP_SEQUENCE = Uint8Array.of(WAKE_UP, WAKE_UP, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

/** SEL_RES (SAK) bit 6: the card speaks ISO/IEC 14443-4 (ISO/IEC 14443-3 §6.5.3.4). */
export const SAK_ISO_14443_4 = 0x20;

/** Status codes (§7.1, table of error codes) in words. The low six bits of a status. */
export const STATUS_TEXTS: Record<number, string> = {
  0x01: 'the card does not answer',
  0x02: 'the card answers with a wrong CRC',
  0x03: 'the card answers with wrong parity',
  0x05: 'the card answers with a framing error',
  0x06: 'two cards answer at once',
  0x07: 'a buffer of the chip is too small',
  0x09: 'a buffer of the chip overflowed',
  0x0a: 'the field is not on',
  0x0b: 'the card breaks the protocol',
  0x0d: 'the antenna is too hot',
  0x13: 'the card answers in a wrong format',
  0x27: 'there is no card selected',
  0x29: 'the card was released',
  0x2a: 'another card lies there',
  0x2b: 'the card is gone',
};
