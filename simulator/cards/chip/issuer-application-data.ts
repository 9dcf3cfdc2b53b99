import { CRYPTOGRAM_VERSIONS } from '../../../protocol/cryptography/cryptogram-versions.ts';
import { fromHex } from '../../../protocol/emv/hex.ts';
import { concat } from '../../../protocol/emv/tlv.ts';
import type { Chip, CryptogramType, Transaction } from './chip-state.ts';

/** Which cryptogram a GENERATE AC made, as two bits: 00 AAC, 01 TC, 10 ARQC, or not asked for yet. */
const BITS: Record<CryptogramType, number> = { AAC: 0, TC: 1, ARQC: 2 };
const NOT_ASKED_YET = 2;

const DATA_AUTHENTICATION_CODE = fromHex('DAC1');

/**
 * 9F10: key index, cryptogram version, and what the card has to say of itself and its holder (EMV 4.4 Book 3
 * Annex C9; the inside is the networks' own). `second` is the cryptogram of the second GENERATE AC.
 */
export function issuerApplicationData(
  { profile, memory }: Chip,
  transaction: Transaction,
  signs: { first: CryptogramType; second?: CryptogramType; combined?: boolean },
): Uint8Array {
  const version = CRYPTOGRAM_VERSIONS[profile.chip.cryptogramVersion];
  const made = ((signs.second ? BITS[signs.second] : NOT_ASKED_YET) << 6) | (BITS[signs.first] << 4);
  const keyAndVersion = concat(fromHex(profile.chip.keyIndex), Uint8Array.of(version.number));
  const blocked = profile.pin !== undefined && memory.pinTriesLeft === 0;
  const unableOnline = couldNotGoOnline(transaction);
  const verified = { ...transaction, made, blocked, unableOnline, triesLeft: memory.pinTriesLeft };
  if (version.scheme !== 'Mastercard') {
    return concat(Uint8Array.of(6), keyAndVersion, visaResults(verified));
  }
  const results = mastercardResults(verified, signs);
  return concat(keyAndVersion, results, DATA_AUTHENTICATION_CODE, new Uint8Array(8));
}

interface Verified extends Pick<Transaction, 'pin' | 'pinEnciphered' | 'issuer' | 'dynamicallySigned'> {
  made: number;
  blocked: boolean;
  unableOnline: boolean;
  triesLeft: number;
}

/** Visa, and American Express after it: a length and three bytes. */
function visaResults({ made, pin, issuer, blocked, unableOnline }: Verified): Uint8Array {
  const first =
    made |
    bit(4, issuer === 'invalid') |
    bit(3, pin !== 'notTried') |
    bit(2, pin === 'failed') |
    bit(1, unableOnline);
  return Uint8Array.of(0x03, first, bit(7, blocked), 0x00);
}

/** Mastercard M/Chip 4 and M/Chip Advance: six bytes. */
function mastercardResults(
  { made, pin, pinEnciphered, issuer, blocked, unableOnline, triesLeft, dynamicallySigned }: Verified,
  { second, combined }: { second?: CryptogramType; combined?: boolean },
): Uint8Array {
  return Uint8Array.of(
    made | bit(3, pin !== 'notTried') | bit(2, pinEnciphered) | bit(1, pin === 'passed'),
    bit(8, dynamicallySigned) |
      bit(7, combined === true && !second) |
      bit(6, combined === true && second !== undefined) |
      bit(5, issuer !== 'notReceived'),
    triesLeft,
    bit(7, unableOnline) | bit(6, pin === 'notTried') | bit(5, pin === 'failed') | bit(4, blocked),
    bit(3, issuer === 'invalid'),
    0x00,
  );
}

/** 8A when the issuer could not be reached: Y3 approved offline, Z3 declined offline (EMV 4.4 Book 4 Annex A6). */
const UNABLE_TO_GO_ONLINE = ['Y3', 'Z3'];

function couldNotGoOnline(transaction: Transaction): boolean {
  return UNABLE_TO_GO_ONLINE.includes(responseCodeOf(transaction));
}

/** Returns the two characters of 8A, the authorisation response code, or an empty text before the terminal sent one. */
export function responseCodeOf({ values }: Transaction): string {
  return Buffer.from(values.get('8A') ?? []).toString('latin1');
}

/** Bits count from 8 down to 1, as the books count them. */
function bit(place: number, set: boolean): number {
  return set ? 1 << (place - 1) : 0;
}
