import type { ProtectedCardData, ProtectedPin } from '../../protocol/messages/card-data.schema.ts';

/** Encrypts card data and PINs for the issuer, before they leave the reader module. */
export interface CardProtection {
  /** Starts a transaction with its own keys (X9.24). @throws Fault `reader` when the keys are used up. */
  transaction(): TransactionProtection;
}

export interface TransactionProtection {
  /** `plain` is BER-TLV: 5A, 5F34 and 57 as far as the card has them. */
  cardData(plain: Uint8Array): ProtectedCardData;
  pin(digits: string, pan: string): ProtectedPin;
}
