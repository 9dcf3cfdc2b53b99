import { toTimestamp } from '../../../protocol/clock.ts';
import type { PageSource } from '../../platform/http/paging.ts';
import { createdInOrder } from '../../platform/http/time-window.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, SqlValue, Transaction } from '../../platform/store/store.ts';
import type { SessionPhase } from './payment-session.machine.ts';
import type { PaymentSession } from './payment-session.schema.ts';
import type { PaymentMethod } from './payment-method-details.schema.ts';
import type { RequiredAction } from '../../bank/three-ds/required-action.schema.ts';
import type { PaymentSettings } from './payment-settings.schema.ts';
import {
  detailsOf,
  paymentMethodOf,
  requiredActionOf,
  settingsOf,
  splitsOf,
  type SessionDetails,
} from './session-parts.ts';
import type { Split } from './split.schema.ts';

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
}

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

export interface NewPaymentSession {
  id: string;
  accountId: string;
  amountMinor: number;
  currency: string;
  entryMode: PaymentSession['entryMode'];
  captureFlow: PaymentSession['captureFlow'];
  clientSecret: string;
  statementDescriptor: object;
  returnUrl: string;
  paymentType?: PaymentSession['paymentType'] | undefined;
  authorizationType?: PaymentSession['authorizationType'] | undefined;
  verifyAccount?: boolean | undefined;
  customerId?: string | undefined;
  customerEmail?: string | undefined;
  previousSessionId?: string | undefined;
  platformFeeMinor?: number | undefined;
  splits?: Split[] | undefined;
  details?: SessionDetails;
  paymentSettings?: PaymentSettings | undefined;
  metadata?: Record<string, string> | undefined;
}

/** Returns a session as events contain it: without the client secret, which is never recorded (Spec §2.2). */
export function toPaymentSessionWithoutSecret(row: PaymentSessionRow): Omit<PaymentSession, 'clientSecret'> {
  const paymentMethod = paymentMethodOf(row);
  const requiredAction = row.status === 'PendingAction' ? requiredActionOf(row) : undefined;
  return {
    id: row.id,
    amount: row.amount_minor,
    currency: row.currency,
    paymentType: row.payment_type,
    entryMode: row.entry_mode,
    ...customerOf(row),
    ...(row.previous_session_id !== null && { previousPayment: { id: row.previous_session_id } }),
    enabledPaymentMethods: ['Card'],
    ...(paymentMethod && { paymentMethod }),
    ...(row.platform_fee_minor !== null && { platformFee: row.platform_fee_minor }),
    splitPaymentDetail: { items: splitsOf(row) },
    status: row.status,
    metadata: parseJson(row.metadata),
    ...(row.last_error !== null && { lastError: row.last_error }),
    refundedAmount: row.refunded_minor,
    statementDescriptor: parseJson(row.statement_descriptor),
    ...(requiredAction && { requiredAction }),
    returnUrl: row.return_url,
    authorizationType: row.authorization_type,
    captureFlow: row.capture_flow,
    ...(row.verify_account === 1 && { verifyAccount: true }),
    ...(row.payment_settings && { paymentSettings: settingsOf(row) }),
    createdTimestamp: toTimestamp(row.created_ms),
    lastUpdatedTimestamp: toTimestamp(row.updated_ms),
  };
}

// Client libraries read the customer's id in `customerDetails`; the specification names it `customerId`.
function customerOf(row: PaymentSessionRow): Partial<PaymentSession> {
  const {
    customerDetails,
    passThroughProcessingFee: _noSplits,
    authenticatedElsewhere: _no3ds,
    ...details
  } = detailsOf(row);
  const known = row.customer_id !== null || customerDetails !== undefined;
  return {
    ...(row.customer_email !== null && { customerEmail: row.customer_email }),
    ...(row.customer_id !== null && { customerId: row.customer_id }),
    ...(known && {
      customerDetails: { ...(row.customer_id !== null && { id: row.customer_id }), ...customerDetails },
    }),
    ...details,
  };
}

/** Returns a session as the API shows it to its account, with the client secret. */
export function toPaymentSession(row: PaymentSessionRow): PaymentSession {
  return { ...toPaymentSessionWithoutSecret(row), clientSecret: row.client_secret };
}

export function findSession(
  queries: Queries,
  accountId: string,
  id: string,
): Promise<PaymentSessionRow | undefined> {
  return queries.get<PaymentSessionRow>(
    `SELECT * FROM payment_sessions WHERE id = ? AND account_id = ?`,
    id,
    accountId,
  );
}

/** Finds a session by its id only. The caller checks access, for instance with the client secret. */
export function findAnySession(queries: Queries, id: string): Promise<PaymentSessionRow | undefined> {
  return queries.get<PaymentSessionRow>(`SELECT * FROM payment_sessions WHERE id = ?`, id);
}

/** Finds a session within the scope of a caller of the sandbox controls. */
export function findSessionWithin(
  queries: Queries,
  scope: { where: string; parameters: SqlValue[] },
  id: string,
): Promise<PaymentSessionRow | undefined> {
  return queries.get<PaymentSessionRow>(
    `SELECT * FROM payment_sessions WHERE id = ? AND ${scope.where}`,
    id,
    ...scope.parameters,
  );
}

export function sessionList(
  accountId: string,
  window: { startTimestamp?: number; endTimestamp?: number },
): PageSource {
  const owned = { where: 'account_id = ?', parameters: [accountId] };
  return { table: 'payment_sessions', owned, shown: createdInOrder('payment_sessions', owned, window) };
}

const json = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));

export async function insertSession(
  tx: Transaction,
  session: NewPaymentSession,
  nowMs: number,
): Promise<PaymentSessionRow> {
  const row = await tx.get<PaymentSessionRow>(
    `INSERT INTO payment_sessions (id, account_id, status, amount_minor, currency, payment_type, entry_mode,
       authorization_type, capture_flow, verify_account, customer_id, customer_email, previous_session_id,
       platform_fee_minor, splits, details, client_secret, payment_settings, statement_descriptor, return_url,
       metadata, created_ms, updated_ms)
     VALUES (?, ?, 'PendingPayment', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
    session.id,
    session.accountId,
    session.amountMinor,
    session.currency,
    session.paymentType ?? 'Standard',
    session.entryMode,
    session.authorizationType ?? 'FinalAuth',
    session.captureFlow,
    session.verifyAccount ? 1 : 0,
    session.customerId ?? null,
    session.customerEmail ?? null,
    session.previousSessionId ?? null,
    session.platformFeeMinor ?? null,
    json(session.splits),
    JSON.stringify(session.details ?? {}),
    session.clientSecret,
    json(session.paymentSettings),
    JSON.stringify(session.statementDescriptor),
    session.returnUrl,
    JSON.stringify(session.metadata ?? {}),
    nowMs,
    nowMs,
  );
  return row!;
}

/**
 * Saves a session with a compare-and-set, so that no money moves twice. Returns undefined, and saves nothing, when
 * status or amounts are no longer those of `before`.
 */
export function saveSession(
  tx: Transaction,
  before: PaymentSessionRow,
  after: PaymentSessionRow,
  nowMs: number,
): Promise<PaymentSessionRow | undefined> {
  return tx.get<PaymentSessionRow>(
    `UPDATE payment_sessions SET status = ?, state = ?, amount_minor = ?, captured_minor = ?, refunded_minor = ?,
       capture_flow = ?, customer_id = ?, customer_email = ?, platform_fee_minor = ?, splits = ?, details = ?,
       last_error = ?, payment_method = ?, payment_settings = ?, required_action = ?, three_ds_run_id = ?,
       fail_next = ?, return_url = ?, metadata = ?, updated_ms = ?
     WHERE id = ? AND status = ? AND amount_minor = ? AND captured_minor = ? AND refunded_minor = ? RETURNING *`,
    after.status,
    after.state,
    after.amount_minor,
    after.captured_minor,
    after.refunded_minor,
    after.capture_flow,
    after.customer_id,
    after.customer_email,
    after.platform_fee_minor,
    after.splits,
    after.details,
    after.last_error,
    after.payment_method,
    after.payment_settings,
    after.required_action,
    after.three_ds_run_id,
    after.fail_next,
    after.return_url,
    after.metadata,
    nowMs,
    before.id,
    before.status,
    before.amount_minor,
    before.captured_minor,
    before.refunded_minor,
  );
}
