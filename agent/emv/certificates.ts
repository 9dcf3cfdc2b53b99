import { createHash } from 'node:crypto';
import { rsaRecover } from '../../protocol/cryptography/rsa.ts';
import { toHex } from '../../protocol/emv/hex.ts';
import { concat } from '../../protocol/emv/tlv.ts';
import type { DataStore } from './data-store.ts';
import type { PublicKey } from './public-keys.ts';

/**
 * Recovery of the public keys on a card, each signed by the one above it: certification authority, issuer, card
 * (EMV 4.4 Book 2 §5.3, §6.4, §7). Returns undefined whichever step fails, because the TVR has one bit for all.
 */

const HASH_BYTES = 20;
const TRAILER = 0xbc;
const HEADER = 0x6a;
const SHA_1 = 0x01;
const RSA = 0x01;

const ISSUER_CERTIFICATE = 0x02;
const CARD_CERTIFICATE = 0x04;

/** Recovered data: header `6A`, format, content, hash, trailer `BC` (Book 2 Annex A2.1.2). */
interface Recovered {
  format: number;
  /** Format and content. */
  signed: Uint8Array;
  hash: Uint8Array;
}

/** Recovers the data of a signature with the signer's public key; undefined when it was made with another key. */
export function recover(key: PublicKey, signature: Uint8Array, format: number): Recovered | undefined {
  if (signature.length !== key.modulus.length) return undefined;
  let block: Uint8Array;
  try {
    block = rsaRecover(key.modulus, key.exponent, signature);
  } catch {
    return undefined;
  }
  if (block.length < HASH_BYTES + 3 || block[0] !== HEADER || block.at(-1) !== TRAILER) return undefined;
  if (block[1] !== format) return undefined;
  return { format, signed: block.slice(1, -1 - HASH_BYTES), hash: block.slice(-1 - HASH_BYTES, -1) };
}

/** Returns whether the recovered hash matches the signed data and `rest`, which is signed but not recovered. */
export function hashMatches({ signed, hash }: Recovered, ...rest: Uint8Array[]): boolean {
  return Buffer.compare(sha1(signed, ...rest), hash) === 0;
}

/** Returns the SHA-1 hash of the joined parts. */
export function sha1(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(
    createHash('sha1')
      .update(concat(...parts))
      .digest(),
  );
}

/** Tags of a certificate, its exponent and the remainder of its key. */
interface CertificateTags {
  certificate: string;
  exponent: string;
  remainder: string;
}

const ISSUER_TAGS = { certificate: '90', exponent: '9F32', remainder: '92' };
const CARD_TAGS = { certificate: '9F46', exponent: '9F47', remainder: '9F48' };
const PIN_TAGS = { certificate: '9F2D', exponent: '9F2E', remainder: '9F2F' };

/** Recovers the issuer public key (Book 2 §5.3, Table 6). */
export function issuerPublicKey(authority: PublicKey, store: DataStore): PublicKey | undefined {
  const pan = panOf(store);
  const isOfIssuer = (identifier: string) => pan.startsWith(identifier.replace(/F+$/, ''));
  return recoverPublicKey({
    signer: authority,
    format: ISSUER_CERTIFICATE,
    subjectBytes: 4,
    matchesSubject: (identifier) => /^[0-9]{3,8}F*$/.test(identifier) && isOfIssuer(identifier),
    tags: ISSUER_TAGS,
    store,
  });
}

/** Recovers the ICC public key. Its certificate also signs the static data (Book 2 §6.4, Table 14). */
export function cardPublicKey(
  issuer: PublicKey,
  store: DataStore,
  staticData: Uint8Array,
): PublicKey | undefined {
  return recoverPublicKey({ ...cardCertificate(issuer, store), tags: CARD_TAGS, staticData });
}

/** Recovers the ICC PIN encipherment public key, or the ICC public key when the card has none (Book 2 §7.1). */
export function pinPublicKey(
  issuer: PublicKey,
  store: DataStore,
  staticData: Uint8Array,
): PublicKey | undefined {
  if (!store.get(PIN_TAGS.certificate)) return cardPublicKey(issuer, store, staticData);
  return recoverPublicKey({ ...cardCertificate(issuer, store), tags: PIN_TAGS });
}

function cardCertificate(signer: PublicKey, store: DataStore) {
  const pan = panOf(store);
  const matchesSubject = (subject: string) => subject.replace(/F+$/, '') === pan;
  return { signer, format: CARD_CERTIFICATE, subjectBytes: 10, matchesSubject, store };
}

interface CertificateParts {
  signer: PublicKey;
  format: number;
  /** Length of the subject: issuer identifier or PAN, padded with F. */
  subjectBytes: number;
  matchesSubject(subject: string): boolean;
  tags: CertificateTags;
  store: DataStore;
  staticData?: Uint8Array;
}

/**
 * The certificate has format, subject, expiry MMYY, serial number, two algorithms, two lengths, leftmost key
 * digits.
 */
function recoverPublicKey(parts: CertificateParts): PublicKey | undefined {
  const { signer, format, subjectBytes, matchesSubject, tags, store, staticData = new Uint8Array(0) } = parts;
  const [certificate, exponent] = [store.get(tags.certificate), store.get(tags.exponent)];
  if (!certificate || !exponent) return undefined;
  const recovered = recover(signer, certificate, format);
  if (!recovered) return undefined;
  const { signed } = recovered;
  const keyAt = subjectBytes + 10;
  const remainder = store.get(tags.remainder) ?? new Uint8Array(0);
  if (signed.length <= keyAt || !hashMatches(recovered, remainder, exponent, staticData)) return undefined;

  const subject = toHex(signed.subarray(1, 1 + subjectBytes));
  const expiry = toHex(signed.subarray(1 + subjectBytes, 3 + subjectBytes));
  const [hashAlgorithm, algorithm, modulusBytes, exponentBytes] = signed.subarray(keyAt - 4, keyAt);
  const fits = hashAlgorithm === SHA_1 && algorithm === RSA && exponentBytes === exponent.length;
  if (!fits || !matchesSubject(subject) || isExpired(expiry, store)) return undefined;

  const inside = signed.subarray(keyAt);
  const modulus = concat(inside.subarray(0, modulusBytes), remainder);
  return modulus.length === modulusBytes && isValidKey(modulus, exponent) ? { modulus, exponent } : undefined;
}

/** The exponent is 3 or 2^16 + 1, the modulus at least 512 bits (Book 2 §11.1, Annex B2.1). */
function isValidKey(modulus: Uint8Array, exponent: Uint8Array): boolean {
  return modulus.length >= 64 && modulus.length <= 248 && ['03', '010001'].includes(toHex(exponent));
}

/** A certificate is valid until the last day of its month. */
function isExpired(expiry: string, store: DataStore): boolean {
  if (!/^(0[1-9]|1[0-2])[0-9]{2}$/.test(expiry)) return true;
  const today = toHex(store.need('9A')).slice(0, 4);
  return comparableDate(expiry.slice(2) + expiry.slice(0, 2)) < comparableDate(today);
}

/** Adds the century to YYMM or YYMMDD; years from 50 are 19xx (EMV 4.4 Book 4 §6.7.3). */
export function comparableDate(date: string): string {
  return (Number(date.slice(0, 2)) < 50 ? '20' : '19') + date;
}

/** Returns the digits of the PAN. */
function panOf(store: DataStore): string {
  return toHex(store.need('5A')).replace(/F+$/, '');
}
