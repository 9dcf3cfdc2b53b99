import { toHex } from '../../protocol/emv/hex.ts';
import { AUC, isSet, TSI, TVR, type Bit } from './bits.ts';
import { comparableDate } from './certificates.ts';
import type { DataStore } from './data-store.ts';
import { TERMINAL_ACTION_CODE_DENIAL } from './terminal.ts';

/**
 * Checks the processing restrictions: version, usage and dates (EMV 4.4 Book 3 §10.4). A failure sets the TVR and does
 * not end the transaction.
 */
export function applyProcessingRestrictions(store: DataStore): void {
  checkVersion(store);
  checkUsage(store);
  checkDates(store);
}

/** Application version number (§10.4.1). */
function checkVersion(store: DataStore): void {
  const [card, terminal] = [store.get('9F08'), store.get('9F09')];
  if (card && terminal && Buffer.compare(card, terminal) !== 0) store.setBit(TVR.differentVersions);
}

/** Application usage control, for goods and services (§10.4.2, Table 36). */
function checkUsage(store: DataStore): void {
  const [usage, issuerCountry] = [store.get('9F07'), store.get('5F28')];
  if (!usage) return;
  if (!isSet(usage, AUC.otherThanAtm)) store.setBit(TVR.serviceNotAllowed);
  if (!issuerCountry) return;
  const isDomestic = Buffer.compare(issuerCountry, store.need('9F1A')) === 0;
  const [goods, services] = isDomestic
    ? [AUC.domesticGoods, AUC.domesticServices]
    : [AUC.internationalGoods, AUC.internationalServices];
  if (!isSet(usage, goods) && !isSet(usage, services)) store.setBit(TVR.serviceNotAllowed);
}

/** Application effective and expiration dates (§10.4.3). */
function checkDates(store: DataStore): void {
  const today = comparableDate(toHex(store.need('9A')));
  const [effective, expiry] = [store.get('5F25'), store.get('5F24')];
  if (effective && today < comparableDate(toHex(effective))) store.setBit(TVR.notYetEffective);
  if (expiry && today > comparableDate(toHex(expiry))) store.setBit(TVR.expired);
}

/**
 * Performs terminal risk management (EMV 4.4 Book 3 §10.6). The floor limit is zero, so every transaction goes online.
 * An online-only terminal needs no random selection or velocity checking (Book 4 §6.3.5).
 */
export function manageTerminalRisk(store: DataStore): void {
  const floorLimit = Number.parseInt(toHex(store.need('9F1B')), 16);
  if (Number(toHex(store.need('9F02'))) >= floorLimit) store.setBit(TVR.floorLimitExceeded);
  store.setBit(TSI.terminalRiskManagement);
}

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
