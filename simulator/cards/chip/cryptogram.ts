import {
  CRYPTOGRAM_VERSIONS,
  cryptogramKey,
  cryptogramOf,
} from '../../../protocol/cryptography/cryptogram-versions.ts';
import { fromHex } from '../../../protocol/emv/hex.ts';
import { concat } from '../../../protocol/emv/tlv.ts';
import type { Chip, CryptogramType, PoweredChip, Transaction } from './chip-state.ts';

/** 9F27 (EMV 4.4 Book 3 §6.5.5.4, table 15). */
export const CID: Record<CryptogramType, number> = { AAC: 0x00, TC: 0x40, ARQC: 0x80 };

/** 9F36, two bytes. */
export function counterBytes({ memory }: Chip): Uint8Array {
  return Uint8Array.of(memory.transactionCounter >> 8, memory.transactionCounter & 0xff);
}

/** Returns the key of this transaction's cryptograms. */
export function transactionKey(chip: Chip): Uint8Array {
  const { issued, profile } = chip;
  return cryptogramKey(profile.chip.cryptogramVersion, fromHex(issued.cardKey), counterBytes(chip));
}

/** Computes tag 9F26 over the data of terminal and card (EMV 4.4 Book 2 §8.1). */
export function signTransaction(
  { chip, image }: PoweredChip,
  transaction: Transaction,
  applicationData: Uint8Array,
): Uint8Array {
  const own: Record<string, Uint8Array> = {
    '82': fromHex(image.facts.aip),
    '9F36': counterBytes(chip),
    '9F10': applicationData,
  };
  return cryptogramOf(
    chip.profile.chip.cryptogramVersion,
    transactionKey(chip),
    (tag) => own[tag] ?? transaction.values.get(tag),
  );
}

/** Cryptogram types as two bits; 10 in the second place means that the second GENERATE AC was not requested. */
const BITS: Record<CryptogramType, number> = { AAC: 0, TC: 1, ARQC: 2 };
const NOT_ASKED_YET = 2;

const DATA_AUTHENTICATION_CODE = fromHex('DAC1');

/**
 * Returns tag 9F10: key index, cryptogram version and card verification results in the format of the network (EMV 4.4
 * Book 3 Annex C9). `second` is the cryptogram of the second GENERATE AC.
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

/** Card verification results of Visa and American Express: a length and three bytes. */
function visaResults({ made, pin, issuer, blocked, unableOnline }: Verified): Uint8Array {
  const first =
    made |
    bit(4, issuer === 'invalid') |
    bit(3, pin !== 'notTried') |
    bit(2, pin === 'failed') |
    bit(1, unableOnline);
  return Uint8Array.of(0x03, first, bit(7, blocked), 0x00);
}

/** Card verification results of Mastercard M/Chip 4 and M/Chip Advance: six bytes. */
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

/**
 * Values of 8A when the terminal could not go online: Y3 approved, Z3 declined offline (EMV 4.4 Book 4 Annex A6).
 */
const UNABLE_TO_GO_ONLINE = ['Y3', 'Z3'];

function couldNotGoOnline(transaction: Transaction): boolean {
  return UNABLE_TO_GO_ONLINE.includes(responseCodeOf(transaction));
}

/** Returns the two characters of 8A, the authorisation response code, or an empty text before the terminal sent one. */
export function responseCodeOf({ values }: Transaction): string {
  return Buffer.from(values.get('8A') ?? []).toString('latin1');
}

/** Returns a byte with one bit, numbered 8 down to 1 as in the EMV books. */
function bit(place: number, set: boolean): number {
  return set ? 1 << (place - 1) : 0;
}
