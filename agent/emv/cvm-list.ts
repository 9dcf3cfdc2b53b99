import { CardError } from './card-connection.ts';
import { isOneOf } from '../../protocol/tables.ts';

/** Cardholder verification methods (EMV 4.4 Book 3 Annex C3, Table 43), without the bit for the next rule. */
export const CVM = {
  fail: 0x00,
  plaintextPin: 0x01,
  onlinePin: 0x02,
  plaintextPinAndSignature: 0x03,
  encipheredPin: 0x04,
  encipheredPinAndSignature: 0x05,
  signature: 0x1e,
  none: 0x1f,
} as const;

/** One CV rule of a card's CVM list. */
export interface CvmRule {
  /** Byte 1 of the rule, for the CVM results. */
  code: number;
  method: number;
  condition: number;
  nextIfFailed: boolean;
}

export interface CvmList {
  amountX: number;
  amountY: number;
  rules: CvmRule[];
}

/**
 * Parses a CVM list: two amounts, then a method and a condition for each rule (EMV 4.4 Book 3 §10.5).
 * @throws CardError `malformed_data`.
 */
export function parseCvmList(bytes: Uint8Array): CvmList {
  if (bytes.length < 8 || bytes.length % 2 !== 0) {
    throw new CardError('malformed_data', 'the card sent a cut-off list of verification methods');
  }
  const amounts = new DataView(bytes.buffer, bytes.byteOffset, 8);
  const rules: CvmRule[] = [];
  for (let at = 8; at < bytes.length; at += 2) {
    const code = bytes[at]!;
    rules.push({
      code,
      method: code & 0x3f,
      condition: bytes[at + 1]!,
      nextIfFailed: (code & 0x40) !== 0,
    });
  }
  return { amountX: amounts.getUint32(0), amountY: amounts.getUint32(4), rules };
}

/** Transaction data that conditions depend on. Amounts in minor units. */
export interface CvmSituation {
  amountMinor: number;
  /** Whether the transaction is in the application currency of the card (9F42). */
  inCardCurrency: boolean;
  /** Whether the terminal supports the method. */
  supports: (method: number) => boolean;
}

/** Returns whether the condition of a rule is met (Table 44). The terminal supports no cash or cashback. */
export function isConditionMet(rule: CvmRule, list: CvmList, situation: CvmSituation): boolean {
  const { amountMinor, inCardCurrency, supports } = situation;
  switch (rule.condition) {
    case 0x00:
    case 0x02:
      return true;
    case 0x03:
      return supports(rule.method);
    case 0x06:
      return inCardCurrency && amountMinor < list.amountX;
    case 0x07:
      return inCardCurrency && amountMinor > list.amountX;
    case 0x08:
      return inCardCurrency && amountMinor < list.amountY;
    case 0x09:
      return inCardCurrency && amountMinor > list.amountY;
    default:
      return false;
  }
}

/** Returns whether byte 2 of the terminal capabilities (9F33) has a method (EMV 4.4 Book 4 Annex A2). */
export function supportsMethod(capabilities: Uint8Array, method: number): boolean {
  const byte = capabilities[1] ?? 0;
  const has = (mask: number) => (byte & mask) !== 0;
  switch (method) {
    case CVM.plaintextPin:
      return has(0x80);
    case CVM.onlinePin:
      return has(0x40);
    case CVM.plaintextPinAndSignature:
      return has(0x80) && has(0x20);
    case CVM.encipheredPin:
      return has(0x10);
    case CVM.encipheredPinAndSignature:
      return has(0x10) && has(0x20);
    case CVM.signature:
      return has(0x20);
    case CVM.none:
      return has(0x08);
    default:
      return false;
  }
}

/** Returns whether EMV defines a method; others set `unrecognisedCvm` in the TVR. */
export function isKnownMethod(method: number): boolean {
  return isOneOf(Object.values(CVM), method);
}

/** Returns whether a method needs a PIN. */
export function isPinMethod(method: number): boolean {
  return method >= CVM.plaintextPin && method <= CVM.encipheredPinAndSignature;
}
