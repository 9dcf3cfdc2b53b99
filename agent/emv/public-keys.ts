import { fromHex, toHex } from '../../protocol/emv/hex.ts';
import type { AuthorityKey, PublishedKey } from './authority-key.ts';
import { AMEX_TEST_KEYS } from './published-keys/amex.ts';
import { MASTERCARD_TEST_KEYS } from './published-keys/mastercard.ts';
import { VISA_TEST_KEYS } from './published-keys/visa.ts';
import { TEST_CA_KEYS } from './test-ca-keys.ts';

/**
 * Test keys that the networks publish. They sign no live cards. Keys whose published checksum does not match, and
 * indexes that a live key uses too, are left out.
 */
export const PUBLISHED_KEYS: readonly PublishedKey[] = [
  ...VISA_TEST_KEYS,
  ...MASTERCARD_TEST_KEYS,
  ...AMEX_TEST_KEYS,
];

/** An RSA public key. */
export interface PublicKey {
  modulus: Uint8Array;
  exponent: Uint8Array;
}

/** Keys of test certification authorities: those of the networks, and that of the simulated cards. */
export const AUTHORITY_KEYS: readonly AuthorityKey[] = [...PUBLISHED_KEYS, ...TEST_CA_KEYS];

/** Returns the certification authority public key of a RID and index; undefined when it is unknown. */
export function authorityKey(rid: Uint8Array, index: number | undefined): PublicKey | undefined {
  if (index === undefined) return undefined;
  const [provider, number] = [toHex(rid), toHex(Uint8Array.of(index))];
  const key = AUTHORITY_KEYS.find((row) => row.rid === provider && row.index === number);
  return key && { modulus: fromHex(key.modulus), exponent: fromHex(key.exponent) };
}
