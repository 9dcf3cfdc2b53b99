import { keysOf } from '../../../protocol/tables.ts';

/**
 * What each code of `lastError` means. The service's guides and client libraries know these codes (docs/choices.md,
 * Decline codes). Each can be provoked by `POST /sandbox/payment-sessions/{id}/decline-next`, some also by a card or an
 * amount.
 */
export const DECLINE_MEANINGS = {
  insufficient_funds: 'the account of the card has too little money',
  declined_do_not_honour: 'the bank refuses and gives no reason',
  invalid_card_number: 'no card has this number',
  cvv2_failure: 'the security code is wrong',
  cvc_required: 'the security code is needed and was not given',
  restricted_card: 'the issuer restricts what the card pays for',
  blacklisted_card: 'the card is on a block list',
  blacklisted_bin: 'the first digits of the card number are on a block list',
  blacklisted_country: 'the country of the card is on a block list',
  blacklisted_ip: 'the address of the customer is on a block list',
  risk_declined: 'a risk rule refuses the payment',
  security_violation: 'a security check of the issuer failed',
  expired_card: 'the card has expired',
  gateway_reject: 'the postcode or country is not accepted',
  suspected_fraud: 'the issuer suspects fraud',
  contact_issuer: 'the cardholder must call the issuer',
  bad_track_data: 'the terminal could not read the card',
  not_permitted: 'the card does not allow this kind of payment',
  invalid_account: 'the account of the card is not valid',
  pickup_card: 'the card was reported lost: the shop keeps it',
  stolen_card: 'the card was reported stolen',
  issuer_decline: 'the issuer refuses',
  closed_account: 'the account of the card is closed',
  account_not_activated: 'the account of the card is not active yet',
  limit_exceeded: 'the payment is above a limit of the card',
  withdrawal_limit_exceeded: 'the withdrawals of the card are above their limit',
  '3ds_authentication_failure': 'the 3-D Secure authentication failed',
  '3ds_cardholder_not_participating': 'the card is not enrolled in 3-D Secure',
  '3ds_authentication_required': 'the issuer requires 3-D Secure',
  payment_method_option_amex_disabled: 'the shop does not accept American Express',
  issuer_error: 'the issuer cannot be reached or fails',
  system_error: 'the service fails',
  unknown_error: 'the reason is not known',
} as const;
export type DeclineCode = keyof typeof DECLINE_MEANINGS;

export const DECLINE_CODES = keysOf(DECLINE_MEANINGS);
