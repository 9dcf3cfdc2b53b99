import { crcKermit } from '../../../agent/readers/crc.ts';
import { apduBytes, LONGEST_APDU, readApdu, type Apdu } from './apdu.ts';

// Control characters of the serial line (PA00P016 §3.1).
const STX = 0x02;
const ETX = 0x03;
const ACK = 0x06;
const DLE = 0x10;
const NAK = 0x15;

export const ACKNOWLEDGE: Uint8Array = Uint8Array.of(ACK);
export const REJECT: Uint8Array = Uint8Array.of(NAK);

/** What the ECR sends. A `damaged` block has a wrong CRC or length. */
export type Received = { type: 'apdu'; apdu: Apdu } | { type: 'ack' | 'nak' | 'damaged' };

/** Finds messages in a stream of bytes, in whatever pieces they arrive. */
export interface Collector {
  push(bytes: Uint8Array): Received[];
}

/** Encodes a block of the serial line: DLE STX, the APDU with each DLE doubled, DLE ETX, CRC with its low byte first. */
export function blockBytes(apdu: Apdu): Uint8Array {
  const content = apduBytes(apdu);
  const block = [DLE, STX];
  for (const byte of content) {
    if (byte === DLE) block.push(DLE);
    block.push(byte);
  }
  const check = checkOf(content);
  block.push(DLE, ETX, check % 256, Math.floor(check / 256));
  return Uint8Array.from(block);
}

/** Returns the CRC over the APDU before doubling, and ETX. */
function checkOf(content: Uint8Array): number {
  return crcKermit(Uint8Array.of(...content, ETX));
}

/** Collects blocks and acknowledgements of a serial line. Skips noise. */
export function createBlockCollector(): Collector {
  let pending = Buffer.alloc(0);
  return {
    push(bytes) {
      pending = Buffer.concat([pending, bytes]);
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

/** What the first bytes are, without `received` when they are noise. */
type Read = { received?: Received; size: number } | 'incomplete';

function readFirst(bytes: Buffer): Read {
  const [first, second] = bytes;
  if (first === ACK) return { received: { type: 'ack' }, size: 1 };
  if (first === NAK) return { received: { type: 'nak' }, size: 1 };
  if (first !== DLE) return { size: 1 };
  if (second === undefined) return 'incomplete';
  return second === STX ? readBlock(bytes) : { size: 1 };
}

function readBlock(bytes: Buffer): Read {
  const content: number[] = [];
  let at = 2;
  while (at < bytes.length && content.length <= LONGEST_APDU) {
    const byte = bytes[at]!;
    if (byte !== DLE) {
      content.push(byte);
      at += 1;
      continue;
    }
    const meaning = bytes[at + 1];
    if (meaning === undefined) return 'incomplete';
    if (meaning === ETX) return readEnd(Uint8Array.from(content), bytes, at + 2);
    // Another block begins: this one has lost its end.
    if (meaning === STX) return { size: at };
    if (meaning !== DLE) return { size: at + 2 };
    content.push(DLE);
    at += 2;
  }
  return content.length > LONGEST_APDU ? { received: { type: 'damaged' }, size: at } : 'incomplete';
}

function readEnd(content: Uint8Array, bytes: Buffer, at: number): Read {
  const size = at + 2;
  if (bytes.length < size) return 'incomplete';
  const isIntact = bytes.readUInt16LE(at) === checkOf(content);
  const found = isIntact ? readApdu(content) : undefined;
  const received: Received =
    found?.size === content.length ? { type: 'apdu', apdu: found.apdu } : { type: 'damaged' };
  return { received, size };
}

/** Messages of a TCP connection, which follow each other without blocks (PA00P016 §5). */
export function createBareCollector(): Collector {
  let pending: Uint8Array = new Uint8Array(0);
  return {
    push(bytes) {
      pending = Buffer.concat([pending, bytes]);
      const received: Received[] = [];
      for (let first = readApdu(pending); first; first = readApdu(pending)) {
        received.push({ type: 'apdu', apdu: first.apdu });
        pending = pending.subarray(first.size);
      }
      return received;
    },
  };
}
