import { Fault } from '../../protocol/failures.ts';
import { fromHex, toHex } from '../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../protocol/emv/tlv.ts';
import type { ChipRequest, EntryMode, MaskedCard } from '../../protocol/messages/card-data.schema.ts';
import { panFrom, track2Of, type TagLookup } from '../emv/data-store.ts';
import type { TransactionProtection } from './card-protection.ts';

/** Tags sent to the issuer in clear: the cryptogram and its input data (EMV 4.4 Book 3 §6.5.5.4). */
const CLEAR_TAGS =
  '9F26 9F27 9F10 9F37 9F36 95 9A 9C 9F02 9F03 5F2A 82 9F1A 9F33 9F34 9F35 84 9F09 9F41 5F34'.split(' ');

/** Tags encrypted for the issuer: PAN, PAN sequence number, track 2 equivalent data. */
const PROTECTED_TAGS = ['5A', '5F34', '57'];

/** Builds the chip data for the issuer. A magnetic stripe has no cryptogram, so its `emv` is empty. */
export function chipRequestFrom(lookup: TagLookup, transaction: TransactionProtection): ChipRequest {
  const plain = encodeTags(lookup, PROTECTED_TAGS);
  const hasCryptogram = lookup('9F26') !== undefined;
  return {
    emv: hasCryptogram ? toHex(encodeTags(lookup, CLEAR_TAGS)) : '',
    cardData: transaction.cardData(plain),
  };
}

function encodeTags(lookup: TagLookup, tags: readonly string[]): Uint8Array {
  const objects = tags.flatMap((tag) => {
    const value = lookup(tag);
    return value ? [encodeTlv(tag, value)] : [];
  });
  return concat(...objects);
}

/**
 * Returns the masked card, with only BIN and last four of the number.
 * @throws Fault `reader` when number or expiry are missing, or the scheme is not supported.
 */
export function maskedCardFrom(lookup: TagLookup, entryMode: EntryMode): MaskedCard {
  const pan = panFrom(lookup);
  const [year, month] = expiryFrom(lookup);
  const aid = lookup('84') ?? lookup('4F') ?? lookup('9F06');
  const label = lookup('50');
  return {
    scheme: schemeOf(pan),
    bin: pan.slice(0, 6),
    last4: pan.slice(-4),
    expiryMonth: month,
    expiryYear: `20${year}`,
    entryMode,
    ...(label && { applicationLabel: labelText(label) }),
    ...(aid && aid.length >= 5 && aid.length <= 16 && { aid: toHex(aid) }),
  };
}

/** Returns year and month, two digits each, from 5F24 or track 2. */
function expiryFrom(lookup: TagLookup): [string, string] {
  const date = lookup('5F24');
  const digits = date ? toHex(date) : track2Of(lookup)?.expiry;
  const [, year, month] = /^([0-9]{2})(0[1-9]|1[0-2])/.exec(digits ?? '') ?? [];
  if (!year || !month) throw new Fault('reader', 'the card gave no expiry date');
  return [year, month];
}

/** Returns the scheme by the prefix of a card number (ISO/IEC 7812-1). */
function schemeOf(pan: string): MaskedCard['scheme'] {
  if (pan.startsWith('4')) return 'Visa';
  if (/^(5[1-5]|2[2-7])/.test(pan)) return 'Mastercard';
  if (/^3[47]/.test(pan)) return 'Amex';
  throw new Fault('reader', 'the card is of a scheme that is not taken');
}

/** Decodes tag 50 (EMV 4.4 Book 3 Annex A): 1 to 16 characters of ISO/IEC 8859, without non-printable ones. */
function labelText(label: Uint8Array): string {
  return Buffer.from(label)
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 16);
}

/**
 * Returns a lookup for a swiped card, from track 2 as text (`;number=YYMM...?`, sentinels optional).
 * @throws Fault `reader` when it is not track 2 of a payment card (ISO/IEC 7813).
 */
export function lookupInTrack2(track2: string): TagLookup {
  const [, pan, rest] = /^;?([0-9]{12,19})=([0-9]{4,24})\??/.exec(track2) ?? [];
  if (!pan || !rest) throw new Fault('reader', 'the stripe could not be read');
  const digits = `${pan}D${rest}`;
  const equivalent = fromHex(digits.length % 2 === 0 ? digits : `${digits}F`);
  return (tag) => (tag === '57' ? equivalent : undefined);
}
