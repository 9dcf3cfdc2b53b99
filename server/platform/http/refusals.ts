/**
 * Every refusal that the server can give: code, HTTP status, message and the section that asks for it.
 * `{name}` in a message is filled in where it is given. Error codes and envelope: docs/choices.md, Errors.
 */
interface Row {
  code:
    | 'invalid_field'
    | 'bad_request'
    | 'unauthorized'
    | 'forbidden'
    | 'not_found'
    | 'conflict'
    | 'too_many_requests'
    | 'unsupported_media_type'
    | 'unexpected_error';
  status: number;
  message: string;
  section: string;
}

const row = (status: number, code: Row['code'], message: string, section: string): Row => ({
  status,
  code,
  message,
  section,
});

export const REFUSALS = {
  no_credentials: row(
    401,
    'unauthorized',
    'the Authorization header is missing: send your API key in it',
    'Spec §5.2',
  ),
  bad_key: row(403, 'forbidden', 'the API key is not known here', 'Spec §5.2'),
  key_not_alone: row(
    403,
    'forbidden',
    'send the key alone in the Authorization header, without Bearer, Basic or another word',
    'Spec §5.2',
  ),
  dashboard_token: row(
    403,
    'forbidden',
    "the dashboard's token does not open this: send the secret API key",
    'Dashboard',
  ),
  public_key: row(403, 'forbidden', 'this call needs the secret API key', 'Spec §5.4'),
  account_malformed: row(400, 'invalid_field', 'Account must be an account id (ac_ and a UUID)', 'Spec §5.6'),
  account_not_linked: row(
    403,
    'forbidden',
    'Account is not linked to the account of this API key',
    'Spec §5.6',
  ),
  rate_exceeded: row(429, 'too_many_requests', 'more than {rate} requests a second: slow down', 'Spec §8'),

  unknown_path: row(404, 'not_found', 'there is nothing at {path}', 'Spec §4'),
  wrong_method: row(405, 'bad_request', '{method} is not allowed here', 'Spec §4'),
  undecodable_path: row(400, 'bad_request', 'the path cannot be decoded', 'Spec §4'),
  not_found: row(404, 'not_found', 'no such {what}', 'Spec §4'),
  body_too_large: row(413, 'bad_request', 'the body is larger than {limit}', 'Spec §4'),
  not_json: row(400, 'bad_request', 'the body is not valid JSON', 'Spec §4'),
  bad_host: row(400, 'bad_request', 'the request must have one valid Host header', 'Spec §4'),
  headers_too_large: row(431, 'bad_request', 'the headers are larger than 16 KiB', 'Spec §4'),
  chunk_extensions_too_large: row(413, 'bad_request', 'the chunk extensions are too large', 'Spec §4'),
  request_timeout: row(408, 'bad_request', 'the request did not arrive within 60 s', 'Spec §4'),
  unknown_expectation: row(417, 'bad_request', 'Expect must be 100-continue', 'Spec §4'),
  bad_http: row(400, 'bad_request', 'the request is not valid HTTP', 'Spec §4'),
  unsupported_media: row(415, 'unsupported_media_type', 'the body must be JSON', 'Spec §4'),
  invalid_field: row(400, 'invalid_field', '{field} {problem}', 'Spec §2'),
  unknown_token: row(400, 'invalid_field', 'startsAfter is not a paginationToken of this list', 'Spec §4'),
  window_backwards: row(400, 'invalid_field', 'startTimestamp must be before endTimestamp', 'Spec §4.1'),

  location_in_use: row(400, 'bad_request', 'the location still has a terminal assigned', 'Spec §4.11'),
  region_required: row(
    400,
    'invalid_field',
    'address.region must be a 2-character code for {country}',
    'Spec §2.7',
  ),
  serial_registered: row(409, 'conflict', 'serialNumber is registered already', 'Spec §4.12'),
  terminal_busy: row(
    409,
    'conflict',
    'the terminal has an action in progress: cancel it or wait',
    'Spec §4.12',
  ),
  terminal_online: row(
    409,
    'conflict',
    'the terminal is online: another program or device is connected as this terminal',
    'Pairing',
  ),
  terminal_acting: row(400, 'bad_request', 'the terminal has an action in progress', 'Spec §4.12'),
  no_action: row(400, 'bad_request', 'the terminal has no action in progress', 'Spec §4.12'),
  currency_disabled: row(400, 'invalid_field', 'currency must be one of: [{allowed}]', 'Spec §2.1'),
  in_person_not_enabled: row(
    400,
    'bad_request',
    'the account has not requested the capability inPersonPayments',
    'Spec §2.3',
  ),
  amount_out_of_range: row(
    400,
    'invalid_field',
    '{field} must be {least} to {most} in {currency}',
    'Spec §4.12',
  ),
  fee_without_account: row(
    400,
    'invalid_field',
    '{field} needs the Account header of a sub account',
    'Spec §2.2',
  ),
  fee_too_large: row(400, 'invalid_field', '{field} must be at most the amount', 'Spec §2.2'),
  copy_not_required: row(400, 'bad_request', '{copy} does not wait for a confirmation', 'Spec §4.12'),
  no_copy_named: row(400, 'invalid_field', 'name merchantCopy, customerCopy or both', 'Spec §4.12'),
  refund_not_captured: row(400, 'bad_request', 'only a captured payment can be refunded', 'Spec §2.2'),
  refund_not_in_person: row(
    400,
    'bad_request',
    'only an in-person payment can be refunded on a terminal',
    'Spec §4.12',
  ),
  refund_in_flight: row(400, 'bad_request', 'another refund of this payment is in flight', 'Spec §2.2'),
  refund_too_large: row(
    400,
    'invalid_field',
    'amount must be 1 to {left}, what is left to refund',
    'Spec §4.12',
  ),
  refund_disputed: row(
    400,
    'bad_request',
    'what is left of the payment is disputed: it cannot be refunded too',
    'Spec §4.9',
  ),
  nothing_left: row(400, 'bad_request', 'the payment is refunded already', 'Spec §4.12'),
  no_platform_fee: row(400, 'bad_request', 'the payment has no platform fee to refund', 'Spec §4.12'),
  session_final: row(400, 'bad_request', 'the payment session cannot be paid or updated any more', 'Spec §3'),
  session_expired: row(400, 'bad_request', 'the payment session has expired', 'Spec §3'),
  verification_terms: row(400, 'bad_request', 'a verifyAccount payment session {problem}', 'Spec §2.2'),
  splits_not_allowed: row(400, 'bad_request', 'splits do not go with {what}', 'Spec §2.2'),
  splits_too_large: row(400, 'bad_request', 'splits must add up to at most {amount}', 'Spec §2.2'),
  split_account: row(
    400,
    'bad_request',
    'splits.items.{index}.accountId must be a sub account linked to the platform',
    'Spec §2.2',
  ),
  split_fee_too_large: row(
    400,
    'bad_request',
    'splits.items.{index}.fee.amount must be at most the amount of the split',
    'Spec §2.2',
  ),
  fee_account: row(
    400,
    'bad_request',
    'bookTo must be the platform or a sub account linked to it',
    'Spec §2.2',
  ),
  moto_not_allowed: row(400, 'bad_request', 'the account may not take MOTO payments', 'Spec §2.2'),
  preauth_not_allowed: row(
    400,
    'bad_request',
    'the merchant category of the account may not use PreAuth',
    'Spec §2.2',
  ),
  return_url: row(400, 'invalid_field', 'returnUrl {problem}', 'Spec §2.2'),
  series_mismatch: row(400, 'bad_request', 'previousPayment is of another {what}', 'Spec §2.2'),
  customer_unnamed: row(
    400,
    'bad_request',
    'customerDetails.id must be provided when paying with a stored payment method',
    'Spec §2.2',
  ),
  email_missing: row(
    400,
    'bad_request',
    'customerEmail is missing: it is needed before the payment can be made',
    'Spec §2.2',
  ),
  in_person_attempt: row(400, 'bad_request', 'an in-person payment is made at its terminal', 'Spec §4.12'),
  in_person_update: row(
    400,
    'bad_request',
    'of an in-person payment session only metadata can be updated',
    'Spec §4.12',
  ),
  one_payment_method: row(
    400,
    'invalid_field',
    'give exactly one of cardDetails, walletDetails and paymentMethod',
    'Spec §4.1',
  ),
  method_of_another: row(
    400,
    'bad_request',
    'the payment method is not one of the customer of this payment session',
    'Spec §4.1',
  ),
  method_used_once: row(400, 'bad_request', 'the payment method was for a single use', 'Spec §4.1'),
  one_of_three_ds: row(
    400,
    'invalid_field',
    'threeDs must have exactly one of fingerprint, challengeResult and appAuthentication',
    'Spec §4.1',
  ),
  three_ds_data: row(
    400,
    'invalid_field',
    '{field} cannot be decoded, or is about another authentication',
    'Spec §4.1',
  ),
  no_required_action: row(
    400,
    'bad_request',
    'the payment session does not wait for its cardholder',
    'Spec §4.1',
  ),
  other_action: row(400, 'bad_request', 'the payment session waits for {type}', 'Spec §4.1'),
  not_approved: row(
    400,
    'bad_request',
    'only an Approved payment can be {what}: this one is {status}',
    'Spec §3',
  ),
  not_manual: row(400, 'bad_request', 'only a payment with captureFlow Manual can be {what}', 'Spec §3'),
  capture_verification: row(400, 'bad_request', 'a verification has no money to capture', 'Spec §2.2'),
  capture_too_large: row(
    400,
    'invalid_field',
    'amount must be 1 to {left}, what is not captured yet',
    'Spec §4.1',
  ),
  void_after_capture: row(
    400,
    'bad_request',
    'part of the payment is captured: it cannot be voided',
    'Spec §4.1',
  ),
  capture_unnamed: row(
    400,
    'bad_request',
    'captureTransaction.id is required: the payment has several captures',
    'Spec §4.1',
  ),
  refund_not_sum: row(400, 'bad_request', 'amount must be {sum}, the sum of the splits', 'Spec §4.1'),
  split_refund_too_large: row(
    400,
    'invalid_field',
    'the amount of split {id} must be 1 to {left}, what is left of it',
    'Spec §4.1',
  ),
  split_fee_refund_too_large: row(
    400,
    'invalid_field',
    'the fee of split {id} must be at most {left}, what is left of it',
    'Spec §4.1',
  ),
  split_twice: row(400, 'invalid_field', 'splits names the same split twice', 'Spec §4.1'),

  customer_email_used: row(
    409,
    'conflict',
    'the account has a customer with this email already',
    'Spec §4.8',
  ),
  customer_subscribed: row(400, 'bad_request', 'a subscription still bills this customer', 'Spec §4.8'),
  method_single_use: row(
    400,
    'bad_request',
    'only a stored payment method can be deleted: this one is for a single use',
    'Spec §4.8',
  ),
  subscription_over: row(400, 'bad_request', 'the subscription is {status}', 'Spec §3'),
  pause_refused: row(
    400,
    'bad_request',
    'only a subscription that is Active or Paused can be paused: this one is {status}',
    'Spec §3',
  ),
  no_pause_scheduled: row(400, 'bad_request', 'no pause is scheduled', 'Spec §3'),
  not_paused: row(400, 'bad_request', 'the subscription is not Paused', 'Spec §3'),
  not_in_future: row(400, 'invalid_field', '{field} must be in the future', 'Spec §4.8'),
  in_past: row(400, 'invalid_field', '{field} must not be in the past', 'Spec §4.8'),
  not_owed: row(
    400,
    'bad_request',
    'the subscription of this payment session does not wait for it any more',
    'Spec §3',
  ),
  too_few_cycles: row(
    400,
    'invalid_field',
    'price.interval.times must be more than {cycle}, the cycles that have begun',
    'Spec §4.8',
  ),

  webhook_url: row(400, 'invalid_field', 'url {problem}', 'Spec §4.2'),
  webhooks_limit: row(400, 'bad_request', 'an account has at most {most} webhook endpoints', 'Spec §4.2'),
  webhook_private: row(400, 'invalid_field', 'url must not lead to a private address', 'Spec §4.2'),

  email_required: row(
    400,
    'invalid_field',
    'email is required for a Hosted account without entityType',
    'Spec §2.3',
  ),
  email_taken: row(409, 'conflict', 'email is that of a sub account already', 'Spec §2.3'),
  block_required: row(
    400,
    'invalid_field',
    '{block} is required when entityType is {entityType}',
    'Spec §2.3',
  ),
  block_mismatch: row(400, 'invalid_field', '{block} does not go with entityType {entityType}', 'Spec §2.3'),
  entity_type_required: row(400, 'invalid_field', 'entityType is required with {block}', 'Spec §2.3'),
  entity_type_final: row(
    400,
    'bad_request',
    'entityType cannot change once persons or documents were supplied or verification began',
    'Spec §4.3',
  ),
  account_hosted: row(
    400,
    'bad_request',
    'a Hosted account is completed by its holder, by way of POST /account-links',
    'Spec §4.3',
  ),
  account_non_hosted: row(400, 'bad_request', 'only a Hosted account has a page to complete', 'Spec §4.3'),
  individual_verify: row(
    400,
    'bad_request',
    'an Individual account is not submitted for verification',
    'Spec §4.3',
  ),
  persons_of_business: row(400, 'bad_request', 'only a Business account has persons', 'Spec §4.4'),
  persons_limit: row(400, 'bad_request', 'an account has at most {most} {what}', 'Spec §4.4'),
  person_in_verification: row(
    400,
    'bad_request',
    'a person is deleted only while verification.status is NotRequired or Required',
    'Spec §4.4',
  ),
  document_country: row(400, 'invalid_field', 'documents: country is required for {type}', 'Spec §2.3'),
  file_category: row(
    400,
    'invalid_field',
    'documents: {id} is not a file of category VerificationDocument',
    'Spec §2.3',
  ),
  not_multipart: row(415, 'unsupported_media_type', 'the body must be multipart/form-data', 'Spec §4.13'),
  bad_multipart: row(400, 'bad_request', 'the multipart body cannot be read: {problem}', 'Spec §4.13'),
  file_type: row(415, 'unsupported_media_type', 'file must be one of: [{allowed}]', 'Spec §4.13'),
  check_names_nothing: row(400, 'invalid_field', 'errors: {id} names no {what} of it', 'Sandbox'),

  transfer_sides: row(400, 'bad_request', 'name exactly one of source and destination', 'Spec §4.7'),
  terms_not_agreed: row(400, 'invalid_field', 'termAgreement must be true', 'Spec §4.7'),
  same_currency: row(400, 'invalid_field', '{field} must be another currency than is sold', 'Spec §4.7'),
  balance_short: row(
    400,
    'bad_request',
    'the balance does not suffice: {available} is available in {currency}',
    'Spec §4.7',
  ),
  desk_closed: row(
    400,
    'bad_request',
    'there are no rates during the daily closing: ask again in {seconds} s',
    'Spec §4.7',
  ),

  payout_method_exists: row(
    400,
    'bad_request',
    'the account has a payout method for {currency} already',
    'Spec §4.5',
  ),
  payout_country: row(
    400,
    'invalid_field',
    'country must be one of: [{allowed}] for {currency}',
    'Spec §2.5',
  ),
  bank_account: row(400, 'invalid_field', 'bankAccount.{field} {problem}', 'Spec §2.5'),
  payouts_not_manual: row(
    400,
    'bad_request',
    'only a NonHosted account whose payout schedule is Manual is paid out by this call',
    'Spec §4.6',
  ),
  payout_method_invalid: row(400, 'bad_request', 'the payout method is not Valid', 'Spec §4.6'),
  payout_currency: row(400, 'bad_request', 'the payout method is for {currency}', 'Spec §4.6'),
  payout_too_small: row(400, 'bad_request', 'amount must be at least {least}', 'Spec §4.6'),
  payout_unverified: row(400, 'bad_request', 'verification of the account is Required', 'Spec §4.6'),
  payout_frozen: row(400, 'bad_request', 'the account is frozen', 'Spec §4.6'),
  payout_dates_backwards: row(400, 'invalid_field', 'startDate must not be after endDate', 'Spec §4.6'),
  payout_settled: row(400, 'bad_request', 'the payout is {status}: it cannot become {wanted}', 'Spec §3'),

  dispute_state: row(400, 'bad_request', 'the dispute is {status}', 'Spec §4.9'),
  dispute_without_evidence: row(400, 'bad_request', 'a challenge needs evidence', 'Spec §4.9'),
  evidence_category: row(
    400,
    'invalid_field',
    'files.{field} is not a file of category Evidence',
    'Spec §4.9',
  ),
  not_disputable: row(400, 'bad_request', 'only a captured payment that is not disputed can be', 'Sandbox'),
  dispute_too_large: row(400, 'invalid_field', 'amount must be 1 to {most}, what is not refunded', 'Sandbox'),

  wallet_domain_used: row(409, 'conflict', 'domainName is registered already', 'Spec §4.10'),
  wallet_domains_limit: row(400, 'bad_request', 'an account has at most {most} web domains', 'Spec §4.10'),
  wallet_domain_name: row(400, 'invalid_field', 'domainName must be a host name', 'Spec §4.10'),
  wallet_domain_unverified: row(
    400,
    'bad_request',
    'the domain does not serve its verification file: {problem}',
    'Spec §4.10',
  ),

  not_simulated: row(400, 'bad_request', 'nobody simulates this terminal now', 'Sandbox'),
  simulation_refused: row(400, 'bad_request', '{problem}', 'Sandbox'),
  no_receipt: row(404, 'not_found', 'the action has no receipt yet', 'Sandbox'),
  key_wanted: row(
    401,
    'unauthorized',
    'the dashboard wants the secret API key, or the link that `tapbench open` prints',
    'Dashboard',
  ),
  foreign_page: row(403, 'forbidden', 'a page from elsewhere gets no way into the dashboard', 'Dashboard'),
  too_many_tries: row(429, 'too_many_requests', 'too many wrong keys: wait a minute', 'Dashboard'),
  not_ready: row(503, 'unexpected_error', 'not ready: {problems}', 'Health'),
  stopping: row(503, 'unexpected_error', 'the server stops', 'Spec §7'),
  store_failed: row(503, 'unexpected_error', 'the store cannot write: {problem}', 'Spec §7'),
  fault: row(
    500,
    'unexpected_error',
    'something went wrong here: see the server log for {requestId}',
    'Spec §7',
  ),
} as const satisfies Record<string, Row>;

export type RefusalName = keyof typeof REFUSALS;

/** The caller broke a rule. Thrown by rules and caught in one place, which writes the envelope. */
export class Refusal extends Error {
  readonly refusal: RefusalName;
  readonly code: Row['code'];
  readonly status: number;

  constructor(name: RefusalName, details: Record<string, string | number> = {}) {
    const { code, status, message } = REFUSALS[name];
    super(message.replace(/\{(\w+)\}/g, (_, key: string) => String(details[key] ?? key)));
    this.refusal = name;
    this.code = code;
    this.status = status;
  }
}

/** The error envelope of every refusal and fault (Spec §7). */
export function envelope(requestId: string, refusal: Refusal) {
  return {
    requestId,
    code: String(refusal.status),
    errors: [{ code: refusal.code, message: refusal.message }],
  };
}
