import { CardError } from './card-error.ts';

/** The ways to verify a holder (EMV 4.4 Book 3 Annex C3, Table 43), without the bit for what comes next. */
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

/** One rule of a card's list: how, when, and whether the next one may be tried when it fails. */
export interface CvmRule {
  /** As the list has it, for the CVM results. */
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

/** EMV 4.4 Book 3 §10.5: two amounts, then a method and a condition for each rule. @throws CardError `malformed_data`. */
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

/** What a condition is judged by. Amounts in minor units. */
export interface CvmSituation {
  amountMinor: number;
  /** Whether the transaction is in the currency in which the card counts (9F42). */
  inCardCurrency: boolean;
  /** Whether the terminal supports the method. */
  supports: (method: number) => boolean;
}

/** Whether a rule applies here (Table 44). We are never a cash machine and pay out no cash. */
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

/** Whether the terminal supports a method, by byte 2 of its capabilities (9F33; EMV 4.4 Book 4 Annex A2). */
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

/** Methods that the books know; another one is noted as unrecognised. */
export function isKnownMethod(method: number): boolean {
  return (Object.values(CVM) as number[]).includes(method);
}

/** Methods for which the holder types a PIN. */
export function isPinMethod(method: number): boolean {
  return method >= CVM.plaintextPin && method <= CVM.encipheredPinAndSignature;
}
