/**
 * The numbers of the chip's user manual (NXP UM0701-02). The driver has tables of its own: a mistake in one of them
 * shows.
 */

/** Commands of the host (§7.1). */
export const COMMAND = {
  diagnose: 0x00,
  getFirmwareVersion: 0x02,
  getGeneralStatus: 0x04,
  readRegister: 0x06,
  writeRegister: 0x08,
  readGpio: 0x0c,
  writeGpio: 0x0e,
  setSerialBaudRate: 0x10,
  setParameters: 0x12,
  samConfiguration: 0x14,
  powerDown: 0x16,
  rfConfiguration: 0x32,
  inDataExchange: 0x40,
  inCommunicateThru: 0x42,
  inDeselect: 0x44,
  inListPassiveTarget: 0x4a,
  inPsl: 0x4e,
  inAtr: 0x50,
  inRelease: 0x52,
  inSelect: 0x54,
  inJumpForDep: 0x56,
  inAutoPoll: 0x60,
  tgInitAsTarget: 0x8c,
} as const;

/** Status of a response that has one: error codes in bits 5 to 0 (§7.1). */
export const STATUS = { timeout: 0x01, context: 0x27 } as const;
/** MI, bit 6 of Tg and of Status: more of the same data follows (§7.3.8). */
export const MORE_INFORMATION = 1 << 6;
/** The bits of Tg that name a target. */
export const TARGET_BITS = 0x3f;
/** DataOut and DataIn of InDataExchange, each at most (§7.3.8). */
export const LONGEST_DATA = 262;

/** Bits of SetParameters (§7.2.9). */
export const AUTOMATIC_ATR_RES = 1 << 2;
export const AUTOMATIC_RATS = 1 << 4;

/** CfgItem of RFConfiguration (§7.3.1). */
export const CONFIGURATION = { field: 0x01, maxRetries: 0x05 } as const;
/** MxRtyATR and MxRtyPassiveActivation: the chip tries until a device or a card comes. */
export const ENDLESS_RETRIES = 0xff;

/** BrTy of InListPassiveTarget (§7.3.5): 00 is ISO/IEC 14443 type A at 106 kbit/s, 04 the last that there is. */
export const TYPE_A_106 = 0x00;
export const LAST_CARD_TYPE = 0x04;

/**
 * Types of InAutoPoll (§7.3.13): any card of type A, one of ISO/IEC 14443-3 alone (such as MIFARE), one of ISO/IEC 14443-4. The
 * others are of technologies that no simulated card has.
 */
export const POLL_TYPE = { anyTypeA: 0x00, part3: 0x10, part4: 0x20 } as const;
export const POLL_TYPES: readonly number[] = [
  0x00, 0x01, 0x02, 0x03, 0x04, 0x10, 0x11, 0x12, 0x20, 0x23, 0x40, 0x41, 0x42, 0x80, 0x81, 0x82,
];
export const POLL_TYPES_MAX = 15;
/** PollNr: the chip polls until a card comes. */
export const ENDLESS_POLLS = 0xff;
/** Period is in units of 150 ms, 1 to 15. */
export const POLL_PERIOD_MS = 150;
export const POLL_PERIODS_MAX = 15;

/** Mode, MIFARE, FeliCa and NFCID3 parameters of TgInitAsTarget (§7.3.14), and the lengths of its general and historical bytes. */
export const TARGET_HEAD_BYTES = 37;

/** SEL_RES of a card that supports ISO/IEC 14443-4 (ISO/IEC 14443-3 §6.5.3.4). */
export const SUPPORTS_PART_4 = 1 << 5;
