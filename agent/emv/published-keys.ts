import type { PublishedKey } from './authority-key.ts';
import { AMEX_TEST_KEYS } from './published-keys/amex.ts';
import { MASTERCARD_TEST_KEYS } from './published-keys/mastercard.ts';
import { VISA_TEST_KEYS } from './published-keys/visa.ts';

/**
 * Test keys that the networks publish. They sign no live cards. Keys whose published checksum does not match, and
 * indexes that a live key uses too, are left out.
 */
export const PUBLISHED_KEYS: readonly PublishedKey[] = [
  ...VISA_TEST_KEYS,
  ...MASTERCARD_TEST_KEYS,
  ...AMEX_TEST_KEYS,
];
