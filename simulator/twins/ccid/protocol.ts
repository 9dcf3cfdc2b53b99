/**
 * The numbers of CCID that the reader needs (USB-IF CCID 1.1). The driver has tables of its own: a mistake in one of
 * them shows.
 */

/** bMessageType of commands: PC_to_RDR (§6.1). */
export const COMMAND = {
  setParameters: 0x61,
  iccPowerOn: 0x62,
  iccPowerOff: 0x63,
  getSlotStatus: 0x65,
  escape: 0x6b,
  getParameters: 0x6c,
  resetParameters: 0x6d,
  iccClock: 0x6e,
  xfrBlock: 0x6f,
  abort: 0x72,
} as const;

/** bMessageType of responses: RDR_to_PC (§6.2). */
export const RESPONSE = { dataBlock: 0x80, slotStatus: 0x81, parameters: 0x82, escape: 0x83 } as const;

/** Bits 1 and 0 of bStatus: bmICCStatus (§6.2.6). */
export const CARD_STATE = { powered: 0b00, unpowered: 0b01, absent: 0b10 } as const;
/** Bits 7 and 6 of bStatus: bmCommandStatus (§6.2.6). */
export const COMMAND_FAILED = 0b01 << 6;
export const TIME_EXTENSION = 0b10 << 6;

/** bError of a failed command (§6.2.6). Below 80 it is the offset of the field that the reader refuses. */
export const ERROR = {
  unsupportedCommand: 0x00,
  refusedLength: 0x01,
  refusedSlot: 0x05,
  refusedProtocol: 0x07,
  overrun: 0xfc,
  cardMute: 0xfe,
} as const;

/** dwMaxCCIDMessageLength of a reader that exchanges short APDUs: header, 5 + 255 + 1 bytes (§5.1). */
const LONGEST_MESSAGE = 271;
/** bMessageType, dwLength, bSlot, bSeq and three bytes that each message uses in its own way. */
export const HEADER_SIZE = 10;
export const LONGEST_DATA = LONGEST_MESSAGE - HEADER_SIZE;
