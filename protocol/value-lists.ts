/**
 * Values of the API that a command offers too. They are apart from their schemas, so that a command starts without a
 * validator.
 */

export const ENTRY_MODES = ['Contactless', 'Contact', 'Swipe', 'Wallet'] as const;

export const DISPUTE_CATEGORIES = [
  'Fraudulent',
  'Authorization',
  'ProcessingError',
  'CardholderDispute',
  'General',
] as const;
