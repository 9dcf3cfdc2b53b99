import type { SessionPhase, SessionState } from './payment-session.machine.ts';
import type { CredentialUsage, CustomerDetails, RebillingDetail } from './payment-session.schema.ts';
import type { PaymentSettings } from './payment-settings.schema.ts';
import type { PaymentMethod } from './payment-method-details.schema.ts';
import type { RequiredAction } from '../../bank/three-ds/required-action.schema.ts';
import type { DeclineCode } from '../../bank/issuer/decline-codes.ts';
import type { Split } from './split.schema.ts';
import type { OrderDetails, ShippingDetails } from './order.schema.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';

/** The columns of a session that are read here. */
interface StoredSession {
  state: SessionPhase;
  amount_minor: number;
  captured_minor: number;
  refunded_minor: number;
  verify_account: number;
  created_ms: number;
  required_action: JsonText<RequiredAction> | null;
  payment_method: JsonText<PaymentMethod> | null;
  payment_settings: JsonText<PaymentSettings> | null;
  splits: JsonText<Split[]> | null;
  details: JsonText<SessionDetails>;
}

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

/** States from which a session expires at the end of its lifetime. */
const UNPAID: readonly SessionPhase[] = ['awaitingPayment', 'identifying', 'challenging'];

function phaseOf({ state, created_ms: createdMs }: StoredSession, nowMs: number): SessionPhase {
  return UNPAID.includes(state) && nowMs >= createdMs + SESSION_LIFETIME_MS ? 'expired' : state;
}

export function requiredActionOf(row: Pick<StoredSession, 'required_action'>): RequiredAction | undefined {
  return row.required_action === null ? undefined : parseJson(row.required_action);
}

export function paymentMethodOf(row: Pick<StoredSession, 'payment_method'>): PaymentMethod | undefined {
  return row.payment_method === null ? undefined : parseJson(row.payment_method);
}

/** Returns the payment settings that the session was created with. */
export function settingsOf(row: Pick<StoredSession, 'payment_settings'>): PaymentSettings {
  return row.payment_settings === null ? {} : parseJson(row.payment_settings);
}

export function splitsOf(row: Pick<StoredSession, 'splits'>): Split[] {
  return row.splits === null ? [] : parseJson(row.splits);
}

export function detailsOf(row: Pick<StoredSession, 'details'>): SessionDetails {
  return parseJson(row.details);
}

/** Members of a session that no query reads, stored as JSON. */
export interface SessionDetails {
  /** Not shown. A session with it cannot have splits (Spec §2.2, splits). */
  passThroughProcessingFee?: boolean;
  /** Not shown: whether the shop ran 3DS with a provider of its own. */
  authenticatedElsewhere?: boolean;
  /** Not shown: the code with which the next attempt is declined. */
  declineNext?: DeclineCode;
  customerDetails?: CustomerDetails;
  shippingDetails?: ShippingDetails;
  orderDetails?: OrderDetails;
  rebillingDetail?: RebillingDetail;
  credentialOnFileUsage?: CredentialUsage;
}
