import type { HolderVerification } from '../../../agent/emv/cardholder-verification.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import {
  ATTRIBUTION,
  ATTRIBUTION_ENCRYPTED,
  ATTRIBUTION_EXTENDED,
  ATTRIBUTION_TAG,
  FAILURE_TAG,
  FORMATTED_TRACKS_TAG,
  RESULT,
  RESULT_TAG,
  TRACK_LENGTHS_TAG,
  TRACKS_TAG,
  TRANSACTION_CVM_TAG,
  type ResultKind,
} from './frames.ts';
import type { ResultShape, ResultStyle } from './result-style.ts';
import { formattedTracks, maskedTracks, trackLengths, type Tracks } from './stripe-tracks.ts';

/** Data objects of a transaction, such as the kernel's store. */
export interface ObjectSource {
  get(tag: string): Uint8Array | undefined;
}

const words = (text: string) => text.split(' ');

/** In the order of recorded results. What a store does not have is left out. */
const STARTED = words('57 5A 5F34 5F20 5F24 5F25 5F2D 50 4F 84');
const AUTHENTICATED = words('9F10 9F26 9F27 9F36 9F37 9F02 9F4D 9F4F 9F13 95 9B 9F03 9F34');
/** In the guide's lists, but not in recorded results. */
const MORE = words('5F2A 82 9C 9F09 9F1A 9F1E 9F33 9F35 9F41 9F53');
const DATE_AND_TIME = words('9A 9F21');
const ENTRY_MODE = ['9F39'];
const SENSITIVE = new Set(['57', '5A', '9F6B']);

/** Splits a list of tags without lengths (DFEE1A) by the rules of EMV 4.4 Book 3 Annex B1. */
export function tagsOf(list: Uint8Array): string[] {
  const tags: string[] = [];
  for (let start = 0, end = 0; start < list.length; start = end) {
    end = start + 1;
    if ((list[start]! & 0x1f) === 0x1f) while (end < list.length && list[end++]! & 0x80);
    tags.push(toHex(list.subarray(start, end)));
  }
  return tags;
}

export function objectsOf(
  source: ObjectSource,
  tags: readonly string[],
  { cipher }: ResultStyle,
): Uint8Array {
  const objects = tags.flatMap((tag) => {
    const value = source.get(tag);
    if (!value) return [];
    return [cipher && SENSITIVE.has(tag) ? cipher.sensitive(tag, value) : encodeTlv(tag, value)];
  });
  return concat(...objects);
}

/** Encodes the objects of a 60-10 result: those of the host's list, or the default ones. */
export function startedObjects(source: ObjectSource, style: ResultStyle, asked?: string[]): Uint8Array {
  return objectsOf(source, asked ?? contactTags(STARTED, style), style);
}

/** Encodes the objects of a 60-11 or 60-12 result. */
export function authenticatedObjects(source: ObjectSource, style: ResultStyle, asked?: string[]): Uint8Array {
  const { objects } = style.shape;
  const defaults = objects === 'all' ? [...AUTHENTICATED, ...MORE] : AUTHENTICATED;
  return objectsOf(source, asked ?? contactTags(defaults, style), style);
}

function contactTags(tags: readonly string[], { shape }: ResultStyle): string[] {
  if (shape.attribution === 'long') return [...tags, ...DATE_AND_TIME];
  return [...tags, ...(shape.objects === 'all' ? DATE_AND_TIME : []), ...ENTRY_MODE];
}

const CVMS: Record<HolderVerification['method'], number> = {
  none: 0,
  offlinePin: 0,
  signature: 1,
  onlinePin: 2,
  onDevice: 3,
  failed: 0,
};

/**
 * Encodes what a tap gave. The kernel for Mastercard (C-2) returns its objects in a data record (FF8105) and discretionary data
 * (FF8106), which the reader passes on.
 */
export function tapObjects(
  source: ObjectSource,
  holder: HolderVerification['method'],
  style: ResultStyle,
): Uint8Array {
  const cvm = encodeTlv(TRANSACTION_CVM_TAG, Uint8Array.of(CVMS[holder]));
  const made = objectsOf(source, [...STARTED, ...AUTHENTICATED, ...MORE, ...DATE_AND_TIME], style);
  const isMastercard = toHex(source.get('84') ?? new Uint8Array(0)).startsWith('A000000004');
  const record = isMastercard
    ? concat(encodeTlv('FF8106', cvm), encodeTlv('FF8105', made))
    : concat(made, cvm);
  return concat(record, objectsOf(source, ENTRY_MODE, style));
}

/** The entry mode of a swiped card (9F39). */
const SWIPED = fromHex('90');

/**
 * Encodes a result: attribution byte, result code if any, objects. A firmware with a long attribution begins with it; another one
 * ends with it.
 */
export function resultData(
  kind: ResultKind,
  { code, objects, after = new Uint8Array(0) }: { code?: number; objects: Uint8Array; after?: Uint8Array },
  { shape, cipher }: ResultStyle,
): Uint8Array {
  const attribution = attributionByte(kind, shape);
  const isLong = shape.attribution === 'long';
  return concat(
    Uint8Array.of(attribution),
    ...(isLong ? [encodeTlv(ATTRIBUTION_TAG, Uint8Array.of(attribution, 0))] : []),
    ...(code === undefined ? [] : [resultCode(code)]),
    ...(cipher ? [cipher.keySerialNumber] : []),
    objects,
    encodeTlv(
      'FFEE01',
      encodeTlv(isLong ? 'DFEE30' : 'DF30', Uint8Array.of(kind === 'stripe' ? 0x0c : 0x01)),
    ),
    ...(isLong ? [] : [encodeTlv(ATTRIBUTION_TAG, Uint8Array.of(attribution))]),
    after,
  );
}

function attributionByte(kind: ResultKind, { attribution, encrypted }: ResultShape): number {
  const extended = attribution === 'long' ? ATTRIBUTION_EXTENDED : 0;
  return ATTRIBUTION[kind] | extended | (encrypted ? ATTRIBUTION_ENCRYPTED : 0);
}

function resultCode(code: number): Uint8Array {
  return encodeTlv(RESULT_TAG, Uint8Array.of(code >> 8, code & 0xff));
}

/** Encodes a result without a card: attribution byte and code. */
export function codeOnly(code: number, { attribution }: ResultShape): Uint8Array {
  const byte = ATTRIBUTION.contact | (attribution === 'long' ? ATTRIBUTION_EXTENDED : 0);
  return concat(Uint8Array.of(byte), resultCode(code));
}

/** Encodes the result of a swipe. */
export function swipeData(tracks: Tracks, style: ResultStyle, serialNumber?: string): Uint8Array {
  const { shape, cipher } = style;
  const shown = cipher ? maskedTracks(tracks) : tracks;
  const objects = concat(
    encodeTlv(FORMATTED_TRACKS_TAG, formattedTracks(shown, serialNumber)),
    encodeTlv('9F39', SWIPED),
  );
  const none: Tracks = { track1: '', track2: '' };
  const plain = shape.tracks === 'both' ? tracks : none;
  const bytes = Buffer.from(plain.track1 + plain.track2, 'latin1');
  const after = concat(
    encodeTlv(TRACK_LENGTHS_TAG, trackLengths(plain)),
    encodeTlv(TRACKS_TAG, cipher ? cipher.encrypt(bytes) : bytes),
  );
  return resultData('stripe', { code: RESULT.swiped, objects, after }, style);
}

/** Encodes a failure: error code, SW1, SW2 and RF state, and objects if there are any. */
export function failureData(
  kind: ResultKind,
  report: Uint8Array,
  { shape }: ResultStyle,
  objects: Uint8Array = new Uint8Array(0),
): Uint8Array {
  if (shape.failure === 'empty') return new Uint8Array(0);
  if (shape.failure === 'bytes') return concat(report, objects);
  const attribution = attributionByte(kind, { ...shape, encrypted: false });
  const more = shape.attribution === 'long' ? [0] : [];
  return concat(
    Uint8Array.of(attribution),
    encodeTlv(FAILURE_TAG, report),
    objects,
    encodeTlv(ATTRIBUTION_TAG, Uint8Array.of(attribution, ...more)),
  );
}

/** Encodes the answer to 02-01: tracks with their lengths, no clearing record, TLV objects. */
export function activatedLegacy({ track1, track2 }: Tracks, objects: Uint8Array): Uint8Array {
  const text = (track: string) => Buffer.from(track, 'latin1');
  return concat(
    Uint8Array.of(track1.length),
    text(track1),
    Uint8Array.of(track2.length),
    text(track2),
    Uint8Array.of(0, 0),
    objects,
  );
}
