/** Serial CCID of the GemCore family: messages of USB-IF CCID 1.1 in frames of SYNC, ACK, message, LRC. */

export const SYNC = 0x03;
export const ACK = 0x06;
export const NAK = 0x15;

/** First byte of a slot change notification, and its second. */
export const SLOT_CHANGE = { code: 0x50, absent: 0x02, present: 0x03 } as const;

/** Bytes from here on, between frames: a time extension request with T=0. */
export const TIME_REQUEST = 0x80;

/** Message type, length (4), slot, sequence number, three message-specific bytes. */
export const HEADER_BYTES = 10;
/** The longest data of a message: a short APDU of 5 + 255 + 1 bytes (dwMaxCCIDMessageLength 271). */
export const LONGEST_DATA = 261;

/** Commands (CCID 1.1 §6.1). */
export const COMMAND = {
  setParameters: 0x61,
  iccPowerOn: 0x62,
  iccPowerOff: 0x63,
  getSlotStatus: 0x65,
  escape: 0x6b,
  xfrBlock: 0x6f,
} as const;

/** Answers (CCID 1.1 §6.2). */
const ANSWER = { dataBlock: 0x80, slotStatus: 0x81, parameters: 0x82, escape: 0x83 } as const;

/** Response type of each command (CCID 1.1 table 6.1-1). */
export const RESPONSE_TYPE: Record<number, number> = {
  [COMMAND.setParameters]: ANSWER.parameters,
  [COMMAND.iccPowerOn]: ANSWER.dataBlock,
  [COMMAND.iccPowerOff]: ANSWER.slotStatus,
  [COMMAND.getSlotStatus]: ANSWER.slotStatus,
  [COMMAND.escape]: ANSWER.escape,
  [COMMAND.xfrBlock]: ANSWER.dataBlock,
};

/** bmICCStatus, the low two bits of bStatus (CCID 1.1 table 6.2-3). */
export const ICC = { active: 0, inactive: 1, absent: 2 } as const;
/** bmCommandStatus, its high two bits. */
export const COMMAND_STATUS = { failed: 0x40, moreTime: 0x80 } as const;

/** Texts of bError of a failed command (CCID 1.1 table 6.2-2). */
export const ERROR_TEXTS: Record<number, string> = {
  0xff: 'the command was stopped',
  0xfe: 'the card does not answer',
  0xfd: 'the card answers with wrong parity',
  0xfc: 'the card sends more than the reader takes',
  0xfb: 'the reader has a hardware fault',
  0xf8: 'the answer to reset is garbled',
  0xf7: 'the answer to reset has a wrong checksum',
  0xf6: 'the card offers a protocol that the reader does not know',
  0xf5: 'the card offers a class that the reader does not know',
  0xf4: 'the card breaks its protocol',
  0xf3: 'the reader switched the card off',
  0xe0: 'the slot is busy',
  0x05: 'the reader has no such slot',
  0x00: 'the reader does not know the command',
};
