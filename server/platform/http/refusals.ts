/**
 * Every refusal of the server: code, HTTP status, message and the section that requires it. `{name}` in a message is
 * replaced when the refusal is thrown. Error codes and envelope: docs/choices.md, Errors.
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
  bad_key: row(403, 'forbidden', 'the API key is unknown: use a key of this server', 'Spec §5.2'),
  key_not_alone: row(
    403,
    'forbidden',
    'send the key alone in the Authorization header, without Bearer, Basic or another word',
    'Spec §5.2',
  ),
  dashboard_token: row(
    403,
    'forbidden',
    'the token of the dashboard cannot be used for this request: send the secret API key',
    'Dashboard',
  ),
  public_key: row(403, 'forbidden', 'this request requires the secret API key', 'Spec §5.4'),
  account_malformed: row(400, 'invalid_field', 'Account must be an account id: ac_ and a UUID', 'Spec §5.6'),
  account_not_linked: row(
    403,
    'forbidden',
    'Account must be a sub account linked to the account of the API key',
    'Spec §5.6',
  ),
  idempotency_key_length: row(
    400,
    'bad_request',
    'Idempotency-Key must have 1 to {most} characters',
    'Idempotency keys',
  ),
  idempotency_key_reused: row(
    422,
    'bad_request',
    'the Idempotency-Key was sent with another path or body: use a new key for a new request',
    'Idempotency keys',
  ),
  idempotency_key_in_use: row(
    409,
    'conflict',
    'a request with this Idempotency-Key is under way: retry later',
    'Idempotency keys',
  ),
  rate_exceeded: row(
    429,
    'too_many_requests',
    'more than {rate} requests per second: retry later, with increasing delays',
    'Spec §8',
  ),

  unknown_path: row(404, 'not_found', 'there is nothing at {path}', 'Spec §4'),
  final_slash: row(404, 'not_found', 'there is nothing at {path}: leave out the final /', 'Spec §4'),
  wrong_method: row(405, 'bad_request', '{method} is not allowed here', 'Spec §4'),
  undecodable_path: row(400, 'bad_request', 'the path cannot be decoded', 'Spec §4'),
  not_found: row(404, 'not_found', 'no such {what}', 'Spec §4'),
  body_too_large: row(413, 'bad_request', 'the body is larger than {limit}', 'Spec §4'),
  not_json: row(400, 'bad_request', 'the body is not valid JSON', 'Spec §4'),
  body_too_deep: row(
    400,
    'bad_request',
    'arrays and objects in the body are nested more than {limit} deep',
    'Spec §4',
  ),
  bad_host: row(400, 'bad_request', 'the request must have one valid Host header', 'Spec §4'),
  headers_too_large: row(431, 'bad_request', 'the headers are larger than 16 KiB', 'Spec §4'),
  chunk_extensions_too_large: row(413, 'bad_request', 'the chunk extensions are too large', 'Spec §4'),
  request_timeout: row(408, 'bad_request', 'the request did not arrive within 60 s', 'Spec §4'),
  unknown_expectation: row(417, 'bad_request', 'Expect must be 100-continue', 'Spec §4'),
  bad_http: row(400, 'bad_request', 'the request is not valid HTTP', 'Spec §4'),
  content_encoding: row(
    415,
    'unsupported_media_type',
    'the body must not be encoded: send it without Content-Encoding',
    'Spec §4',
  ),
  unsupported_media: row(415, 'unsupported_media_type', 'the body must be JSON', 'Spec §4'),
  invalid_field: row(400, 'invalid_field', '{field} {problem}', 'Spec §2'),
  unknown_token: row(400, 'invalid_field', 'startsAfter is not a paginationToken of this list', 'Spec §4'),
  window_backwards: row(400, 'invalid_field', 'startTimestamp must be before endTimestamp', 'Spec §4.1'),

  no_sandboxes: row(400, 'bad_request', 'this server keeps no other sandboxes', 'Sandboxes'),
  not_the_default_key: row(
    403,
    'forbidden',
    'this request requires the secret API key of the sandbox default',
    'Sandboxes',
  ),
  not_the_host_key: row(
    403,
    'forbidden',
    'this request requires the key that the server has in HOST_KEY',
    'Sandboxes',
  ),
  sandbox_exists: row(409, 'conflict', 'there is a sandbox {name} already', 'Sandboxes'),
  too_many_sandboxes: row(409, 'conflict', 'there are {limit} sandboxes: delete one first', 'Sandboxes'),
  too_many_snapshots: row(
    409,
    'conflict',
    'there are {limit} snapshots (SNAPSHOTS_MAX): delete one first',
    'Sandboxes',
  ),
  not_a_snapshot: row(400, 'bad_request', 'the file is not a snapshot of a sandbox', 'Sandboxes'),
  snapshot_damaged: row(400, 'bad_request', 'the snapshot is damaged: {problem}', 'Sandboxes'),
  snapshot_newer: row(
    400,
    'bad_request',
    'the snapshot was made by a newer version, Tapbench {version}: upgrade this server',
    'Sandboxes',
  ),
  snapshot_too_large: row(
    413,
    'bad_request',
    'the snapshot is larger than {limit} (SNAPSHOT_MB_MAX)',
    'Sandboxes',
  ),
  default_settings: row(
    400,
    'bad_request',
    'the sandbox default has the settings of the server: start it with IDEMPOTENCY_KEYS, STRICT or PACE',
    'Sandboxes',
  ),
  sandbox_is_recorded: row(
    409,
    'conflict',
    'the sandbox is being recorded, and a recording has one value of each setting: stop it first',
    'Sandboxes',
  ),
  default_sandbox: row(400, 'bad_request', 'the sandbox default cannot be deleted', 'Sandboxes'),

  location_in_use: row(
    400,
    'bad_request',
    'the location has a terminal: move or delete the terminal first',
    'Spec §4.11',
  ),
  region_required: row(
    400,
    'invalid_field',
    'address.region must be a 2-character code for {country}',
    'Spec §2.7',
  ),
  serial_registered: row(409, 'conflict', 'serialNumber is already registered', 'Spec §4.12'),
  at_payment_terminal: row(
    409,
    'conflict',
    'a payment terminal has the request and takes no cancel: wait for its outcome, or settle it once it is unknown',
    'Unknown outcomes',
  ),
  nothing_to_settle: row(
    409,
    'conflict',
    'the terminal has no action whose outcome is unknown: an outcome that is known needs nobody to settle it',
    'Sandbox',
  ),
  terminal_busy: row(
    409,
    'conflict',
    'the terminal has an action in progress: cancel it, or wait for it to end',
    'Spec §4.12',
  ),
  terminal_online: row(
    409,
    'conflict',
    'the terminal is online: another program or device is connected as this terminal',
    'Pairing',
  ),
  terminal_in_use: row(
    400,
    'bad_request',
    'the terminal has an action in progress and cannot be deleted: cancel the action, or wait for it to end',
    'Spec §4.12',
  ),
  no_action: row(400, 'bad_request', 'the terminal has no action in progress', 'Spec §4.12'),
  currency_disabled: row(400, 'invalid_field', 'currency must be one of: [{allowed}]', 'Spec §2.1'),
  in_person_not_enabled: row(
    400,
    'bad_request',
    'the capability inPersonPayments of the account is not enabled: request it first',
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
    '{field} requires the Account header with a sub account',
    'Spec §2.2',
  ),
  fee_too_large: row(400, 'invalid_field', '{field} must be at most the amount', 'Spec §2.2'),
  copy_not_required: row(400, 'bad_request', '{copy} does not require a confirmation', 'Spec §4.12'),
  no_copy_named: row(400, 'invalid_field', 'send merchantCopy, customerCopy or both', 'Spec §4.12'),
  refund_not_captured: row(400, 'bad_request', 'only a captured payment can be refunded', 'Spec §2.2'),
  refund_not_in_person: row(
    400,
    'bad_request',
    'only an in-person payment can be refunded on a terminal',
    'Spec §4.12',
  ),
  refund_in_flight: row(
    400,
    'bad_request',
    'another refund of this payment is in progress: wait for it to end',
    'Spec §2.2',
  ),
  refund_too_large: row(
    400,
    'invalid_field',
    'amount must be 1 to {left}, the amount left to refund',
    'Spec §4.12',
  ),
  refund_disputed: row(
    400,
    'bad_request',
    'the rest of the payment is disputed and cannot be refunded',
    'Spec §4.9',
  ),
  nothing_left: row(400, 'bad_request', 'the payment is already fully refunded', 'Spec §4.12'),
  no_platform_fee: row(400, 'bad_request', 'the payment has no platform fee to refund', 'Spec §4.12'),
  session_final: row(400, 'bad_request', 'the payment session can no longer be paid or updated', 'Spec §3'),
  session_expired: row(400, 'bad_request', 'the payment session has expired: create another', 'Spec §3'),
  verification_terms: row(400, 'bad_request', 'a verifyAccount payment session {problem}', 'Spec §2.2'),
  splits_not_allowed: row(400, 'bad_request', 'splits cannot be combined with {what}', 'Spec §2.2'),
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
    'bookTo must be the platform, or a sub account linked to it',
    'Spec §2.2',
  ),
  moto_not_allowed: row(400, 'bad_request', 'the account is not allowed to take MOTO payments', 'Spec §2.2'),
  preauth_not_allowed: row(
    400,
    'bad_request',
    'the merchant category of the account does not allow PreAuth',
    'Spec §2.2',
  ),
  return_url: row(400, 'invalid_field', 'returnUrl {problem}', 'Spec §2.2'),
  series_mismatch: row(400, 'bad_request', 'previousPayment must have the same {what}', 'Spec §2.2'),
  customer_unnamed: row(
    400,
    'bad_request',
    'customerDetails.id is required to pay with a stored payment method',
    'Spec §2.2',
  ),
  email_missing: row(
    400,
    'bad_request',
    'customerEmail is required to take a payment: add it to the payment session or the attempt',
    'Spec §2.2',
  ),
  in_person_attempt: row(
    400,
    'bad_request',
    'an in-person payment can only be paid at its terminal',
    'Spec §4.12',
  ),
  in_person_update: row(
    400,
    'bad_request',
    'only metadata of an in-person payment session can be updated',
    'Spec §4.12',
  ),
  one_payment_method: row(400, 'invalid_field', 'send exactly one of {members}', 'Spec §4.1'),
  store_missing: row(
    400,
    'bad_request',
    'the card would not be stored: a payment of type {type} by card or wallet requires paymentMethodOptions.store true',
    'Attempts',
  ),
  email_set: row(
    400,
    'bad_request',
    'customerEmail cannot be changed: it is set already',
    'Payment sessions',
  ),
  method_of_another: row(
    400,
    'bad_request',
    'the payment method must belong to the customer of the payment session',
    'Spec §4.1',
  ),
  method_used_once: row(
    400,
    'bad_request',
    'the payment method is for a single use and was already used',
    'Spec §4.1',
  ),
  one_of_three_ds: row(
    400,
    'invalid_field',
    'threeDs must have exactly one of fingerprint, challengeResult and appAuthentication',
    'Spec §4.1',
  ),
  three_ds_data: row(
    400,
    'invalid_field',
    '{field} cannot be decoded, or belongs to another authentication',
    'Spec §4.1',
  ),
  no_required_action: row(400, 'bad_request', 'the payment session has no required action', 'Spec §4.1'),
  other_action: row(400, 'bad_request', 'the required action of the payment session is {type}', 'Spec §4.1'),
  not_approved: row(
    400,
    'bad_request',
    'only an Approved payment can be {what}: this one is {status}',
    'Spec §3',
  ),
  not_manual: row(400, 'bad_request', 'only a payment with captureFlow Manual can be {what}', 'Spec §3'),
  capture_verification: row(400, 'bad_request', 'an account verification cannot be captured', 'Spec §2.2'),
  capture_too_large: row(
    400,
    'invalid_field',
    'amount must be 1 to {left}, the amount left to capture',
    'Spec §4.1',
  ),
  void_after_capture: row(400, 'bad_request', 'a partly captured payment cannot be voided', 'Spec §4.1'),
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
    'the amount of split {id} must be 1 to {left}, the amount left of it',
    'Spec §4.1',
  ),
  split_fee_refund_too_large: row(
    400,
    'invalid_field',
    'the fee of split {id} must be at most {left}, the fee left of it',
    'Spec §4.1',
  ),
  split_twice: row(400, 'invalid_field', 'splits.items must not repeat a split', 'Spec §4.1'),

  customer_email_used: row(409, 'conflict', 'a customer with this email already exists', 'Spec §4.8'),
  customer_subscribed: row(
    400,
    'bad_request',
    'the customer has a subscription: cancel it first',
    'Spec §4.8',
  ),
  method_single_use: row(
    400,
    'bad_request',
    'a payment method for a single use cannot be deleted',
    'Spec §4.8',
  ),
  subscription_over: row(400, 'bad_request', 'a subscription that is {status} cannot be changed', 'Spec §3'),
  pause_refused: row(
    400,
    'bad_request',
    'only an Active or Paused subscription can be paused: this one is {status}',
    'Spec §3',
  ),
  no_pause_scheduled: row(400, 'bad_request', 'the subscription has no scheduled pause', 'Spec §3'),
  not_paused: row(400, 'bad_request', 'the subscription is not Paused', 'Spec §3'),
  not_in_future: row(400, 'invalid_field', '{field} must be in the future', 'Spec §4.8'),
  in_past: row(400, 'invalid_field', '{field} must not be in the past', 'Spec §4.8'),
  not_owed: row(400, 'bad_request', 'the subscription no longer requires this payment', 'Spec §3'),
  too_few_cycles: row(
    400,
    'invalid_field',
    'price.interval.times must be more than {cycle}, the number of cycles that have started',
    'Spec §4.8',
  ),

  webhook_url: row(400, 'invalid_field', 'url {problem}', 'Spec §4.2'),
  webhooks_limit: row(
    400,
    'bad_request',
    'an account can have at most {most} webhook endpoints',
    'Spec §4.2',
  ),
  webhook_private: row(400, 'invalid_field', 'url must not resolve to a private address', 'Spec §4.2'),

  email_required: row(
    400,
    'invalid_field',
    'email is required for a Hosted account without entityType',
    'Spec §2.3',
  ),
  email_taken: row(409, 'conflict', 'a sub account with this email already exists', 'Spec §2.3'),
  block_required: row(
    400,
    'invalid_field',
    '{block} is required when entityType is {entityType}',
    'Spec §2.3',
  ),
  block_mismatch: row(
    400,
    'invalid_field',
    '{block} cannot be combined with entityType {entityType}',
    'Spec §2.3',
  ),
  entity_type_required: row(400, 'invalid_field', 'entityType is required with {block}', 'Spec §2.3'),
  entity_type_final: row(
    400,
    'bad_request',
    'entityType cannot change after persons or documents were supplied or verification has started',
    'Spec §4.3',
  ),
  account_hosted: row(
    400,
    'bad_request',
    'a Hosted account is completed by its holder: create a link with POST /account-links',
    'Spec §4.3',
  ),
  account_non_hosted: row(400, 'bad_request', 'account links are for Hosted accounts only', 'Spec §4.3'),
  individual_verify: row(
    400,
    'bad_request',
    'an Individual account cannot be submitted for verification',
    'Spec §4.3',
  ),
  persons_of_business: row(400, 'bad_request', 'only a Business account can have persons', 'Spec §4.4'),
  persons_limit: row(400, 'bad_request', 'an account can have at most {most} {what}', 'Spec §4.4'),
  person_in_verification: row(
    400,
    'bad_request',
    'a person can only be deleted while verification.status is NotRequired or Required',
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
  check_names_nothing: row(
    400,
    'invalid_field',
    'errors: {id} is not a {what} of the account or person',
    'Sandbox',
  ),

  transfer_sides: row(400, 'bad_request', 'send exactly one of source and destination', 'Spec §4.7'),
  terms_not_agreed: row(400, 'invalid_field', 'termAgreement must be true', 'Spec §4.7'),
  same_currency: row(400, 'invalid_field', '{field} must differ from the sold currency', 'Spec §4.7'),
  balance_short: row(400, 'bad_request', 'the balance is too low: {available} is available', 'Spec §4.7'),
  desk_closed: row(
    400,
    'bad_request',
    'there are no exchange rates during the daily closing: retry in {seconds} s',
    'Spec §4.7',
  ),

  payout_method_exists: row(
    400,
    'bad_request',
    'the account already has a payout method for {currency}',
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
    'payouts can only be created for a NonHosted account with a Manual payout schedule',
    'Spec §4.6',
  ),
  payout_method_invalid: row(
    400,
    'bad_request',
    'payoutMethodId must be a payout method that is Valid',
    'Spec §4.6',
  ),
  payout_currency: row(
    400,
    'bad_request',
    'currency must be {currency}, the currency of the payout method',
    'Spec §4.6',
  ),
  payout_too_small: row(400, 'bad_request', 'amount must be at least {least} in {currency}', 'Spec §4.6'),
  payout_unverified: row(
    400,
    'bad_request',
    'verification.status of the account is Required: supply what is missing first',
    'Spec §4.6',
  ),
  payout_frozen: row(400, 'bad_request', 'the account is frozen: payouts are disabled', 'Spec §4.6'),
  payout_dates_backwards: row(400, 'invalid_field', 'startDate must not be after endDate', 'Spec §4.6'),
  payout_settled: row(400, 'bad_request', 'the payout is {status}: it cannot become {wanted}', 'Spec §3'),

  dispute_state: row(400, 'bad_request', 'this is not possible while the dispute is {status}', 'Spec §4.9'),
  dispute_without_evidence: row(
    400,
    'bad_request',
    'evidence is required to challenge a dispute: add it first',
    'Spec §4.9',
  ),
  evidence_category: row(
    400,
    'invalid_field',
    'files.{field} is not a file of category Evidence',
    'Spec §4.9',
  ),
  not_disputable: row(
    400,
    'bad_request',
    'only a captured payment without a dispute can be disputed',
    'Sandbox',
  ),
  dispute_too_large: row(
    400,
    'invalid_field',
    'amount must be 1 to {most}, the amount that is not refunded',
    'Sandbox',
  ),

  wallet_domain_used: row(409, 'conflict', 'domainName is already registered', 'Spec §4.10'),
  wallet_domains_limit: row(
    400,
    'bad_request',
    'an account can have at most {most} web domains',
    'Spec §4.10',
  ),
  wallet_domain_name: row(400, 'invalid_field', 'domainName must be a host name', 'Spec §4.10'),
  wallet_domain_unverified: row(
    400,
    'bad_request',
    'the domain does not serve its verification file: {problem}',
    'Spec §4.10',
  ),

  not_simulated: row(
    400,
    'bad_request',
    'the terminal is not simulated, or its simulator is not connected',
    'Sandbox',
  ),
  simulation_refused: row(400, 'bad_request', '{problem}', 'Sandbox'),
  no_drills: row(400, 'bad_request', 'this server plays no drills: start it with tapbench up', 'Sandbox'),
  drill_unavailable: row(409, 'conflict', 'the drill cannot be played here: {problem}', 'Sandbox'),
  drill_is_playing: row(
    409,
    'conflict',
    'the drill {drill} is being played: wait until it has ended',
    'Sandbox',
  ),
  no_receipt: row(404, 'not_found', 'the action has no receipt yet', 'Sandbox'),
  endpoint_inactive: row(409, 'conflict', 'the endpoint of the delivery is inactive or deleted', 'Sandbox'),
  too_many_fault_plans: row(409, 'conflict', 'there are {limit} plans of faults: delete one first', 'Faults'),
  faults_ignored: row(
    409,
    'conflict',
    'this server ignores plans of faults: start it without FAULTS=off',
    'Faults',
  ),
  no_kill: row(
    409,
    'conflict',
    'a fault may not kill this server: start it with --killable, by what starts it again when it ends',
    'Faults',
  ),
  too_many_recordings: row(
    409,
    'conflict',
    'there are {limit} recordings of the sandbox: delete one first',
    'Sandbox',
  ),
  too_many_certificates: row(
    409,
    'conflict',
    '{limit} certificates of the sandbox are under way: wait until one has ended',
    'Sandbox',
  ),
  certificate_over: row(409, 'conflict', 'the certificate has ended', 'Sandbox'),
  act_not_asked: row(409, 'conflict', 'the act is not asked for now: it was answered already', 'Sandbox'),
  requests_not_stored: row(
    409,
    'conflict',
    'the server stores no requests: start it with REQUEST_LOG_MAX above 0',
    'Sandbox',
  ),
  key_wanted: row(
    401,
    'unauthorized',
    'sign in with the secret API key, or open the link that `tapbench open` prints',
    'Dashboard',
  ),
  foreign_page: row(403, 'forbidden', 'pages of other origins cannot use the dashboard', 'Dashboard'),
  too_many_tries: row(429, 'too_many_requests', 'too many wrong keys: wait a minute', 'Dashboard'),
  not_ready: row(503, 'unexpected_error', 'not ready: {problems}', 'Health'),
  stopping: row(503, 'unexpected_error', 'the server is shutting down: retry later', 'Spec §7'),
  fault_unavailable: row(
    503,
    'unexpected_error',
    'a fault of the sandbox makes this request fail: retry later',
    'Faults',
  ),
  store_failed: row(503, 'unexpected_error', 'the database cannot be written: {problem}', 'Spec §7'),
  fault: row(
    500,
    'unexpected_error',
    'an unexpected error occurred: see {requestId} in the log of the server',
    'Spec §7',
  ),
} as const satisfies Record<string, Row>;

export type RefusalName = keyof typeof REFUSALS;

/** Thrown when the caller broke a rule, and caught in one place, which writes the envelope. */
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

/** Returns the refusal of a request about an object that is not there. It has the name of its tag, without the group. */
export function noSuch(tag: string): Refusal {
  return new Refusal('not_found', { what: tag.replace(/^(?:In-person|Sandbox) /, '').toLowerCase() });
}

/** Returns the error envelope of a refusal or fault (Spec §7). */
export function envelope(requestId: string, refusal: Refusal) {
  return {
    requestId,
    code: String(refusal.status),
    errors: [{ code: refusal.code, message: refusal.message }],
  };
}
