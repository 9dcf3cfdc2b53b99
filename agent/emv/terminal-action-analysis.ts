import { isSet, TVR, type Bit } from './bits.ts';
import type { DataStore } from './data-store.ts';
import { TERMINAL_ACTION_CODE_DENIAL } from './terminal.ts';

const NONE = new Uint8Array(5);

/** Cryptogram that the terminal requests, with the reason when it declines. */
type ActionAnalysis = { kind: 'ARQC' } | { kind: 'AAC'; reason: string };

/**
 * Performs terminal action analysis (EMV 4.4 Book 3 §10.7). A TVR bit that is set in an issuer or terminal action code
 * - denial declines the transaction offline. Others go online, because the terminal approves nothing offline.
 */
export function analyseAction(store: DataStore): ActionAnalysis {
  const results = store.need('95');
  const denial = store.get('9F0E') ?? NONE;
  const denied = results.map((byte, at) => byte & ((denial[at] ?? 0) | TERMINAL_ACTION_CODE_DENIAL[at]!));
  if (denied.every((byte) => byte === 0)) return { kind: 'ARQC' };
  const why = REASONS.find(([bit]) => isSet(denied, bit))?.[1];
  return { kind: 'AAC', reason: why ?? 'the issuer of the card denies it' };
}

/** Reasons for a decline, by TVR bit. */
const REASONS: [Bit, string][] = [
  [TVR.sdaFailed, 'the signature of the card is wrong'],
  [TVR.ddaFailed, 'the signature of the card is wrong'],
  [TVR.cdaFailed, 'the signature of the card is wrong'],
  [TVR.cardDataMissing, 'the card lacks data that it should have'],
  [TVR.expired, 'the card has expired'],
  [TVR.notYetEffective, 'the card is not valid yet'],
  [TVR.serviceNotAllowed, 'the card may not be used for this'],
  [TVR.pinTryLimitExceeded, 'the PIN of the card is blocked'],
  [TVR.cardholderVerificationFailed, 'the holder of the card was not verified'],
];
