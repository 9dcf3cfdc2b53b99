import { createCipheriv, createDecipheriv, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../../protocol/ids.ts';

/** What till and terminal have agreed upon, to encrypt their messages. */
export interface SharedKey {
  passphrase: string;
  identifier: string;
  version: number;
}

/** Keys that the passphrase gives. */
interface DerivedKeys {
  hmac: Buffer;
  cipher: Buffer;
  iv: Buffer;
}

/** Text that a message holds in place of its body. */
export interface EncryptedPart {
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
const CIPHER = 'aes-256-cbc';
const IV_BYTES = 16;
const [HMAC_END, CIPHER_END, KEY_BYTES] = [32, 64, 80];
const CRYPTO_VERSION = 1;

/** Derives the keys by PBKDF2 with SHA-1. */
export function deriveKeys(passphrase: string): DerivedKeys {
  const bytes = pbkdf2Sync(passphrase, SALT, ROUNDS, KEY_BYTES, 'sha1');
  return {
    hmac: bytes.subarray(0, HMAC_END),
    cipher: bytes.subarray(HMAC_END, CIPHER_END),
    iv: bytes.subarray(CIPHER_END),
  };
}

/** Derived keys, each while its setting lasts: deriving them takes longer than all else about a message. */
const derived = new WeakMap<SharedKey, DerivedKeys>();

function keysOf(key: SharedKey): DerivedKeys {
  const keys = derived.get(key) ?? deriveKeys(key.passphrase);
  derived.set(key, keys);
  return keys;
}

const mixed = (iv: Buffer, nonce: Uint8Array): Buffer =>
  Buffer.from(iv.map((byte, index) => byte ^ nonce[index]!));

/** Encrypts a whole clear message. The HMAC is over the clear text. */
export function encryptText(text: string, key: SharedKey, random: Random): EncryptedPart {
  const { hmac, cipher, iv } = keysOf(key);
  const nonce = random.bytes(IV_BYTES);
  const encrypt = createCipheriv(CIPHER, cipher, mixed(iv, nonce));
  const blob = Buffer.concat([encrypt.update(text, 'utf8'), encrypt.final()]);
  return {
    NexoBlob: blob.toString('base64'),
    SecurityTrailer: {
      AdyenCryptoVersion: CRYPTO_VERSION,
      KeyIdentifier: key.identifier,
      KeyVersion: key.version,
      Nonce: Buffer.from(nonce).toString('base64'),
      Hmac: createHmac('sha256', hmac).update(text, 'utf8').digest('base64'),
    },
  };
}

/** The clear text, or which rule is broken: the key is another one (9), or nothing can be decrypted (3). */
export function decryptText(
  { NexoBlob, SecurityTrailer: trailer }: EncryptedPart,
  key: SharedKey,
): { text: string } | { problem: string; code: 3 | 9 } {
  if (trailer.AdyenCryptoVersion !== CRYPTO_VERSION)
    return { problem: 'SecurityTrailer, field AdyenCryptoVersion: 1 is expected', code: 3 };
  if (trailer.KeyIdentifier !== key.identifier || trailer.KeyVersion !== key.version)
    return { problem: 'SecurityTrailer, fields KeyIdentifier and KeyVersion: no such key is set', code: 9 };
  const nonce = Buffer.from(trailer.Nonce, 'base64');
  if (nonce.length !== IV_BYTES)
    return { problem: 'SecurityTrailer, field Nonce: sixteen bytes are expected', code: 3 };
  const { hmac, cipher, iv } = keysOf(key);
  const clear = decrypted(Buffer.from(NexoBlob, 'base64'), cipher, mixed(iv, nonce));
  if (!clear) return { problem: 'field NexoBlob: it cannot be decrypted with this passphrase', code: 3 };
  const expected = createHmac('sha256', hmac).update(clear).digest();
  const came = Buffer.from(trailer.Hmac, 'base64');
  if (came.length !== expected.length || !timingSafeEqual(came, expected))
    return { problem: 'SecurityTrailer, field Hmac: it is not that of the message', code: 3 };
  return { text: clear.toString('utf8') };
}

function decrypted(blob: Buffer, key: Buffer, iv: Buffer): Buffer | undefined {
  try {
    const decrypt = createDecipheriv(CIPHER, key, iv);
    return Buffer.concat([decrypt.update(blob), decrypt.final()]);
  } catch {
    // Another passphrase ends in wrong padding.
    return undefined;
  }
}
