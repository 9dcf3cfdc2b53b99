import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { Random } from '../../../../protocol/ids.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A request with an idempotency key, as far as a repetition of it has to be the same. */
interface KeyedRequest {
  /** The header `Idempotency-Key`. */
  key: string;
  accountId: string;
  /** The kind of the API key: what it shows differs. */
  keyKind: string;
  /** Path with its query. */
  path: string;
  content: string;
}

/** Identifies a keyed request, and holds no text of it. */
export interface RequestDigests {
  /** Identifies the key of an account. */
  keyDigest: string;
  /** The same for the same request. */
  requestDigest: string;
}

/** What the store and the answer to a keyed request need of it. */
export interface KeyedDigests extends RequestDigests {
  /** Encrypts the answer, and cannot be derived without the client's key. */
  answerKey: Buffer;
}

/**
 * Derives the digests of a request from a secret that all servers on a store share, so that the store contains neither
 * the client's key nor its body, and reading it reveals no answer.
 */
export function digestsOf(secret: string, request: KeyedRequest): KeyedDigests {
  const { key, accountId, keyKind, path, content } = request;
  const digest = (purpose: string, ...parts: string[]) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([`idempotency ${purpose}`, ...parts]))
      .digest();
  return {
    keyDigest: digest('key', accountId, key).toString('base64url'),
    requestDigest: digest('request', keyKind, path, content).toString('base64url'),
    answerKey: digest('answer', accountId, key),
  };
}

/** Encrypts the text of an answer, with AES-256 in GCM. */
export function sealAnswer(text: string, { answerKey }: KeyedDigests, random: Random): string {
  const iv = Buffer.from(random.bytes(IV_BYTES));
  const cipher = createCipheriv(CIPHER, answerKey, iv);
  const sealed = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString('base64url');
}

/** Decrypts what `sealAnswer` returned. @throws when it was changed */
export function openAnswer(sealed: string, { answerKey }: KeyedDigests): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(CIPHER, answerKey, bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const text = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
  return Buffer.concat(text).toString('utf8');
}
