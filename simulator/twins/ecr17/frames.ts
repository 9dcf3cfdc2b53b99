// Control characters of Protocollo 17.
const SOH = 0x01;
const STX = 0x02;
const ETX = 0x03;
const EOT = 0x04;
const ACK = 0x06;
const NAK = 0x15;

/** What the check byte of a terminal covers besides the payload: nothing, ETX, STX and ETX, or STX. */
export const CHECK_MODES = ['std', 'noext', 'stx', 'stx_noext'] as const;
export type CheckMode = (typeof CHECK_MODES)[number];

/** The value that a check byte begins with. */
const CHECK_START = 0x7f;

const COVERED: Record<CheckMode, { first: number[]; last: number[] }> = {
  std: { first: [], last: [] },
  noext: { first: [], last: [ETX] },
  stx: { first: [STX], last: [ETX] },
  stx_noext: { first: [STX], last: [] },
};

function checkOf(payload: Uint8Array, mode: CheckMode): number {
  const { first, last } = COVERED[mode];
  return [...first, ...payload, ...last].reduce((check, byte) => check ^ byte, CHECK_START);
}

/** Encodes a message: STX, payload, ETX, check byte. */
export function messageBytes(payload: string, mode: CheckMode): Uint8Array {
  const bytes = Buffer.from(payload, 'latin1');
  return Uint8Array.of(STX, ...bytes, ETX, checkOf(bytes, mode));
}

const PROGRESS_LETTERS = 20;

/** Encodes a text for the display of the till, which it does not acknowledge. */
export function progressBytes(text: string): Uint8Array {
  const shown = text.slice(0, PROGRESS_LETTERS).padEnd(PROGRESS_LETTERS);
  return Uint8Array.of(SOH, ...Buffer.from(shown, 'latin1'), EOT);
}

/** Encodes that a message is received, or refused. */
export function reactionBytes(reaction: 'ack' | 'nak', mode: CheckMode): Uint8Array {
  const byte = reaction === 'ack' ? ACK : NAK;
  return Uint8Array.of(byte, ETX, checkOf(Uint8Array.of(byte), mode));
}

/** What the till sends. A `damaged` message has a problem that names the place and the rule. */
export type Received =
  { type: 'message'; payload: string } | { type: 'ack' | 'nak' } | { type: 'damaged'; problem: string };

// A wallet message, the longest, has some thousand characters.
const LONGEST = 4_096;
const REACTION_BYTES = 3;

/** Finds messages in a stream of bytes, in whatever pieces they arrive. Skips noise. */
export function createFrameCollector(mode: () => CheckMode): { push(bytes: Uint8Array): Received[] } {
  let pending = new Uint8Array(0);
  return {
    push(bytes) {
      pending = Uint8Array.of(...pending, ...bytes);
      const received: Received[] = [];
      while (pending.length > 0) {
        const first = readFirst(pending, mode());
        if (first === 'incomplete') break;
        if (first.received) received.push(first.received);
        pending = pending.subarray(first.size);
      }
      return received;
    },
  };
}

type Read = { received?: Received; size: number } | 'incomplete';

function readFirst(bytes: Uint8Array, mode: CheckMode): Read {
  const [first, second] = bytes;
  if (first === ACK || first === NAK) {
    if (bytes.length < REACTION_BYTES)
      return second === undefined || second === ETX ? 'incomplete' : { size: 1 };
    // The check byte of an acknowledgement is not looked at: some tills send another.
    return second === ETX
      ? { received: { type: first === ACK ? 'ack' : 'nak' }, size: REACTION_BYTES }
      : { size: 1 };
  }
  return first === STX ? readMessage(bytes, mode) : { size: 1 };
}

function readMessage(bytes: Uint8Array, mode: CheckMode): Read {
  const end = bytes.indexOf(ETX, 1);
  if (end < 0) {
    if (bytes.length <= LONGEST) return 'incomplete';
    const problem = `message, byte ${LONGEST}: ETX (03) is missing`;
    return { received: { type: 'damaged', problem }, size: bytes.length };
  }
  // It may be 02, 03, 06 or 00: exactly one byte follows ETX.
  const check = bytes[end + 1];
  if (check === undefined) return 'incomplete';
  const payload = bytes.slice(1, end);
  const expected = checkOf(payload, mode);
  const size = end + 2;
  if (check === expected)
    return { received: { type: 'message', payload: Buffer.from(payload).toString('latin1') }, size };
  const problem = `message, byte ${end + 1}: the check byte is ${hex(check)}, ${hex(expected)} is expected (${mode})`;
  return { received: { type: 'damaged', problem }, size };
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0').toUpperCase();
