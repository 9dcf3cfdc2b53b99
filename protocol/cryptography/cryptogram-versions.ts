import { concat } from '../emv/tlv.ts';
import { Fault } from '../failures.ts';
import { macAlgorithm3, tdesEncrypt, xor, type Padding } from './block-ciphers.ts';
import { sessionKeyOf } from './card-keys.ts';

/**
 * Computes an ARQC, TC or AAC: the MAC over the transaction data of card and terminal (EMV 4.4 Book 2 §8.1). 8 bytes.
 */
export function applicationCryptogram(
  key16: Uint8Array,
  data: Uint8Array,
  padding: Padding,
): Uint8Array<ArrayBuffer> {
  return macAlgorithm3(key16, data, padding);
}

/** Computes an ARPC by method 1: the encrypted XOR of cryptogram and response code (Book 2 §8.2.1). 8 bytes. */
export function arpcMethod1(key16: Uint8Array, arqc: Uint8Array, arc: Uint8Array): Uint8Array<ArrayBuffer> {
  return tdesEncrypt(key16, xor(arqc, concat(arc, new Uint8Array(6))));
}

/**
 * Computes an ARPC by method 2: a MAC over cryptogram, card status update and proprietary data (Book 2 §8.2.2). 4
 * bytes.
 */
export function arpcMethod2(
  key16: Uint8Array,
  arqc: Uint8Array,
  csu: Uint8Array,
  proprietary: Uint8Array = new Uint8Array(0),
): Uint8Array<ArrayBuffer> {
  return macAlgorithm3(key16, concat(arqc, csu, proprietary), '80').slice(0, 4);
}

export type CardScheme = 'Visa' | 'Mastercard' | 'Amex';
export type CryptogramVersionName = 'visa-10' | 'visa-18' | 'mastercard-14' | 'amex-01';
/** The value of a data object by its tag, such as `9F02`. */
export type TagLookup = (tag: string) => Uint8Array | undefined;

/** How a cryptogram version of a network computes its cryptograms. */
interface CryptogramVersion {
  name: CryptogramVersionName;
  scheme: CardScheme;
  /** The number in the issuer application data (tag 9F10). */
  number: number;
  /** Whether the card key or a session key signs (EMV 4.4 Book 2 Annex A1.3.1). */
  key: 'card' | 'session';
  padding: Padding;
  /** EMV 4.4 Book 2 §8.2. */
  arpcMethod: 1 | 2;
  /** Which part of the issuer application data is signed: all of it, or only the card verification results. */
  signs: 'cvr' | 'iad';
}

/**
 * Layout of the issuer application data. Visa and Amex: length, key index, version, then 4 bytes of card verification
 * results. Mastercard: key index, version, then 6 bytes of them.
 */
const IAD: Record<CardScheme, { versionAt: number; cvr: [start: number, end: number] }> = {
  Visa: { versionAt: 2, cvr: [3, 7] },
  Mastercard: { versionAt: 1, cvr: [2, 8] },
  Amex: { versionAt: 2, cvr: [3, 7] },
};

const ROWS: CryptogramVersion[] = [
  {
    name: 'visa-10',
    scheme: 'Visa',
    number: 0x0a,
    key: 'card',
    padding: 'zeros',
    arpcMethod: 1,
    signs: 'cvr',
  },
  {
    name: 'visa-18',
    scheme: 'Visa',
    number: 0x12,
    key: 'session',
    padding: '80',
    arpcMethod: 2,
    signs: 'iad',
  },
  {
    name: 'mastercard-14',
    scheme: 'Mastercard',
    number: 0x14,
    key: 'session',
    padding: '80',
    arpcMethod: 1,
    signs: 'cvr',
  },
  {
    name: 'amex-01',
    scheme: 'Amex',
    number: 0x01,
    key: 'card',
    padding: 'zeros',
    arpcMethod: 1,
    signs: 'cvr',
  },
];

export const CRYPTOGRAM_VERSIONS = Object.fromEntries(ROWS.map((row) => [row.name, row])) as Record<
  CryptogramVersionName,
  CryptogramVersion
>;

/** Returns the version that issuer application data (tag 9F10) names; undefined when it is not in the table. */
export function cryptogramVersionOf(scheme: CardScheme, iad: Uint8Array): CryptogramVersionName | undefined {
  const number = iad[IAD[scheme].versionAt];
  return ROWS.find((one) => one.scheme === scheme && one.number === number)?.name;
}

/** Returns the card verification results inside issuer application data. */
function cardVerificationResults(scheme: CardScheme, iad: Uint8Array): Uint8Array {
  return iad.subarray(...IAD[scheme].cvr);
}

/**
 * The data that every version signs first, with lengths: amount and other amount, country, TVR, currency, date, type,
 * unpredictable number, AIP, ATC (EMV 4.4 Book 2 §8.1.1, recommended minimum).
 */
const SIGNED: [tag: string, bytes: number][] = [
  ['9F02', 6],
  ['9F03', 6],
  ['9F1A', 2],
  ['95', 5],
  ['5F2A', 2],
  ['9A', 3],
  ['9C', 1],
  ['9F37', 4],
  ['82', 2],
  ['9F36', 2],
];

/**
 * Returns the data that a cryptogram is computed over; the card and the issuer use the same.
 * @throws Fault `garbage_message`, naming the tag, when one is missing or of the wrong length.
 */
export function cryptogramInput(version: CryptogramVersionName, lookup: TagLookup): Uint8Array<ArrayBuffer> {
  const { scheme, signs } = CRYPTOGRAM_VERSIONS[version];
  const parts = SIGNED.map(([tag, bytes]) => {
    const value = lookup(tag);
    if (value?.length !== bytes)
      throw new Fault('garbage_message', `tag ${tag} is missing or not of ${bytes} bytes`);
    return value;
  });
  const iad = lookup('9F10');
  if (!iad || iad.length < IAD[scheme].cvr[1])
    throw new Fault('garbage_message', 'tag 9F10 is missing or too short');
  return concat(...parts, signs === 'iad' ? iad : cardVerificationResults(scheme, iad));
}

/** Returns the key of a transaction's cryptograms. `atc` has 2 bytes. */
export function cryptogramKey(
  version: CryptogramVersionName,
  cardKey: Uint8Array,
  atc: Uint8Array,
): Uint8Array {
  return CRYPTOGRAM_VERSIONS[version].key === 'card' ? cardKey : sessionKeyOf(cardKey, atc);
}

/** Computes the cryptogram of a transaction. `key` comes from `cryptogramKey`. @throws as `cryptogramInput`. */
export function cryptogramOf(
  version: CryptogramVersionName,
  key: Uint8Array,
  lookup: TagLookup,
): Uint8Array<ArrayBuffer> {
  return applicationCryptogram(key, cryptogramInput(version, lookup), CRYPTOGRAM_VERSIONS[version].padding);
}

/**
 * Returns the issuer authentication data (tag 91) for a cryptogram: for method 1 the ARPC and the response code `arc`
 * (2 bytes), for method 2 the ARPC and the card status update `csu` (4 bytes).
 */
export function issuerAuthenticationData(
  version: CryptogramVersionName,
  key: Uint8Array,
  answer: { arqc: Uint8Array; arc: Uint8Array; csu: Uint8Array },
): Uint8Array<ArrayBuffer> {
  const { arqc, arc, csu } = answer;
  return CRYPTOGRAM_VERSIONS[version].arpcMethod === 1
    ? concat(arpcMethod1(key, arqc, arc), arc)
    : concat(arpcMethod2(key, arqc, csu), csu);
}
