import { TAG } from './constants.ts';
import type { Objects } from './frame.ts';

/** Track 2 as text, or why there is none. */
type StripeTrack = { type: 'track2'; text: string } | { type: 'encrypted' } | { type: 'missing' };

/** Returns track 2 of a swiped card: from DFEF4D, or else from DFEE23. */
export function track2In(objects: Objects): StripeTrack {
  const formatted = objects.get(TAG.stripe);
  if (formatted && hasEncryptedTracks(formatted)) return { type: 'encrypted' };
  const text = plainTrack2(objects) ?? formattedTrack2(formatted);
  return text === undefined ? { type: 'missing' } : { type: 'track2', text };
}

/** Returns track 2 of DFEF4D, whose lengths are in DFEF4C; undefined when it is empty. */
function plainTrack2(objects: Objects): string | undefined {
  const [lengths, tracks] = [objects.get(TAG.trackLengths), objects.get(TAG.tracks)];
  if (!lengths || !tracks) return undefined;
  let at = 0;
  for (const length of lengths.subarray(0, TRACKS)) {
    const text = textOf(tracks.subarray(at, at + length));
    if (isTrack2(text)) return text;
    at += length;
  }
  return undefined;
}

const TRACKS = 3;

// STX, length (low byte first), card type, track status, three lengths, two bytes about what is sent.
const FORMATTED_HEAD_BYTES = 10;
const FORMATTED_LENGTHS_AT = 5;
const FORMATTED_SENT_AT = 8;
/** Bits of the first byte about what is sent: tracks 1 to 3 are encrypted. */
const ENCRYPTED_TRACKS = 0x38;

function hasEncryptedTracks(stripe: Uint8Array): boolean {
  return ((stripe[FORMATTED_SENT_AT] ?? 0) & ENCRYPTED_TRACKS) !== 0;
}

/** Returns track 2 of DFEE23; undefined when it is empty. */
function formattedTrack2(stripe: Uint8Array | undefined): string | undefined {
  const [first = 0, second = 0] = stripe?.subarray(FORMATTED_LENGTHS_AT) ?? [];
  const start = FORMATTED_HEAD_BYTES + first;
  const text = textOf(stripe?.subarray(start, start + second) ?? new Uint8Array(0));
  return isTrack2(text) ? text : undefined;
}

/** A result of 02-01 from firmware without the attribution byte: two tracks, and the objects that follow. */
export interface TracksThenObjects {
  track2: string;
  rest: Uint8Array;
}

/**
 * Parses a result that begins with tracks 1 and 2, each after its length, as older firmware answers 02-01 (8.5.1).
 * Returns undefined when the tracks are empty or are no tracks: then the data begins with an attribution byte.
 */
export function tracksAtStart(data: Uint8Array): TracksThenObjects | undefined {
  const first = data[0] ?? 0;
  const secondAt = 1 + first;
  const second = data[secondAt] ?? 0;
  const thirdAt = secondAt + 1 + second;
  if (thirdAt > data.length) return undefined;
  const track1 = textOf(data.subarray(1, secondAt));
  const track2 = textOf(data.subarray(secondAt + 1, thirdAt));
  if (!isTrack2(track2) || !/^(%?B[\x20-\x5f]*)?$/.test(track1)) return undefined;
  return { track2, rest: withoutFlags(data.subarray(thirdAt)) };
}

/** Drops the length of track 3, where there is one, and the flag of the clearing record. */
function withoutFlags(bytes: Uint8Array): Uint8Array {
  let at = 0;
  while (at < bytes.length && bytes[at]! <= 1) at += 1;
  return bytes.subarray(at);
}

/** ISO/IEC 7813, structure of track 2; the start sentinel is optional. */
function isTrack2(text: string): boolean {
  return /^;?[0-9]+=/.test(text);
}

/** Returns bytes as text. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
