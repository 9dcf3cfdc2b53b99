import { concat } from '../../../protocol/emv/tlv.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { FrameParser } from '../frame-channel.ts';

const STX = 0x02;
const ETX = 0x03;
const SOH = 0x01;
const EOT = 0x04;
const ACK = 0x06;
const NAK = 0x15;

/** Over which bytes a terminal computes the check byte (LRC) of a message: always the payload, with STX, ETX or both. */
export const LRC_SPANS = ['payload and ETX', 'payload', 'STX, payload and ETX', 'STX and payload'] as const;
export type LrcSpan = (typeof LRC_SPANS)[number];

const LRC_START = 0x7f;

/** A frame that arrived. The check byte of an acknowledgement says nothing: some makers send a constant. */
export type EcrFrame =
  | { type: 'message'; payload: string; lrc: number }
  | { type: 'progress'; text: string }
  | { type: 'ack' }
  | { type: 'nak' }
  | { type: 'broken'; reason: string };

/** Returns the check byte of a payload. */
export function lrcOf(payload: Uint8Array, span: LrcSpan): number {
  const withStx = span.startsWith('STX') ? STX : 0;
  const withEtx = span.endsWith('ETX') ? ETX : 0;
  return payload.reduce((lrc, byte) => lrc ^ byte, LRC_START ^ withStx ^ withEtx);
}

/** Encodes a message. @throws Fault `internal` for a payload that is not printable ASCII. */
export function encodeMessage(payload: string, span: LrcSpan): Uint8Array<ArrayBuffer> {
  if (!/^[\x20-\x7e]+$/.test(payload)) throw new Fault('internal', 'an ECR17 message is printable ASCII');
  const bytes = Uint8Array.from(Buffer.from(payload, 'ascii'));
  return concat(Uint8Array.of(STX), bytes, Uint8Array.of(ETX, lrcOf(bytes, span)));
}

/** Encodes an acknowledgement of a message, or its refusal. */
export function encodeAnswer(answer: 'ack' | 'nak', span: LrcSpan): Uint8Array<ArrayBuffer> {
  const byte = answer === 'ack' ? ACK : NAK;
  return Uint8Array.of(byte, ETX, lrcOf(Uint8Array.of(byte), span));
}

// More than a message with XML has, which may have 1,024 characters of it.
const PAYLOAD_BYTES_MAX = 1_200;
const PROGRESS_BYTES = 20;

/** The frame at the start of the bytes, with its length, or how many bytes to drop; undefined when more have to come. */
type Found = { frame: EcrFrame; length: number } | { skip: number } | undefined;

/** Creates a parser for what a terminal sends. Bytes between frames are dropped. */
export function createFrameParser(): FrameParser<EcrFrame> {
  let rest: Uint8Array = new Uint8Array(0);
  return {
    push(bytes) {
      rest = concat(rest, bytes);
      const frames: EcrFrame[] = [];
      for (let found = findFrame(rest); found; found = findFrame(rest)) {
        if ('frame' in found) frames.push(found.frame);
        rest = rest.subarray('frame' in found ? found.length : found.skip);
      }
      return frames;
    },
  };
}

function findFrame(bytes: Uint8Array): Found {
  const [first, second] = bytes;
  if (first === undefined) return undefined;
  if (first === STX) return findMessage(bytes);
  if (first === SOH) return findProgress(bytes);
  if (first !== ACK && first !== NAK) return { skip: 1 };
  // Three bytes: the byte, ETX and a check byte.
  if (second !== undefined && second !== ETX) return { skip: 1 };
  if (bytes.length < 3) return undefined;
  return { frame: { type: first === ACK ? 'ack' : 'nak' }, length: 3 };
}

function findMessage(bytes: Uint8Array): Found {
  const broken = (rule: string, at: number): Found => ({
    frame: { type: 'broken', reason: `message, byte ${at + 1}: ${rule}` },
    length: Math.max(at, 1),
  });
  for (let at = 1; at < bytes.length; at += 1) {
    if (at > PAYLOAD_BYTES_MAX) return broken(`a message has at most ${PAYLOAD_BYTES_MAX} bytes`, at);
    if (bytes[at] === ETX) {
      const lrc = bytes[at + 1];
      if (lrc === undefined) return undefined;
      const payload = Buffer.from(bytes.subarray(1, at)).toString('latin1');
      return { frame: { type: 'message', payload, lrc }, length: at + 2 };
    }
    if (!isPayload(bytes[at]!)) return broken('between STX and ETX is printable ASCII', at);
  }
  return undefined;
}

const ESCAPE = 0x1b;

/** Whether a byte may be in a message: printable ASCII, and the escape at the end of tickets. */
function isPayload(byte: number): boolean {
  return (byte >= 0x20 && byte <= 0x7f) || byte === ESCAPE;
}

function findProgress(bytes: Uint8Array): Found {
  const end = bytes.subarray(0, PROGRESS_BYTES + 2).indexOf(EOT);
  if (end > 0) {
    const text = Buffer.from(bytes.subarray(1, end)).toString('latin1').trim();
    return { frame: { type: 'progress', text }, length: end + 1 };
  }
  return bytes.length < PROGRESS_BYTES + 2 ? undefined : { skip: 1 };
}
