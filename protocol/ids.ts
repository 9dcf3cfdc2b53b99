import { createHash, randomBytes } from 'node:crypto';
import { decodeTime, encodeTime, monotonicFactory } from 'ulid';
import type { Clock } from './clock.ts';

/** Source of random bytes: the system, or a seed for reproducible runs. */
export interface Random {
  bytes(count: number): Uint8Array;
}

// Bytes are fetched in bulk, because each system call costs more than the bytes: a ULID takes a hundred, a few at a
// time.
const POOL_BYTES = 4096;

/** Random bytes from the system. Each byte is returned once. */
export const systemRandom: Random = pooled((count) => randomBytes(count));

function pooled(source: (count: number) => Uint8Array<ArrayBuffer>): Random {
  let pool = new Uint8Array(0);
  return {
    bytes(count) {
      if (pool.length < count) pool = source(Math.max(count, POOL_BYTES));
      const bytes = pool.subarray(0, count);
      pool = pool.subarray(count);
      return bytes;
    },
  };
}

/** Creates pseudo-random bytes from a seed, by hashing a counter. The same on every machine. */
export function seededRandom(seed: string): Random {
  let counter = 0;
  let pool = Buffer.alloc(0);
  return {
    bytes(count) {
      while (pool.length < count) {
        pool = Buffer.concat([pool, createHash('sha256').update(`${seed}:${counter++}`).digest()]);
      }
      const bytes = pool.subarray(0, count);
      pool = pool.subarray(count);
      return bytes;
    },
  };
}

/** Returns a number in [0, 1) with 48 bits of randomness. */
export function fraction(random: Random): number {
  let value = 0;
  for (const byte of random.bytes(6)) value = value * 256 + byte;
  return value / 2 ** 48;
}

const ULID = '[0-7][0-9A-HJKMNP-TV-Z]{25}';
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Prefix and form of every kind of id (Spec §2.1); `request` is of this server. */
export const ID_FORMS = {
  account: { prefix: 'ac_', form: 'uuid' },
  accountLink: { prefix: 'al_', form: 'ulid' },
  action: { prefix: 'tmlact_', form: 'ulidPair' },
  balanceTransaction: { prefix: 'bltxn_', form: 'ulid' },
  conversion: { prefix: 'cv_', form: 'ulid' },
  customer: { prefix: 'cus_', form: 'ulid' },
  dispute: { prefix: 'dsp_', form: 'ulid' },
  event: { prefix: 'ev_', form: 'ulid' },
  file: { prefix: 'fl_', form: 'ulid' },
  location: { prefix: 'iploc_', form: 'ulid' },
  order: { prefix: 'ipord_', form: 'ulid' },
  paymentMethod: { prefix: 'pmt_', form: 'ulid' },
  paymentSession: { prefix: 'ps_', form: 'ulid' },
  payout: { prefix: 'po_', form: 'ulid' },
  payoutMethod: { prefix: 'pm_', form: 'ulid' },
  person: { prefix: 'per_', form: 'ulid' },
  platformFee: { prefix: 'pf_', form: 'ulid' },
  platformFeeRefund: { prefix: 'fr_', form: 'ulidPair' },
  product: { prefix: 'ippd_', form: 'ulid' },
  request: { prefix: 'req_', form: 'ulid' },
  shippingMethod: { prefix: 'ipsm_', form: 'ulid' },
  sku: { prefix: 'ipsku_', form: 'ulid' },
  split: { prefix: 'sp_', form: 'ulid' },
  subscription: { prefix: 'sub_', form: 'ulid' },
  terminal: { prefix: 'tml_', form: 'ulid' },
  transaction: { prefix: 'txn_', form: 'ulidPair' },
  transfer: { prefix: 'tfr_', form: 'ulid' },
  walletDomain: { prefix: 'apwd_', form: 'ulid' },
  webhook: { prefix: 'wh_', form: 'uuid' },
  webhookSecret: { prefix: 'whs_', form: 'uuid' },
} as const;

export type IdKind = keyof typeof ID_FORMS;

const BODIES = { ulid: ULID, ulidPair: `${ULID}_${ULID}`, uuid: UUID };

/** Returns the anchored JSON Schema pattern of an id kind. */
export function idPattern(kind: IdKind): string {
  const { prefix, form } = ID_FORMS[kind];
  return `^${prefix}${BODIES[form]}$`;
}

const EXAMPLE_ULID = '01JGXDFAM0Y2QZJP0SHDFV20F9';
const EXAMPLE_UUID = '3f1c1c6e-7a0b-4a53-9a55-6a8a2f5a9c11';

/** Returns the id of a kind that documents show as its example. */
export function exampleId(kind: IdKind): string {
  const { prefix, form } = ID_FORMS[kind];
  const bodies = { ulid: EXAMPLE_ULID, ulidPair: `${EXAMPLE_ULID}_${EXAMPLE_ULID}`, uuid: EXAMPLE_UUID };
  return prefix + bodies[form];
}

/** Returns a pattern that finds ids of every kind in a text, also inside longer words, and UUIDs without a prefix. */
export function idsInText(): RegExp {
  return new RegExp(`(?:\\b[a-z]+_)?(?:${ULID}(?:_${ULID})?|${UUID})`, 'g');
}

const WHOLE_IDS = [
  ...Object.values(ID_FORMS).map(({ prefix, form }) => `(?<!_)${prefix}${BODIES[form]}`),
  UUID,
].join('|');

/**
 * Returns a pattern that finds whole ids in a text: of a kind in `ID_FORMS`, or a UUID. It finds none inside a longer
 * word, which may be data of a card: digits and letters have the form of a ULID.
 */
export function wholeIdsInText(): RegExp {
  return new RegExp(`(?<![0-9A-Za-z-])(?:${WHOLE_IDS})(?![0-9A-Za-z-])`, 'g');
}

const ONE_ULID = new RegExp(`^[a-z]+_(${ULID})$`);

/** Returns when an id with one ULID was created, epoch milliseconds; undefined for any other text. */
export function createdMsOf(id: string): number | undefined {
  const ulid = ONE_ULID.exec(id)?.[1];
  return ulid === undefined ? undefined : decodeTime(ulid);
}

/** Returns the lowest id of a kind with one ULID that can be created at an instant, epoch milliseconds. */
export function firstIdOf(kind: IdKind, atMs: number): string {
  return `${ID_FORMS[kind].prefix}${encodeTime(atMs, 10)}${'0'.repeat(16)}`;
}

export interface Ids {
  /** Creates an id. ULIDs of one process sort in creation order. */
  make(kind: IdKind): string;
  /** Creates a lower-case UUID, version 4. */
  uuid(): string;
  /** Creates a secret of `bytes` random bytes in base64url. */
  secret(bytes: number): string;
}

export function createIds(clock: Clock, random: Random): Ids {
  const nextUlid = monotonicFactory(() => fraction(random));
  const ulid = () => nextUlid(clock.nowMs());
  const uuid = () => {
    const bytes = Buffer.from(random.bytes(16));
    bytes[6] = (bytes[6]! & 0x0f) | 0x40; // RFC 9562 §5.4: version 4
    bytes[8] = (bytes[8]! & 0x3f) | 0x80; // and its variant
    const hex = bytes.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  };
  return {
    make(kind) {
      const { prefix, form } = ID_FORMS[kind];
      const body = { ulid, ulidPair: () => `${ulid()}_${ulid()}`, uuid }[form];
      return prefix + body();
    },
    uuid,
    secret: (bytes) => Buffer.from(random.bytes(bytes)).toString('base64url'),
  };
}
