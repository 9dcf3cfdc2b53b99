import type { JsonText } from '../../platform/store/json-text.ts';
import type { Row } from '../../platform/store/store.ts';
import type { RequiredAction } from '../../bank/three-ds/required-action.schema.ts';
import type { PaymentMethod } from './payment-method-details.schema.ts';
import type { SessionPhase } from './payment-session.machine.ts';
import type { PaymentSession } from './payment-session.schema.ts';
import type { PaymentSettings } from './payment-settings.schema.ts';
import type { SessionDetails } from './session-parts.ts';
import type { Split } from './split.schema.ts';

/** A row of `payment_sessions`. */
export interface PaymentSessionRow extends Row {
  id: string;
  account_id: string;
  status: PaymentSession['status'];
  /** State of the session's machine as of its last step; see `sessionStateOf` for what time adds to it. */
  state: SessionPhase;
  amount_minor: number;
  captured_minor: number;
  refunded_minor: number;
  currency: string;
  payment_type: PaymentSession['paymentType'];
  entry_mode: PaymentSession['entryMode'];
  authorization_type: PaymentSession['authorizationType'];
  capture_flow: PaymentSession['captureFlow'];
  verify_account: number;
  customer_id: string | null;
  customer_email: string | null;
  previous_session_id: string | null;
  platform_fee_minor: number | null;
  splits: JsonText<Split[]> | null;
  details: JsonText<SessionDetails>;
  last_error: string | null;
  client_secret: string;
  payment_method: JsonText<PaymentMethod> | null;
  payment_settings: JsonText<PaymentSettings> | null;
  required_action: JsonText<RequiredAction> | null;
  three_ds_run_id: string | null;
  fail_next: string | null;
  statement_descriptor: JsonText<PaymentSession['statementDescriptor']>;
  return_url: string;
  metadata: JsonText<PaymentSession['metadata']>;
  created_ms: number;
  updated_ms: number;
  /** The reply that shows the row, without the client secret; see payment-session-reply.ts. */
  reply: string | null;
  reply_version: number | null;
  /** Time at which the row was saved with this reply, epoch milliseconds. */
  reply_ms: number | null;
}

/** The columns besides those of the reply. */
export const SESSION_COLUMNS = [
  'id',
  'account_id',
  'status',
  'state',
  'amount_minor',
  'captured_minor',
  'refunded_minor',
  'currency',
  'payment_type',
  'entry_mode',
  'authorization_type',
  'capture_flow',
  'verify_account',
  'customer_id',
  'customer_email',
  'previous_session_id',
  'platform_fee_minor',
  'splits',
  'details',
  'last_error',
  'client_secret',
  'payment_method',
  'payment_settings',
  'required_action',
  'three_ds_run_id',
  'fail_next',
  'statement_descriptor',
  'return_url',
  'metadata',
  'created_ms',
  'updated_ms',
] as const satisfies readonly (keyof PaymentSessionRow)[];
