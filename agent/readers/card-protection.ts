import type { ProtectedCardData, ProtectedPin } from '../../protocol/messages/action.messages.ts';

/** Encrypts what may leave the reader module only for the issuer. */
export interface CardProtection {
  /** Keys of a new transaction, used for nothing before or after it (X9.24). @throws Fault `reader` when its keys are used up. */
  transaction(): TransactionProtection;
}

export interface TransactionProtection {
  /** `plain` is BER-TLV: 5A, 5F34 and 57 as far as the card has them. */
  cardData(plain: Uint8Array): ProtectedCardData;
  pin(digits: string, pan: string): ProtectedPin;
}
