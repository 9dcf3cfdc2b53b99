import { AmountMinor, Id, Type } from '../../../protocol/schema.ts';
import type { DeclineCode } from '../../bank/issuer/decline-codes.ts';
import { RequiredAction } from '../../bank/three-ds/required-action.schema.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import type { Properties, RowOf } from '../../platform/store/stored-property.ts';
import type { OrderDetails, ShippingDetails } from './order.schema.ts';
import { PaymentMethod } from './payment-method-details.schema.ts';
import type { sessionStep, SessionPhase, SessionState } from './payment-session.machine.ts';
import {
  PaymentSession,
  type CredentialUsage,
  type CustomerDetails,
  type RebillingDetail,
} from './payment-session.schema.ts';
import { PaymentSettings } from './payment-settings.schema.ts';
import { Split } from './split.schema.ts';

/** Members of a session that no query reads, stored as JSON. */
export interface SessionDetails {
  /** Not shown. A session with it cannot have splits (Spec §2.2, splits). */
  passThroughProcessingFee?: boolean;
  /** Not shown: whether the shop ran 3DS with a provider of its own. */
  authenticatedElsewhere?: boolean;
  /** Not shown: the code with which the next attempt is declined. */
  declineNext?: DeclineCode;
  /** Not shown: id of the stored card whose bank wants its cardholder to authenticate this payment. */
  authenticateCard?: string;
  customerDetails?: CustomerDetails;
  shippingDetails?: ShippingDetails;
  orderDetails?: OrderDetails;
  rebillingDetail?: RebillingDetail;
  credentialOnFileUsage?: CredentialUsage;
}

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

/** The columns of a session that say which state it is in. */
type StoredSession = Pick<
  PaymentSessionRow,
  'state' | 'amount_minor' | 'captured_minor' | 'refunded_minor' | 'verify_account' | 'created_ms'
>;

type SessionStep = NonNullable<ReturnType<typeof sessionStep>>;

/** How long a session can be paid, and how long an approved amount is held (docs/choices.md, Payment sessions). */
export const SESSION_LIFETIME_MS = 7 * 86_400_000;
export const HOLD_MS = 7 * 86_400_000;

/** Returns the state of a session at an instant: a session that is not paid in time is expired. */
export function sessionStateOf(row: StoredSession, nowMs: number): SessionState {
  return {
    phase: phaseOf(row, nowMs),
    amountMinor: row.amount_minor,
    capturedMinor: row.captured_minor,
    refundedMinor: row.refunded_minor,
    verifyAccount: row.verify_account === 1,
  };
}

/** Returns the columns that a step of the machine changes. */
export function columnsAfter(step: SessionStep) {
  return {
    status: step.status,
    state: step.state,
    captured_minor: step.context.capturedMinor,
    refunded_minor: step.context.refundedMinor,
  };
}

/** States in which a session can be paid. It expires from them at the end of its lifetime. */
export const UNPAID: readonly SessionPhase[] = ['awaitingPayment', 'identifying', 'challenging'];

function phaseOf({ state, created_ms: createdMs }: StoredSession, nowMs: number): SessionPhase {
  return UNPAID.includes(state) && nowMs >= createdMs + SESSION_LIFETIME_MS ? 'expired' : state;
}

export function requiredActionOf(
  row: Pick<PaymentSessionRow, 'required_action'>,
): RequiredAction | undefined {
  return row.required_action === null ? undefined : parseJson(row.required_action);
}

export function paymentMethodOf(row: Pick<PaymentSessionRow, 'payment_method'>): PaymentMethod | undefined {
  return row.payment_method === null ? undefined : parseJson(row.payment_method);
}

/** Returns the payment settings that the session was created with. */
export function settingsOf(row: Pick<PaymentSessionRow, 'payment_settings'>): PaymentSettings {
  return row.payment_settings === null ? {} : parseJson(row.payment_settings);
}

export function splitsOf(row: Pick<PaymentSessionRow, 'splits'>): Split[] {
  return row.splits === null ? [] : parseJson(row.splits);
}

export function detailsOf(row: Pick<PaymentSessionRow, 'details'>): SessionDetails {
  return parseJson(row.details);
}
