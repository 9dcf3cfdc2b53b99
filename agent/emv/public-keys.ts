import { fromHex, toHex } from '../../protocol/emv/hex.ts';
import type { AuthorityKey } from './authority-key.ts';
import { PUBLISHED_KEYS } from './published-keys.ts';
import { TEST_CA_KEYS } from './test-ca-keys.ts';

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
