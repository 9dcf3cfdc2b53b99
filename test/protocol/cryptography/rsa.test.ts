import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { rsaRecover, rsaSign, type RsaPrivateKey } from '../../../protocol/cryptography/rsa.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';

function makeKey(bits: number): RsaPrivateKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits, publicExponent: 3 });
  const jwk = privateKey.export({ format: 'jwk' });
  const hex = (value: string | undefined) => toHex(Buffer.from(value!, 'base64url'));
  return {
    modulus: hex(jwk.n),
    exponent: hex(jwk.e),
    privateExponent: hex(jwk.d),
    primes: [hex(jwk.p), hex(jwk.q)],
  };
}

test.each([768, 1024, 1152])(
  'rsaRecover: recovers with the public key what a private key of %i bits signed',
  (bits) => {
    const key = makeKey(bits);
    const modulus = fromHex(key.modulus);
    const block = Uint8Array.from(modulus, (_, at) => (at === 0 ? 0x6a : at & 0xff));
    const signed = rsaSign(key, block);
    expect(signed).not.toEqual(block);
    expect(rsaRecover(modulus, fromHex(key.exponent), signed)).toEqual(block);
  },
);

test('RSA: throws for a block that is longer or larger than the modulus', () => {
  const key = makeKey(768);
  const modulus = fromHex(key.modulus);
  const exponent = fromHex(key.exponent);
  expect(() => rsaRecover(modulus, exponent, new Uint8Array(95))).toThrow('not as long as the RSA modulus');
  expect(() => rsaRecover(modulus, exponent, new Uint8Array(96).fill(0xff))).toThrow('not possible');
  expect(() => rsaSign(key, new Uint8Array(96).fill(0xff))).toThrow('not possible');
});
