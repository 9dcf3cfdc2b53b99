import type { PublishedKey } from './authority-key.ts';
import { AMEX_TEST_KEYS } from './published-keys/amex.ts';
import { MASTERCARD_TEST_KEYS } from './published-keys/mastercard.ts';
import { VISA_TEST_KEYS } from './published-keys/visa.ts';

/**
 * Keys that the networks publish for tests: no card that can spend money was signed with one of them. Left out are
 * keys whose published checksum does not match, and indexes that a live key has too.
 */
export const PUBLISHED_KEYS: readonly PublishedKey[] = [
  ...VISA_TEST_KEYS,
  ...MASTERCARD_TEST_KEYS,
  ...AMEX_TEST_KEYS,
];
