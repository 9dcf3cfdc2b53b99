import { timingSafeEqual } from 'node:crypto';
import { deriveCardKey } from '../../../protocol/cryptography/card-keys.ts';
import {
  cryptogramKey,
  cryptogramOf,
  cryptogramVersionOf,
  issuerAuthenticationData,
  type CardScheme,
  type TagLookup,
} from '../../../protocol/cryptography/cryptogram-versions.ts';
import { toHex, fromHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import type { CardData } from './card-data.ts';
import type { Transaction } from '../../platform/store/store.ts';

/** Authorisation response codes (8A), two characters of ISO 8583 field 39. */
const RESPONSE_CODES = { approved: '00', declined: '05' };
/** Card status updates: byte 2, bit 8: the issuer approves (EMV 4.4 CCD part, Book 3 Annex C10). */
const CARD_STATUS_UPDATES = {
  approved: Uint8Array.of(0, 0x80, 0, 0),
  declined: Uint8Array.of(0, 0, 0, 0),
};

/** A cryptogram that the issuer has verified. */
interface GoodCryptogram {
  /** The issuer's response for the card: 8A, and 91, which authenticates the issuer. */
  answer(outcome: 'approved' | 'declined'): string;
}

/**
 * Verifies the cryptogram of a transaction. Undefined when it is wrong, or of a version that this issuer does not use.
 * @throws Fault `garbage_message`, naming the tag, when a data element of it is missing.
 */
export function checkCryptogram(
  scheme: CardScheme,
  { number, sequenceNumber }: CardData,
  lookup: TagLookup,
): GoodCryptogram | undefined {
  const version = cryptogramVersionOf(scheme, lookup('9F10') ?? new Uint8Array(0));
  const arqc = lookup('9F26');
  const atc = lookup('9F36');
  if (!version || arqc?.length !== 8 || atc?.length !== 2) return undefined;
  const cardKey = deriveCardKey(issuerMasterKey(scheme), number, sequenceNumber);
  const key = cryptogramKey(version, cardKey, atc);
  if (!timingSafeEqual(cryptogramOf(version, key, lookup), arqc)) return undefined;
  return {
    answer(outcome) {
      const arc = new TextEncoder().encode(RESPONSE_CODES[outcome]);
      const csu = CARD_STATUS_UPDATES[outcome];
      return toHex(
        concat(
          encodeTlv('8A', arc),
          encodeTlv('91', issuerAuthenticationData(version, key, { arqc, arc, csu })),
        ),
      );
    },
  };
}

/** The response for a card whose cryptogram is wrong: declined, and nothing else. */
export function unauthenticatedDecline(): string {
  return toHex(encodeTlv('8A', new TextEncoder().encode(RESPONSE_CODES.declined)));
}

/** The master key of the examples in EMV 4.4 Book 2 and of most test tools. It protects nothing. */
const TEST_KEY = '0123456789ABCDEFFEDCBA9876543210';

/** Issuer master keys for application cryptograms (EMV 4.4 Book 2 Annex A1.4), one for each scheme: test keys all. */
const MASTER_KEYS: Record<CardScheme, string> = { Visa: TEST_KEY, Mastercard: TEST_KEY, Amex: TEST_KEY };

/** 16 bytes. */
function issuerMasterKey(scheme: CardScheme): Uint8Array {
  return fromHex(MASTER_KEYS[scheme]);
}

/** Saves the digest of a cryptogram. Returns false when it was saved before. */
export async function saveCryptogram(tx: Transaction, digest: string, nowMs: number): Promise<boolean> {
  const { changes } = await tx.run(
    `INSERT INTO seen_cryptograms (digest, seen_ms) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING`,
    digest,
    nowMs,
  );
  return changes === 1;
}
