import { constants, createPrivateKey, createPublicKey, privateEncrypt, publicEncrypt } from 'node:crypto';
import { Fault } from '../failures.ts';
import { fromHex } from '../emv/hex.ts';

/** An RSA key of a test authority, issuer or card; all numbers in hexadecimal. */
export interface RsaPrivateKey {
  modulus: string;
  exponent: string;
  privateExponent: string;
  primes: [string, string];
}

/**
 * Applies the RSA public key operation without padding (EMV 4.4 Book 2 Annex B2.1). The result is as long as the
 * modulus.
 * @throws Fault `garbage_message` when the block is not as long as the modulus, or not smaller than it.
 */
export function rsaRecover(
  modulus: Uint8Array,
  exponent: Uint8Array,
  block: Uint8Array,
): Uint8Array<ArrayBuffer> {
  if (block.length !== modulus.length) throw new Fault('garbage_message', 'not as long as the RSA modulus');
  try {
    const jwk = { kty: 'RSA', n: base64url(modulus), e: base64url(exponent) };
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return Uint8Array.from(publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, block));
  } catch (error) {
    throw new Fault('garbage_message', 'the RSA operation is not possible with this key', { cause: error });
  }
}

/**
 * Applies the RSA private key operation without padding, for signatures of a simulated authority, issuer or card.
 * @throws Fault `internal` when the block is not as long as the modulus, or not smaller than it.
 */
export function rsaSign(key: RsaPrivateKey, block: Uint8Array): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(privateEncrypt({ key: keyObject(key), padding: constants.RSA_NO_PADDING }, block));
  } catch (error) {
    throw new Fault('internal', 'the RSA operation is not possible with this key', { cause: error });
  }
}

/** Computes the CRT parameters from the primes (RFC 8017 §3.2). */
function keyObject({ modulus, exponent, privateExponent, primes }: RsaPrivateKey) {
  const [p, q] = primes.map((prime) => BigInt(`0x${prime}`)) as [bigint, bigint];
  const d = BigInt(`0x${privateExponent}`);
  const number = (value: bigint) => base64url(fromHex(evenHex(value.toString(16))));
  const jwk = {
    kty: 'RSA',
    n: base64url(fromHex(modulus)),
    e: base64url(fromHex(exponent)),
    d: number(d),
    p: number(p),
    q: number(q),
    dp: number(d % (p - 1n)),
    dq: number(d % (q - 1n)),
    qi: number(inverse(q, p)),
  };
  return createPrivateKey({ key: jwk, format: 'jwk' });
}

/** Returns the inverse of `value` modulo `modulus` (extended Euclidean algorithm). */
function inverse(value: bigint, modulus: bigint): bigint {
  let [r, next] = [modulus, value % modulus];
  let [t, nextT] = [0n, 1n];
  while (next !== 0n) {
    const quotient = r / next;
    [r, next] = [next, r - quotient * next];
    [t, nextT] = [nextT, t - quotient * nextT];
  }
  return t < 0n ? t + modulus : t;
}

function evenHex(digits: string): string {
  return digits.length % 2 === 0 ? digits : `0${digits}`;
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
