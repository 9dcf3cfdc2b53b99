import type { CardScheme } from '../../../protocol/cryptography/cryptogram-versions.ts';
import { fromHex } from '../../../protocol/emv/hex.ts';

/** The master key of the examples in EMV 4.4 Book 2 and of most test tools. It protects nothing. */
const TEST_KEY = '0123456789ABCDEFFEDCBA9876543210';

/** Issuer master keys for application cryptograms (EMV 4.4 Book 2 Annex A1.4), one for each scheme: test keys all. */
const MASTER_KEYS: Record<CardScheme, string> = { Visa: TEST_KEY, Mastercard: TEST_KEY, Amex: TEST_KEY };

/** 16 bytes. */
export function issuerMasterKey(scheme: CardScheme): Uint8Array {
  return fromHex(MASTER_KEYS[scheme]);
}
