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
  bad_http: row(400, 'bad_request', 'the request is not valid HTTP', 'Spec §4'),
  unsupported_media: row(415, 'unsupported_media_type', 'the body must be JSON', 'Spec §4'),
  invalid_field: row(400, 'invalid_field', '{field} {problem}', 'Spec §2'),
  unknown_token: row(400, 'invalid_field', 'startsAfter is not a paginationToken of this list', 'Spec §4'),

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
  terminal_acting: row(400, 'bad_request', 'the terminal has an action in progress', 'Spec §4.12'),
  no_action: row(400, 'bad_request', 'the terminal has no action in progress', 'Spec §4.12'),
  currency_disabled: row(400, 'invalid_field', 'currency must be one of: [{allowed}]', 'Spec §2.1'),
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
  nothing_left: row(400, 'bad_request', 'the payment is refunded already', 'Spec §4.12'),
  no_platform_fee: row(400, 'bad_request', 'the payment has no platform fee to refund', 'Spec §4.12'),

  webhook_url: row(400, 'invalid_field', 'url {problem}', 'Spec §4.2'),
  webhook_private: row(400, 'invalid_field', 'url must not lead to a private address', 'Spec §4.2'),

  not_simulated: row(400, 'bad_request', 'nobody simulates this terminal now', 'Sandbox'),
  simulation_refused: row(400, 'bad_request', '{problem}', 'Sandbox'),
  no_receipt: row(404, 'not_found', 'the action has no receipt yet', 'Sandbox'),
  not_ready: row(503, 'unexpected_error', 'not ready: {missing} not serving', 'Health'),
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
