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
const HEADER_SIZE = 10;
export const LONGEST_DATA = LONGEST_MESSAGE - HEADER_SIZE;

// Frames of the GemCore family: SYNC and a control byte, a CCID message after ACK and none after NAK, and the
// exclusive or of all these bytes.
const SYNC = 0x03;
const ACK = 0x06;
const NAK = 0x15;
// A change of the slot is no frame: RDR_to_PC_NotifySlotChange and one byte.
const SLOT_CHANGE = 0x50;
const CARD_OUT = 0x02;
const CARD_IN = 0x03;
// With T=0 a request for time is one byte with this bit; the rest of it multiplies the waiting time.
const TIME_BYTE = 0x80;

/** A message of the host (CCID 1.1 §6.1). */
export interface Command {
  type: number;
  slot: number;
  sequence: number;
  /** The three bytes between bSeq and the data, such as bProtocolNum in the first. */
  specific: Uint8Array;
  data: Uint8Array;
}

/** A message of the reader (CCID 1.1 §6.2). */
export interface Response {
  type: number;
  slot: number;
  sequence: number;
  status: number;
  error: number;
  /** The byte after bError, such as bProtocolNum. */
  specific: number;
  data: Uint8Array;
}

/** What arrives from the host. A `damaged` frame has a wrong LRC; `repeatRequest` is the host's NAK. */
export type Received =
  { type: 'command'; command: Command } | { type: 'damaged' } | { type: 'repeatRequest' };

/** The NAK with which a reader asks for a damaged command again. */
export const REPEAT_REQUEST: Uint8Array = Uint8Array.of(SYNC, NAK, SYNC ^ NAK);

export function slotChange(isCardIn: boolean): Uint8Array {
  return Uint8Array.of(SLOT_CHANGE, isCardIn ? CARD_IN : CARD_OUT);
}

/** Asks for more time on behalf of a card of T=0, between frames. */
export function timeByte(multiplier: number): Uint8Array {
  return Uint8Array.of(TIME_BYTE | multiplier);
}

export function responseFrame(response: Response): Uint8Array {
  const { type, slot, sequence, status, error, specific, data } = response;
  const frame = Buffer.alloc(2 + HEADER_SIZE + data.length + 1);
  frame.set([SYNC, ACK, type]);
  frame.writeUInt32LE(data.length, 3);
  frame.set([slot, sequence, status, error, specific], 7);
  frame.set(data, 2 + HEADER_SIZE);
  frame[frame.length - 1] = checksum(frame);
  return frame;
}

/** Exclusive or of all bytes: 0 over a frame that includes its own. */
function checksum(bytes: Uint8Array): number {
  let lrc = 0;
  for (const byte of bytes) lrc ^= byte;
  return lrc;
}

/**
 * Collects bytes of the line and returns what is in them; it skips noise. A damaged frame may have lost a byte, so that
 * the next frame begins within its length: the search continues directly after its SYNC.
 */
export function createFrameCollector(): { push(bytes: Uint8Array): Received[] } {
  let pending = Buffer.alloc(0);
  return {
    push(bytes) {
      pending = Buffer.concat([pending, bytes]);
      const received: Received[] = [];
      for (let start = pending.indexOf(SYNC); start >= 0; start = pending.indexOf(SYNC)) {
        pending = pending.subarray(start);
        const first = firstFrame(pending);
        if (first === 'incomplete') return received;
        if (first !== 'noise') received.push(first.frame);
        pending = pending.subarray(first === 'noise' ? 1 : first.size);
      }
      pending = Buffer.alloc(0);
      return received;
    },
  };
}

/** Reads the frame that starts with the first byte. `size` is how many bytes it uses up. */
function firstFrame(bytes: Buffer): { frame: Received; size: number } | 'incomplete' | 'noise' {
  const control = bytes[1] ?? ACK;
  if (control === NAK) {
    if (bytes.length < REPEAT_REQUEST.length) return 'incomplete';
    const isWhole = bytes.subarray(0, REPEAT_REQUEST.length).equals(REPEAT_REQUEST);
    return isWhole ? { frame: { type: 'repeatRequest' }, size: REPEAT_REQUEST.length } : 'noise';
  }
  if (control !== ACK) return 'noise';
  const message = bytes.subarray(2);
  if (message.length < 5) return 'incomplete';
  const dataLength = message.readUInt32LE(1);
  if (dataLength > LONGEST_DATA) return 'noise';
  const size = 2 + HEADER_SIZE + dataLength + 1;
  if (bytes.length < size) return 'incomplete';
  if (checksum(bytes.subarray(0, size)) !== 0) return { frame: { type: 'damaged' }, size: 1 };
  return {
    frame: { type: 'command', command: commandIn(message.subarray(0, HEADER_SIZE + dataLength)) },
    size,
  };
}

function commandIn(message: Buffer): Command {
  const copy = Uint8Array.from(message);
  const [type = 0, slot = 0, sequence = 0] = [copy[0], copy[5], copy[6]];
  return { type, slot, sequence, specific: copy.subarray(7, HEADER_SIZE), data: copy.subarray(HEADER_SIZE) };
}
