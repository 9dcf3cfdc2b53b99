import { createCipheriv, createDecipheriv, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import { Fault } from '../../../protocol/failures.ts';

/** The key that till and terminal share, as it is set at the acquirer. The passphrase is a secret. */
export interface NexoKey {
  passphrase: string;
  identifier: string;
  version: number;
}

/** An encrypted message, without its header. */
export interface SealedMessage {
  NexoBlob: string;
  SecurityTrailer: {
    AdyenCryptoVersion: number;
    KeyIdentifier: string;
    KeyVersion: number;
    Nonce: string;
    Hmac: string;
  };
}

const SALT = 'AdyenNexoV1Salt';
const ROUNDS = 4_000;
const [HMAC_BYTES, KEY_BYTES, IV_BYTES] = [32, 32, 16];
export const NONCE_BYTES = 16;

/** Keys that are derived from a passphrase. */
export interface NexoKeys {
  hmacKey: Buffer;
  cipherKey: Buffer;
  iv: Buffer;
}

/** Derives the keys of a passphrase (PBKDF2). It takes milliseconds, so keep them. */
export function deriveKeys(passphrase: string): NexoKeys {
  const material = pbkdf2Sync(passphrase, SALT, ROUNDS, HMAC_BYTES + KEY_BYTES + IV_BYTES, 'sha1');
  return {
    hmacKey: material.subarray(0, HMAC_BYTES),
    cipherKey: material.subarray(HMAC_BYTES, HMAC_BYTES + KEY_BYTES),
    iv: material.subarray(HMAC_BYTES + KEY_BYTES),
  };
}

/** Returns the initialisation vector of one message. */
function ivOf({ iv }: NexoKeys, nonce: Uint8Array): Buffer {
  return Buffer.from(iv.map((byte, index) => byte ^ nonce[index]!));
}

/** Encrypts a whole message, its header included (AES-256-CBC), with a code over the plain text (HMAC-SHA256). */
export function sealMessage(text: string, key: NexoKey, keys: NexoKeys, nonce: Uint8Array): SealedMessage {
  const cipher = createCipheriv('aes-256-cbc', keys.cipherKey, ivOf(keys, nonce));
  return {
    NexoBlob: Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64'),
    SecurityTrailer: {
      AdyenCryptoVersion: 1,
      KeyIdentifier: key.identifier,
      KeyVersion: key.version,
      Nonce: Buffer.from(nonce).toString('base64'),
      Hmac: codeOver(text, keys).toString('base64'),
    },
  };
}

/** Decrypts a message. @throws Fault `reader` for another key, and for a message that is not whole. */
export function openMessage(
  { NexoBlob, SecurityTrailer }: SealedMessage,
  key: NexoKey,
  keys: NexoKeys,
): string {
  const { KeyIdentifier, KeyVersion, Nonce, Hmac } = SecurityTrailer;
  if (KeyIdentifier !== key.identifier || KeyVersion !== key.version)
    throw new Fault('reader', 'SecurityTrailer: KeyIdentifier and KeyVersion are those of another key');
  const nonce = Buffer.from(Nonce, 'base64');
  if (nonce.length !== NONCE_BYTES)
    throw new Fault('reader', `SecurityTrailer: Nonce has ${NONCE_BYTES} bytes`);
  const text = decrypt(NexoBlob, keys, nonce);
  const code = Buffer.from(Hmac, 'base64');
  const expected = codeOver(text, keys);
  if (code.length !== expected.length || !timingSafeEqual(code, expected))
    throw new Fault('reader', 'SecurityTrailer: Hmac is not that of the message');
  return text;
}

function decrypt(blob: string, keys: NexoKeys, nonce: Uint8Array): string {
  try {
    const cipher = createDecipheriv('aes-256-cbc', keys.cipherKey, ivOf(keys, nonce));
    return Buffer.concat([cipher.update(blob, 'base64'), cipher.final()]).toString('utf8');
  } catch (error) {
    throw new Fault('reader', 'NexoBlob: it cannot be decrypted with this passphrase', { cause: error });
  }
}

function codeOver(text: string, { hmacKey }: NexoKeys): Buffer {
  return createHmac('sha256', hmacKey).update(text, 'utf8').digest();
}
