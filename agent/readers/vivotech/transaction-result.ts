import { toHex } from '../../../protocol/emv/hex.ts';
import { isConstructed, parseTlv, type Tlv } from '../../../protocol/emv/tlv.ts';
import {
  ATTRIBUTION_CAPTURED,
  ATTRIBUTION_ENCRYPTED,
  ATTRIBUTION_STRIPE,
  DECLINING_ERRORS,
  ERROR_TEXTS,
  STATUS,
  STATUS_TEXTS,
  TAG,
} from './constants.ts';
import type { VivotechFrame } from './frame.ts';

/** Data objects from the reader, by tag. */
export type Objects = ReadonlyMap<string, Uint8Array>;

/** Result of looking for a card. */
export type Activation =
  | { type: 'contact'; objects: Objects }
  /** `asksIssuer`: the status requests an online authorisation. */
  | { type: 'tap'; objects: Objects; asksIssuer: boolean }
  | { type: 'stripe'; track2: string }
  | { type: 'noCard' }
  /** `objects`: data of the card before it declined, which is enough for a refund. */
  | { type: 'declined'; reason: string; objects: Objects }
  | { type: 'unreadable'; reason: string }
  | { type: 'failed'; reason: string };

const ENCRYPTED =
  'the reader encrypts card data with a key of its manufacturer, which only an acquirer has: have encryption turned off';

/**
 * The result of 02-40 (8.5.3): an attribution byte says where the card was, TLV objects follow.
 * @param way that of 02-01 is older (8.5.1): tracks with their lengths, a flag for the clearing record, TLV objects.
 */
export function parseActivation(frame: VivotechFrame, way: 'activateAll' | 'activate'): Activation {
  const { code, data } = frame;
  if (code === STATUS.timeout) return { type: 'noCard' };
  if (code !== STATUS.ok && code !== STATUS.onlineAuthorisation) return parseFailure(frame);
  const asksIssuer = code === STATUS.onlineAuthorisation;
  if (way === 'activate') return parseLegacyActivation(data, asksIssuer);
  const attribution = data[0] ?? 0;
  if (attribution & ATTRIBUTION_ENCRYPTED) return { type: 'failed', reason: ENCRYPTED };
  const objects = parseObjects(data.subarray(1));
  if (attribution & ATTRIBUTION_STRIPE) return stripeIn(objects);
  if ((attribution & ATTRIBUTION_CAPTURED) === 0) return { type: 'contact', objects };
  return { type: 'tap', objects, asksIssuer };
}

function parseLegacyActivation(data: Uint8Array, asksIssuer: boolean): Activation {
  const tracks: string[] = [];
  let at = 0;
  for (let track = 0; track < 2; track += 1) {
    const length = data[at] ?? 0;
    tracks.push(Buffer.from(data.subarray(at + 1, at + 1 + length)).toString('latin1'));
    at += 1 + length;
  }
  const [, track2] = tracks;
  // The length of track 3, where there is one, and the flag of the clearing record.
  while (at < data.length && data[at]! <= 1) at += 1;
  const objects = parseObjects(data.subarray(at));
  if (objects.size > 0) return { type: 'tap', objects, asksIssuer };
  return track2 ? { type: 'stripe', track2 } : { type: 'unreadable', reason: 'the card gave nothing' };
}

function stripeIn(objects: Objects): Activation {
  const track2 = objects.get(TAG.track2);
  if (!track2) return { type: 'unreadable', reason: 'the stripe could not be read' };
  return { type: 'stripe', track2: Buffer.from(track2).toString('latin1') };
}

function parseFailure({ code, data }: VivotechFrame): Activation {
  if (code !== STATUS.failed) return { type: 'failed', reason: `the reader says: ${statusText(code)}` };
  const { error, objects } = failureIn(data);
  const reason = ERROR_TEXTS[error] ?? 'the card could not be read';
  return DECLINING_ERRORS.includes(error)
    ? { type: 'declined', reason, objects }
    : { type: 'unreadable', reason };
}

/** Error code, SW1, SW2 and RF state (table 9). */
const FAILURE_BYTES = 4;

/**
 * The bytes of a failure are not TLV; objects may follow them (8.5.1). Only a reader that can encrypt puts them into
 * FFEE1F, after an attribution byte (8.5.3).
 */
function failureIn(data: Uint8Array): { error: number; objects: Objects } {
  if (!isErrorObject(data.subarray(1))) {
    return { error: data[0] ?? 0, objects: parseObjects(data.subarray(FAILURE_BYTES)) };
  }
  const objects = parseObjects(data.subarray(1));
  return { error: objects.get(TAG.errorCode)?.[0] ?? 0, objects };
}

function isErrorObject(bytes: Uint8Array): boolean {
  return toHex(bytes.subarray(0, TAG.errorCode.length / 2)) === TAG.errorCode;
}

export function statusText(status: number): string {
  return STATUS_TEXTS[status] ?? `status ${status.toString(16).padStart(2, '0').toUpperCase()}`;
}

/** The result of a contact command: a code of two bytes, an attribution byte, TLV objects. */
export function parseContactResult(data: Uint8Array): { result: number; objects: Objects } {
  const result = (data[0] ?? 0) * 256 + (data[1] ?? 0);
  return { result, objects: parseObjects(data.subarray(3)) };
}

/** All objects in these bytes and in their groups. What is malformed ends them: the reader cannot be asked again. */
function parseObjects(bytes: Uint8Array): Objects {
  try {
    return new Map(flat(bytes).map(({ tag, value }) => [tag, value]));
  } catch {
    return new Map();
  }
}

const DEPTH_MAX = 4;

function flat(bytes: Uint8Array, depth = 0): Tlv[] {
  if (depth > DEPTH_MAX) return [];
  return parseTlv(bytes).flatMap((object) =>
    isGroup(object.tag) ? flat(object.value, depth + 1) : [object],
  );
}

/** FFEE1F looks constructed by its first byte, and is not. */
function isGroup(tag: string): boolean {
  return tag !== TAG.errorCode && isConstructed(tag);
}
