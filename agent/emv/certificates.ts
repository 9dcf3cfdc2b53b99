import { createHash } from 'node:crypto';
import { rsaRecover } from '../../protocol/cryptography/rsa.ts';
import { toHex } from '../../protocol/emv/hex.ts';
import { concat } from '../../protocol/emv/tlv.ts';
import type { DataStore } from './data-store.ts';
import type { PublicKey } from './public-keys.ts';

/**
 * The public keys that a card brings along, each signed by the one above it: authority, issuer, card
 * (EMV 4.4 Book 2 §5.3, §6.4, §7). Undefined wherever a step fails: which one is nobody's business but a test's,
 * the TVR has one bit for all.
 */

const HASH_BYTES = 20;
const TRAILER = 0xbc;
const HEADER = 0x6a;
const SHA_1 = 0x01;
const RSA = 0x01;

const ISSUER_CERTIFICATE = 0x02;
const CARD_CERTIFICATE = 0x04;

/** What is common to recovered data of every format: `6A`, format, content, hash, `BC` (Book 2 Annex A2.1.2). */
interface Recovered {
  format: number;
  /** Between the header and the hash, the format with it. */
  signed: Uint8Array;
  hash: Uint8Array;
}

/** Undoes a signature with the public key of its signer; undefined when it was made by another. */
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

/** Whether the recovered hash is that of what was signed and what goes with it. */
export function hashMatches({ signed, hash }: Recovered, ...rest: Uint8Array[]): boolean {
  return Buffer.compare(sha1(signed, ...rest), hash) === 0;
}

export function sha1(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(
    createHash('sha1')
      .update(concat(...parts))
      .digest(),
  );
}

/** Where a certificate, its exponent and the rest of its key lie in the store. */
interface CertificateTags {
  certificate: string;
  exponent: string;
  remainder: string;
}

const ISSUER_TAGS = { certificate: '90', exponent: '9F32', remainder: '92' };
const CARD_TAGS = { certificate: '9F46', exponent: '9F47', remainder: '9F48' };
const PIN_TAGS = { certificate: '9F2D', exponent: '9F2E', remainder: '9F2F' };

/** The issuer's public key (Book 2 §5.3, Table 6). */
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

/** The card's public key, with the static data that its certificate signs too (Book 2 §6.4, Table 14). */
export function cardPublicKey(
  issuer: PublicKey,
  store: DataStore,
  staticData: Uint8Array,
): PublicKey | undefined {
  return recoverPublicKey({ ...cardCertificate(issuer, store), tags: CARD_TAGS, staticData });
}

/** The key for enciphering a PIN: one of its own, or else the card's (Book 2 §7.1). */
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
  /** How long the name of the key's owner is: issuer identifier or card number, filled with F. */
  subjectBytes: number;
  matchesSubject(subject: string): boolean;
  tags: CertificateTags;
  store: DataStore;
  staticData?: Uint8Array;
}

/** Format, subject, expiry MMYY, serial number, two algorithms, two lengths, then as much of the key as fits. */
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

/** Book 2 §11.1, Annex B2.1: exponents are 3 or 2^16 + 1, and no modulus is shorter than 512 bits. */
function isValidKey(modulus: Uint8Array, exponent: Uint8Array): boolean {
  return modulus.length >= 64 && modulus.length <= 248 && ['03', '010001'].includes(toHex(exponent));
}

/** A certificate is good to the last day of its month. Two-digit years from 50 on are of the last century. */
function isExpired(expiry: string, store: DataStore): boolean {
  if (!/^(0[1-9]|1[0-2])[0-9]{2}$/.test(expiry)) return true;
  const today = toHex(store.need('9A')).slice(0, 4);
  return comparableDate(expiry.slice(2) + expiry.slice(0, 2)) < comparableDate(today);
}

/** YYMM or YYMMDD as digits that can be compared (EMV 4.4 Book 4 §6.7.3). */
export function comparableDate(date: string): string {
  return (Number(date.slice(0, 2)) < 50 ? '20' : '19') + date;
}

/** The card number's digits. */
function panOf(store: DataStore): string {
  return toHex(store.need('5A')).replace(/F+$/, '');
}
