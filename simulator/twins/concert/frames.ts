/** Control characters of the serial line. */
export const CONTROL = { stx: 0x02, etx: 0x03, eot: 0x04, enq: 0x05, ack: 0x06, nak: 0x15 } as const;

/** What the till sends. A `damaged` message has a problem that names the place and the rule. */
export type Received =
  | { type: 'enq' | 'ack' | 'nak' | 'eot' }
  | { type: 'message'; text: string }
  | { type: 'damaged'; problem: string };

// The till may send a parity bit, which is not part of a character.
const SEVEN_BITS = 0x7f;
// The longest body is that of records: some tickets have a thousand characters.
const LONGEST = 2_048;

/** XOR of the message and ETX. */
function checkOf(message: Uint8Array): number {
  return message.reduce((check, byte) => check ^ byte, CONTROL.etx);
}

/** Encodes a message: STX, message, ETX, check byte. */
export function frameBytes(text: string): Uint8Array {
  const message = Uint8Array.from(Buffer.from(text, 'latin1'), (byte) => byte & SEVEN_BITS);
  return Uint8Array.of(CONTROL.stx, ...message, CONTROL.etx, checkOf(message));
}

/** Finds messages and control characters in a stream of bytes, in whatever pieces they arrive. Skips noise. */
export function createFrameCollector(): { push(bytes: Uint8Array): Received[] } {
  let pending = new Uint8Array(0);
  return {
    push(bytes) {
      pending = Uint8Array.of(...pending, ...bytes.map((byte) => byte & SEVEN_BITS));
      const received: Received[] = [];
      while (pending.length > 0) {
        const first = readFirst(pending);
        if (first === 'incomplete') break;
        if (first.received) received.push(first.received);
        pending = pending.subarray(first.size);
      }
      return received;
    },
  };
}

type Read = { received?: Received; size: number } | 'incomplete';

const SIGNS: Record<number, 'enq' | 'ack' | 'nak' | 'eot'> = {
  [CONTROL.enq]: 'enq',
  [CONTROL.ack]: 'ack',
  [CONTROL.nak]: 'nak',
  [CONTROL.eot]: 'eot',
};

function readFirst(bytes: Uint8Array): Read {
  if (bytes[0] === CONTROL.stx) return readFrame(bytes);
  const sign = SIGNS[bytes[0]!];
  return sign ? { received: { type: sign }, size: 1 } : { size: 1 };
}

function readFrame(bytes: Uint8Array): Read {
  const end = bytes.indexOf(CONTROL.etx, 1);
  if (end < 0) {
    if (bytes.length <= LONGEST) return 'incomplete';
    const problem = `frame, byte ${LONGEST}: ETX (03) is missing`;
    return { received: { type: 'damaged', problem }, size: bytes.length };
  }
  // It may look like a control character: exactly one byte follows ETX.
  const check = bytes[end + 1];
  if (check === undefined) return 'incomplete';
  const message = bytes.slice(1, end);
  const expected = checkOf(message);
  const size = end + 2;
  if (check === expected)
    return { received: { type: 'message', text: Buffer.from(message).toString('latin1') }, size };
  const problem = `frame, byte ${end + 1}: the check byte is ${hex(check)}, ${hex(expected)} is expected`;
  return { received: { type: 'damaged', problem }, size };
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0').toUpperCase();
