import { Fault } from '../../../protocol/failures.ts';
import { isConstructed, parseTlv, type Tlv } from '../../../protocol/emv/tlv.ts';
import { lookupInTrack2 } from '../chip-request.ts';
import {
  ATTRIBUTION_ENCRYPTED,
  ATTRIBUTION_STRIPE,
  ATTRIBUTION_TAP,
  COMMANDS,
  DECLINED_RESULTS,
  DECLINING_ERRORS,
  ENTRY_MODE,
  ERROR_TEXTS,
  KEY_SERIAL_NUMBERS,
  NO_CARD_RESULTS,
  RESULT,
  STATUS,
  STATUS_TEXTS,
  TAG,
  VALUES_NOT_GROUPS,
} from './constants.ts';
import type { Objects, VivotechFrame } from './frame.ts';
import { textOf, track2In, tracksAtStart, type TracksThenObjects } from './tracks.ts';

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

const [CONTACT_COMMAND] = COMMANDS.contactStart;

const ENCRYPTED = {
  type: 'failed',
  reason:
    'the reader encrypts card data with a key of its manufacturer, which only an acquirer has: have encryption turned off',
} as const satisfies Activation;

/** Data of a result: an attribution byte, then objects. */
interface TransactionResult {
  attribution: number;
  /** DFEE25; undefined when the reader sends none. */
  code: number | undefined;
  objects: Objects;
}

function parseResult(data: Uint8Array): TransactionResult {
  const objects = parseObjects(data.subarray(1));
  const code = objects.get(TAG.result);
  return {
    attribution: data[0] ?? 0,
    code: code && (code[0] ?? 0) * 256 + (code[1] ?? 0),
    objects,
  };
}

/** Returns the result of 02-01, 02-40 or 60-10: the card that was found, or why there is none. */
export function parseActivation(frame: VivotechFrame): Activation {
  if (frame.code === STATUS.timeout) return { type: 'noCard' };
  if (frame.code !== STATUS.ok && frame.code !== STATUS.onlineAuthorisation) return parseFailure(frame);
  const older = tracksAtStart(frame.data);
  if (older) return parseOlderResult(older, frame.code === STATUS.onlineAuthorisation);
  const result = parseResult(frame.data);
  const { code, objects } = result;
  if (code !== undefined && NO_CARD_RESULTS.includes(code)) return { type: 'noCard' };
  if (isEncrypted(result)) return ENCRYPTED;
  if (code !== undefined && DECLINED_RESULTS.includes(code))
    return { type: 'declined', reason: declineText(code), objects };
  if (code === RESULT.useStripe) return { type: 'unreadable', reason: 'the chip could not be read' };
  if (code === RESULT.swiped || result.attribution & ATTRIBUTION_STRIPE) return stripeIn(objects);
  if (objects.size === 0) return { type: 'unreadable', reason: 'the card gave nothing' };
  if (isContact(frame, result)) return { type: 'contact', objects };
  return { type: 'tap', objects: withTrack2(objects), asksIssuer: asksIssuer(frame, result) };
}

/** Bits of the attribution byte, which DFEE26 repeats, or the serial number of the key. */
function isEncrypted({ attribution, objects }: TransactionResult): boolean {
  const bits = attribution | (objects.get(TAG.encryption)?.[0] ?? 0);
  return (bits & ATTRIBUTION_ENCRYPTED) !== 0 || KEY_SERIAL_NUMBERS.some((tag) => objects.has(tag));
}

/** Returns whether the chip is in the slot, where a transaction is only started: a tap has its cryptogram. */
function isContact(frame: VivotechFrame, { attribution, objects }: TransactionResult): boolean {
  if (frame.command === CONTACT_COMMAND) return true;
  if (frame.code === STATUS.onlineAuthorisation || objects.has('9F26') || objects.has('9F27')) return false;
  const entryMode = objects.get('9F39')?.[0];
  if (entryMode !== undefined) return entryMode === ENTRY_MODE.contact;
  return (attribution & ATTRIBUTION_TAP) === 0;
}

/** A tap without a cryptogram, in the mode of the magnetic stripe, always asks the issuer. */
function asksIssuer(frame: VivotechFrame, { code, objects }: TransactionResult): boolean {
  if (frame.code === STATUS.onlineAuthorisation || code === RESULT.goOnline || code === RESULT.started)
    return true;
  return objects.get('9F39')?.[0] === ENTRY_MODE.contactlessStripe;
}

/** Some networks have the track as text in an object of the reader, and no 57. */
function withTrack2(objects: Objects): Objects {
  const track = objects.get(TAG.contactlessTrack2);
  if (!track || objects.has('57') || objects.has('5A')) return objects;
  try {
    return new Map([...objects, ['57', lookupInTrack2(textOf(track))('57')!]]);
  } catch {
    return objects;
  }
}

function parseOlderResult({ track2, rest }: TracksThenObjects, isOnline: boolean): Activation {
  const objects = parseObjects(rest);
  return objects.size > 0 ? { type: 'tap', objects, asksIssuer: isOnline } : { type: 'stripe', track2 };
}

function stripeIn(objects: Objects): Activation {
  const track = track2In(objects);
  if (track.type === 'track2') return { type: 'stripe', track2: track.text };
  if (track.type === 'encrypted') return ENCRYPTED;
  return { type: 'unreadable', reason: 'the stripe could not be read' };
}

/** Returns why a result with this code is a decline, for people. */
export function declineText(code: number | undefined): string {
  return code === RESULT.notAccepted ? 'the reader does not accept the card' : 'the card declined';
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
 * Returns the error code of a failure and the objects with it. The code is in DFEE02, after an attribution byte, or the
 * first of four bytes that are not TLV.
 */
function failureIn(data: Uint8Array): { error: number; objects: Objects } {
  const result = parseResult(data);
  const error = result.objects.get(TAG.error) ?? result.objects.get(TAG.olderError);
  if (!error) return { error: data[0] ?? 0, objects: parseObjects(data.subarray(FAILURE_BYTES)) };
  return { error: error[0] ?? 0, objects: isEncrypted(result) ? new Map() : result.objects };
}

export function statusText(status: number): string {
  return STATUS_TEXTS[status] ?? `status ${status.toString(16).padStart(2, '0').toUpperCase()}`;
}

/**
 * Returns the code of a contact command and its objects.
 * @throws Fault `reader` when they are encrypted.
 */
export function parseContactResult(data: Uint8Array): { result: number | undefined; objects: Objects } {
  const result = parseResult(data);
  if (isEncrypted(result)) throw new Fault('reader', ENCRYPTED.reason);
  return { result: result.code, objects: result.objects };
}

/** Returns all objects in these bytes and in their groups; none when they are malformed. */
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

/** Some tags of the maker have the bit of a group, and are none. */
function isGroup(tag: string): boolean {
  return isConstructed(tag) && !VALUES_NOT_GROUPS.includes(tag);
}
