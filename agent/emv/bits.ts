/** One bit of a data object. `byte` counts from 0; EMV numbers bytes from 1, and bits from 8 down to 1. */
export interface Bit {
  tag: string;
  byte: number;
  mask: number;
}

const bitsOf =
  (tag: string) =>
  (byte: number, bit: number): Bit => ({
    tag,
    byte: byte - 1,
    mask: 1 << (bit - 1),
  });

const aip = bitsOf('82');

/**
 * Application interchange profile (AIP), the functions that the card supports (EMV 4.4 Book 3 Annex C1; bit 2 of
 * byte 1 Book C-2).
 */
export const AIP = {
  sda: aip(1, 7),
  dda: aip(1, 6),
  cardholderVerification: aip(1, 5),
  terminalRiskManagement: aip(1, 4),
  issuerAuthentication: aip(1, 3),
  onDeviceVerification: aip(1, 2),
  cda: aip(1, 1),
} as const;

const tvr = bitsOf('95');

/** Terminal verification results (TVR; EMV 4.4 Book 3 Annex C5). */
export const TVR = {
  dataAuthenticationNotPerformed: tvr(1, 8),
  sdaFailed: tvr(1, 7),
  cardDataMissing: tvr(1, 6),
  ddaFailed: tvr(1, 4),
  cdaFailed: tvr(1, 3),
  sdaSelected: tvr(1, 2),
  differentVersions: tvr(2, 8),
  expired: tvr(2, 7),
  notYetEffective: tvr(2, 6),
  serviceNotAllowed: tvr(2, 5),
  cardholderVerificationFailed: tvr(3, 8),
  unrecognisedCvm: tvr(3, 7),
  pinTryLimitExceeded: tvr(3, 6),
  pinNotEntered: tvr(3, 4),
  onlinePinEntered: tvr(3, 3),
  floorLimitExceeded: tvr(4, 8),
  defaultTdolUsed: tvr(5, 8),
  issuerAuthenticationFailed: tvr(5, 7),
  scriptFailedBeforeFinal: tvr(5, 6),
  scriptFailedAfterFinal: tvr(5, 5),
} as const;

const tsi = bitsOf('9B');

/** Transaction status information (TSI), the functions performed (EMV 4.4 Book 3 Annex C6). */
export const TSI = {
  dataAuthentication: tsi(1, 8),
  cardholderVerification: tsi(1, 7),
  cardRiskManagement: tsi(1, 6),
  issuerAuthentication: tsi(1, 5),
  terminalRiskManagement: tsi(1, 4),
  scriptProcessing: tsi(1, 3),
} as const;

const auc = bitsOf('9F07');

/** Application usage control (AUC; EMV 4.4 Book 3 Annex C2). */
export const AUC = {
  domesticGoods: auc(1, 6),
  internationalGoods: auc(1, 5),
  domesticServices: auc(1, 4),
  internationalServices: auc(1, 3),
  otherThanAtm: auc(1, 1),
} as const;

const ttq = bitsOf('9F66');

/** Terminal transaction qualifiers (TTQ; EMV Contactless Book A §5.7). */
export const TTQ = {
  emvMode: ttq(1, 6),
  onlinePin: ttq(1, 3),
  signature: ttq(1, 2),
  dataAuthenticationOnline: ttq(1, 1),
  onlineCryptogramRequired: ttq(2, 8),
  cvmRequired: ttq(2, 7),
  consumerDeviceCvm: ttq(3, 7),
} as const;

const ctq = bitsOf('9F6C');

/** Card transaction qualifiers (CTQ; EMV Contactless Book C-3 Annex A). */
export const CTQ = {
  onlinePinRequired: ctq(1, 8),
  signatureRequired: ctq(1, 7),
  onlineIfDataAuthenticationFails: ctq(1, 6),
  consumerDeviceCvmPerformed: ctq(2, 8),
} as const;

/** Returns whether a bit is set. In an absent or short value no bit is. */
export function isSet(value: Uint8Array | undefined, { byte, mask }: Bit): boolean {
  return ((value?.[byte] ?? 0) & mask) !== 0;
}

/** Returns a copy of the value with a bit set or cleared. */
export function withBit(value: Uint8Array, { byte, mask }: Bit, on: boolean): Uint8Array {
  const changed = Uint8Array.from(value);
  changed[byte] = on ? changed[byte]! | mask : changed[byte]! & ~mask;
  return changed;
}
