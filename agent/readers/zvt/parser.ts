import { concat } from '../../../protocol/emv/tlv.ts';
import type { FrameParser } from '../frame-channel.ts';
import { apduSize, decodeApdu, type Apdu } from './apdu.ts';
import { ACK, DLE, ETX, NAK, STX } from './constants.ts';
import { crcOf } from './frame.ts';

/** What the other side sends: an APDU, an acknowledgement, or a corrupt block. */
export type ZvtFrame = { type: 'apdu'; apdu: Apdu } | { type: 'ack' } | { type: 'nak' } | { type: 'broken' };

// The longest APDU with each byte doubled. A longer block is noise that looked like a start.
const BLOCK_MAX = 2 * (0xffff + 5);

/**
 * Creates a parser for blocks of the serial line. It skips noise up to the next DLE STX; a DLE STX inside a block
 * starts a new one.
 */
export function createSerialParser(): FrameParser<ZvtFrame> {
  let place: 'outside' | 'dle' | 'inside' | 'insideDle' | 'crcLow' | 'crcHigh' = 'outside';
  let block: number[] = [];
  let crcLow = 0;

  const begin = () => {
    block = [];
    place = 'inside';
  };
  const outside = (byte: number): ZvtFrame | undefined => {
    place = byte === DLE ? 'dle' : 'outside';
    if (byte === ACK) return { type: 'ack' };
    return byte === NAK ? { type: 'nak' } : undefined;
  };
  const take = (byte: number): ZvtFrame | undefined => {
    switch (place) {
      case 'outside':
        return outside(byte);
      case 'dle':
        if (byte === STX) begin();
        else return outside(byte);
        return undefined;
      case 'inside':
        if (byte === DLE) place = 'insideDle';
        else block.push(byte);
        if (block.length <= BLOCK_MAX) return undefined;
        place = 'outside';
        return { type: 'broken' };
      case 'insideDle':
        if (byte === DLE) block.push(DLE);
        if (byte === STX) begin();
        else if (byte === ETX) place = 'crcLow';
        else place = 'inside';
        return undefined;
      case 'crcLow':
        crcLow = byte;
        place = 'crcHigh';
        return undefined;
      case 'crcHigh':
        place = 'outside';
        return finished(Uint8Array.from(block), byte * 256 + crcLow);
    }
  };
  return { push: (bytes) => [...bytes].flatMap((byte) => take(byte) ?? []) };
}

function finished(bytes: Uint8Array, crc: number): ZvtFrame {
  const apdu = crcOf(bytes) === crc ? decodeApdu(bytes) : undefined;
  return apdu ? { type: 'apdu', apdu } : { type: 'broken' };
}

/** Creates a parser for a TCP connection, which carries APDUs without blocks (PA00P016 §5). */
export function createTcpParser(): FrameParser<ZvtFrame> {
  let waiting: Uint8Array = new Uint8Array(0);
  return {
    push(bytes) {
      waiting = concat(waiting, bytes);
      const frames: ZvtFrame[] = [];
      for (let size = apduSize(waiting); size !== undefined && size <= waiting.length;) {
        frames.push({ type: 'apdu', apdu: decodeApdu(waiting.subarray(0, size))! });
        waiting = waiting.slice(size);
        size = apduSize(waiting);
      }
      return frames;
    },
  };
}
