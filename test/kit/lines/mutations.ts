import { concat } from '../../../protocol/emv/tlv.ts';
import { fraction, type Random } from '../../../protocol/ids.ts';

/** What a line or the program at its other end may do to a message. */
export const MUTATIONS = [
  // Damage: the bytes are others.
  'bits flipped',
  'bytes lost',
  'bytes inserted',
  'bytes doubled',
  'cut short',
  'wrong length',
  'wrong check',
  'oversized',
  'random bytes',
  // The pieces are whole, and not as they were sent.
  'lost',
  'repeated',
  'an earlier one first',
  'out of order',
  'late',
  'line cut before it',
  'line cut within it',
  // A message that is right by its check, and says another thing.
  'other field',
] as const;
export type Mutation = (typeof MUTATIONS)[number];

export type Direction = 'to the till' | 'to the terminal';

/** What a mutation has to know of a language. It is written from descriptions of the languages, without their codecs. */
export interface MessageForm {
  /** Makes the check bytes of a message right; absent where messages have none. */
  seal?(message: Uint8Array): Uint8Array;
  /** Changes a length in a message to a number by `pick`; returns the message as it is where there is none. */
  lie?(message: Uint8Array, pick: (below: number) => number): Uint8Array;
  /**
   * Messages have no check of their own, or none over all that they say: the connection has one, and lets through no byte
   * that is damaged, twice or out of order. What such a byte makes the other side believe does not count.
   */
  reliesOnConnection?: true;
  /** Messages have no check, so one that arrives with other digits is as right; only its answer tells. */
  hasNoCheck?: true;
  /**
   * Whether a message that comes again later is as right as the first time: it asks for another payment, or says of a later
   * question that there is nothing, and has no number that tells it from another. No line says again later what was said.
   */
  isNewAgain?(message: Uint8Array, direction: Direction): boolean;
  /** Messages of this language in forms that its own programs never send. */
  strange?: readonly string[];
}

/** A piece of what is delivered instead of a message. */
type Piece = { bytes: Uint8Array; afterMs?: number } | 'cut';

interface MutationParts {
  random: Random;
  form: MessageForm;
  /** What was sent in this direction before. */
  earlier: readonly Uint8Array[];
}

const LATE_MS = [50, 3_000, 20_000, 200_000];
/** How often a part of a message comes again. */
const COPIES = [10, 100, 3_000];

/** Returns what is delivered instead of a message. `out of order` is done by the line, which has the next one. */
export function mutate(mutation: Mutation, message: Uint8Array, parts: MutationParts): Piece[] {
  const { random, form, earlier } = parts;
  const below = (count: number) => Math.floor(fraction(random) * count);
  const one = <T>(from: readonly T[]) => from[below(from.length)]!;
  const damaged = (change: (bytes: number[]) => void): Piece[] => {
    const bytes = [...message];
    change(bytes);
    return [{ bytes: Uint8Array.from(bytes) }];
  };
  switch (mutation) {
    case 'bits flipped':
      return damaged((bytes) => {
        for (let flips = 1 + below(3); flips > 0; flips -= 1) bytes[below(bytes.length)]! ^= 1 << below(8);
      });
    case 'bytes lost':
      return damaged((bytes) => void bytes.splice(below(bytes.length), 1 + below(4)));
    case 'bytes inserted':
      return damaged((bytes) => void bytes.splice(below(bytes.length + 1), 0, ...random.bytes(1 + below(4))));
    case 'bytes doubled':
      return damaged((bytes) => {
        const at = below(bytes.length);
        bytes.splice(at, 0, ...bytes.slice(at, at + 1 + below(8)));
      });
    case 'cut short':
      return [{ bytes: message.slice(0, below(message.length)) }];
    case 'wrong length':
      return [{ bytes: form.lie?.(message, below) ?? message.slice(0, -1) }];
    case 'wrong check':
      return damaged((bytes) => void (bytes[bytes.length - 1]! ^= 1 + below(255)));
    case 'oversized': {
      const at = below(message.length);
      const part = message.slice(at, at + 1 + below(40));
      const filling = Array.from({ length: one(COPIES) }, () => part);
      return [{ bytes: concat(message.slice(0, at), ...filling, message.slice(at)) }];
    }
    case 'random bytes':
      return [{ bytes: random.bytes(1 + below(below(5) === 0 ? 5_000 : 60)) }];
    case 'lost':
      return [];
    case 'repeated':
      return [{ bytes: message }, { bytes: message }];
    case 'an earlier one first':
      return [{ bytes: earlier.length > 0 ? one(earlier) : message }, { bytes: message }];
    case 'out of order':
      return [{ bytes: message, afterMs: 0 }];
    case 'late':
      return [{ bytes: message, afterMs: one(LATE_MS) }];
    case 'line cut before it':
      return ['cut'];
    case 'line cut within it':
      return [{ bytes: message.slice(0, below(message.length)) }, 'cut'];
    case 'other field':
      return [{ bytes: otherField(message, form, below) }];
  }
}

const OTHERS = ['0', '1', '7', '9', 'A', 'X', ' ', '-', '.', '"', '\u001B', '\u007F'];

/** Changes one to four characters of a message into others, and makes its check right. */
function otherField(
  message: Uint8Array,
  { seal, strange = [] }: MessageForm,
  below: (count: number) => number,
): Uint8Array {
  if (strange.length > 0 && below(3) === 0) return Buffer.from(strange[below(strange.length)]!);
  const bytes = Uint8Array.from(message);
  const at = below(bytes.length);
  for (let index = at; index < Math.min(bytes.length, at + 1 + below(4)); index += 1)
    bytes[index] = OTHERS[below(OTHERS.length)]!.charCodeAt(0);
  return seal?.(bytes) ?? bytes;
}

/** What can become of messages on a connection that lets no damaged byte through. */
const CONNECTION_FAULTS: readonly Mutation[] = ['late', 'line cut before it', 'line cut within it'];

/** The bytes that arrive are others than those that were sent. */
const DAMAGE: readonly Mutation[] = MUTATIONS.slice(0, MUTATIONS.indexOf('lost'));

/** Whether a mutation makes the bytes others. */
export function isDamage(mutation: Mutation): boolean {
  return DAMAGE.includes(mutation);
}

/**
 * Whether nobody can see what was done to a message: it says another thing and is right by its check, or by that of the
 * connection, which such bytes do not get through.
 */
export function isForged(
  mutation: Mutation,
  message: Uint8Array,
  delivered: Piece[],
  { seal, reliesOnConnection }: MessageForm,
): boolean {
  if (mutation === 'other field') return true;
  if (reliesOnConnection) return !CONNECTION_FAULTS.includes(mutation);
  if (!isDamage(mutation) || !seal) return false;
  return delivered.some(
    (piece) => piece !== 'cut' && isWhole(piece.bytes, seal) && !same(piece.bytes, message),
  );
}

/**
 * Whether an earlier message was delivered once more that is as right as the first time. One message to the till that comes
 * again is asked about; where all do, an old result hides each new one.
 */
export function isReplay(
  mutation: Mutation,
  message: Uint8Array,
  [again]: readonly Piece[],
  { form, direction, isOnce }: { form: MessageForm; direction: Direction; isOnce: boolean },
): boolean {
  if (mutation !== 'an earlier one first' || again === undefined || again === 'cut') return false;
  if (same(again.bytes, message) || (direction === 'to the till' && isOnce)) return false;
  return form.isNewAgain?.(again.bytes, direction) ?? false;
}

/** Whether what is delivered differs from a message, or comes at another time. */
export function isStrike(mutation: Mutation, message: Uint8Array, delivered: readonly Piece[]): boolean {
  if (mutation === 'out of order' || delivered.length !== 1) return true;
  const piece = delivered[0]!;
  return piece === 'cut' || (piece.afterMs ?? 0) > 0 || !same(piece.bytes, message);
}

function isWhole(bytes: Uint8Array, seal: (message: Uint8Array) => Uint8Array): boolean {
  return bytes.length > 3 && same(seal(bytes), bytes);
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
