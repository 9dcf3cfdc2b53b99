import { AmountMinor, Id, Type } from '../../../protocol/schema.ts';
import { RequiredAction } from '../../bank/three-ds/required-action.schema.ts';
import type { Properties, RowOf } from '../../platform/store/stored-property.ts';
import { PaymentMethod } from './payment-method-details.schema.ts';
import type { SessionPhase } from './payment-session.machine.ts';
import { PaymentSession } from './payment-session.schema.ts';
import { PaymentSettings } from './payment-settings.schema.ts';
import type { SessionDetails } from './session-parts.ts';
import { Split } from './split.schema.ts';

const shown = PaymentSession.properties;

/** What is stored of a payment session. Its replies are made in payment-session-view.ts. */
export const PAYMENT_SESSION = {
  status: { schema: shown.status, column: 'status', initial: 'PendingPayment' },
  /** State of the session's machine as of its last step; see `sessionStateOf` for what time adds to it. */
  state: { schema: Type.Unsafe<SessionPhase>(Type.String()), column: 'state', initial: 'awaitingPayment' },
  amount: { schema: AmountMinor, column: 'amount_minor', always: true },
  capturedAmount: { schema: AmountMinor, column: 'captured_minor', initial: 0 },
  refundedAmount: { schema: AmountMinor, column: 'refunded_minor', initial: 0 },
  currency: { schema: shown.currency, column: 'currency', always: true, fixed: true },
  paymentType: { schema: shown.paymentType, column: 'payment_type', initial: 'Standard', fixed: true },
  entryMode: { schema: shown.entryMode, column: 'entry_mode', always: true, fixed: true },
  authorizationType: {
    schema: shown.authorizationType,
    column: 'authorization_type',
    initial: 'FinalAuth',
    fixed: true,
  },
  captureFlow: { schema: shown.captureFlow, column: 'capture_flow', always: true },
  verifyAccount: { schema: Type.Boolean(), column: 'verify_account', initial: false, fixed: true },
  customerId: { schema: Type.String(), column: 'customer_id' },
  customerEmail: { schema: Type.String(), column: 'customer_email', searched: true },
  previousSessionId: { schema: Id('paymentSession'), column: 'previous_session_id', fixed: true },
  platformFee: { schema: AmountMinor, column: 'platform_fee_minor' },
  splits: { schema: Type.Array(Split), column: 'splits' },
  details: { schema: Type.Unsafe<SessionDetails>(Type.Object({})), column: 'details', initial: {} },
  lastError: { schema: Type.String(), column: 'last_error', later: true },
  clientSecret: { schema: Type.String(), column: 'client_secret', always: true, fixed: true },
  paymentMethod: { schema: PaymentMethod, column: 'payment_method', later: true },
  paymentSettings: { schema: PaymentSettings, column: 'payment_settings' },
  requiredAction: { schema: RequiredAction, column: 'required_action', later: true },
  threeDsRunId: { schema: Type.String(), column: 'three_ds_run_id', later: true },
  failNext: { schema: Type.String(), column: 'fail_next', later: true },
  statementDescriptor: {
    schema: shown.statementDescriptor,
    column: 'statement_descriptor',
    always: true,
    fixed: true,
  },
  returnUrl: { schema: Type.String(), column: 'return_url', always: true },
  metadata: { schema: shown.metadata, column: 'metadata', initial: {}, searched: true },
  /** The reply that shows the row, without the client secret; see payment-session-reply.ts. */
  reply: { schema: Type.String(), column: 'reply' },
  replyVersion: { schema: Type.Integer(), column: 'reply_version' },
  /** Time at which the row was saved with this reply, epoch milliseconds. */
  replyMs: { schema: Type.Integer(), column: 'reply_ms' },
} as const satisfies Properties;

/** A row of `payment_sessions`. */
export type PaymentSessionRow = RowOf<typeof PAYMENT_SESSION>;
