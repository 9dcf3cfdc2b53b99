import { fromHex, toHex } from '../../protocol/emv/hex.ts';
import { TEST_CA_KEYS } from './test-ca-keys.ts';

export interface PublicKey {
  modulus: Uint8Array;
  exponent: Uint8Array;
}

/** A key of a certification authority, by application provider and index (EMV 4.4 Book 2 §11.2). */
export interface AuthorityKey {
  /** Registered application provider: the first five bytes of an application's name. */
  rid: string;
  index: string;
  exponent: string;
  modulus: string;
}

/** Keys that networks publish for tests. No card that can spend money was signed with one of them. */
const PUBLISHED_KEYS: readonly AuthorityKey[] = [
  {
    rid: 'A000000004',
    index: 'F1',
    exponent: '03',
    modulus:
      'A0DCF4BDE19C3546B4B6F0414D174DDE294AABBB828C5A834D73AAE27C99B0B053A90278007239B6459FF0BBCD7B4B9C' +
      '6C50AC02CE91368DA1BD21AAEADBC65347337D89B68F5C99A09D05BE02DD1F8C5BA20E2F13FB2A27C41D3F85CAD5CF66' +
      '68E75851EC66EDBF98851FD4E42C44C1D59F5984703B27D5B9F21B8FA0D93279FBBF69E090642909C9EA27F898959541' +
      'AA6757F5F624104F6E1D3A9532F2A6E51515AEAD1B43B3D7835088A2FAFA7BE7',
  },
];

/** Of test authorities only: the networks', and the one of the simulated cards. */
export const AUTHORITY_KEYS: readonly AuthorityKey[] = [...PUBLISHED_KEYS, ...TEST_CA_KEYS];

/** The key that an issuer's certificate of this application was signed with; undefined when we do not have it. */
export function authorityKey(rid: Uint8Array, index: number | undefined): PublicKey | undefined {
  if (index === undefined) return undefined;
  const [provider, number] = [toHex(rid), toHex(Uint8Array.of(index))];
  const key = AUTHORITY_KEYS.find((row) => row.rid === provider && row.index === number);
  return key && { modulus: fromHex(key.modulus), exponent: fromHex(key.exponent) };
}
