import { toHex } from '../../protocol/emv/hex.ts';
import { AIP, TSI, TVR } from './bits.ts';
import {
  isConditionMet,
  CVM,
  isKnownMethod,
  isPinMethod,
  parseCvmList,
  supportsMethod,
  type CvmList,
  type CvmRule,
  type CvmSituation,
} from './cvm-list.ts';
import type { DataStore } from './data-store.ts';
import type { OfflinePinResult } from './offline-pin.ts';

/** Result of cardholder verification. An online PIN is entered after it, and verified by the issuer. */
export interface HolderVerification {
  method: 'none' | 'offlinePin' | 'onlinePin' | 'signature' | 'onDevice' | 'failed';
  /** The card blocked its PIN during this transaction, whatever CVM was performed after that. */
  pinBlocked: boolean;
}

interface VerificationParts {
  store: DataStore;
  /** Verifies a PIN with the card. */
  offlinePin(enciphered: boolean): Promise<OfflinePinResult>;
}

type RuleResult = 'succeeded' | 'failed' | 'unknown';
const RESULT_BYTE = { unknown: 0x00, failed: 0x01, succeeded: 0x02 } as const;
const NO_CVM_PERFORMED = 0x3f;

/**
 * Performs cardholder verification (EMV 4.4 Book 3 §10.5; Book 4 §6.3.4): processes the card's CVM list until a CVM
 * succeeds, or fails without a next one. Sets the TVR and the CVM results (9F34).
 */
export async function verifyCardholder(parts: VerificationParts): Promise<HolderVerification> {
  const { store } = parts;
  const verification: HolderVerification = { method: 'none', pinBlocked: false };
  if (!store.has(AIP.cardholderVerification)) return verification;
  const bytes = store.get('8E');
  if (!bytes) store.setBit(TVR.cardDataMissing);
  const list = bytes && parseCvmList(bytes);
  // §10.5: a list without rules counts as absent.
  if (!list || list.rules.length === 0) return verification;

  store.setBit(TSI.cardholderVerification);
  let performed: CvmRule | undefined;
  for (const rule of applicableRules(list, store)) {
    // Once the card has blocked its PIN, no other PIN is requested.
    const isBlocked = verification.pinBlocked && isPinMethod(rule.method);
    if (isBlocked || !canPerform(rule, store)) {
      if (rule.method === CVM.fail) performed = rule;
      if (rule.nextIfFailed) continue;
      break;
    }
    performed = rule;
    const result = await perform(rule, parts, verification);
    if (result !== 'failed') {
      putCvmResults(store, rule, result);
      return verification;
    }
    if (!rule.nextIfFailed) break;
  }
  putCvmResults(store, performed ?? { code: NO_CVM_PERFORMED, condition: 0x00 }, 'failed');
  store.setBit(TVR.cardholderVerificationFailed);
  return { ...verification, method: 'failed' };
}

/** Returns the rules whose condition is met, in the card's order. */
function applicableRules(list: CvmList, store: DataStore): CvmRule[] {
  const capabilities = store.need('9F33');
  const situation: CvmSituation = {
    amountMinor: Number(toHex(store.need('9F02'))),
    inCardCurrency: toHex(store.get('9F42') ?? new Uint8Array(0)) === toHex(store.need('5F2A')),
    supports: (method) => supportsMethod(capabilities, method),
  };
  return list.rules.filter((rule) => isConditionMet(rule, list, situation));
}

function canPerform(rule: CvmRule, store: DataStore): boolean {
  if (!isKnownMethod(rule.method)) store.setBit(TVR.unrecognisedCvm);
  return supportsMethod(store.need('9F33'), rule.method);
}

/** Stores the CVM results (9F34). Byte 3 is the result as known to the terminal (Annex A). */
export function putCvmResults(
  store: DataStore,
  { code, condition }: Pick<CvmRule, 'code' | 'condition'>,
  result: RuleResult,
): void {
  store.put('9F34', Uint8Array.of(code, condition, RESULT_BYTE[result]));
}

async function perform(
  rule: CvmRule,
  parts: VerificationParts,
  verification: HolderVerification,
): Promise<RuleResult> {
  switch (rule.method) {
    case CVM.none:
      return 'succeeded';
    case CVM.signature:
      verification.method = 'signature';
      return 'unknown';
    case CVM.onlinePin:
      verification.method = 'onlinePin';
      parts.store.setBit(TVR.onlinePinEntered);
      return 'unknown';
    default:
      return performOfflinePin(rule, parts, verification);
  }
}

async function performOfflinePin(
  { method }: CvmRule,
  parts: VerificationParts,
  verification: HolderVerification,
): Promise<RuleResult> {
  const enciphered = method === CVM.encipheredPin || method === CVM.encipheredPinAndSignature;
  const withSignature = method === CVM.plaintextPinAndSignature || method === CVM.encipheredPinAndSignature;
  const result = await parts.offlinePin(enciphered);
  if (result === 'blocked') verification.pinBlocked = true;
  if (result !== 'right') return 'failed';
  verification.method = 'offlinePin';
  return withSignature ? 'unknown' : 'succeeded';
}
