import type { AccountSettings } from '../accounts/account-settings.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import { createdInOrder } from '../../platform/http/time-window.ts';
import { insertStatement } from '../../platform/store/insert-row.ts';
import { jsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, SqlValue, Transaction } from '../../platform/store/store.ts';
import { SESSION_COLUMNS, type PaymentSessionRow } from './payment-session-row.ts';
import { REPLY_COLUMNS, setReply } from './payment-session-reply.ts';
import type { PaymentSession } from './payment-session.schema.ts';
import type { PaymentSettings } from './payment-settings.schema.ts';
import type { SessionDetails } from './session-parts.ts';
import type { Split } from './split.schema.ts';

export interface NewPaymentSession {
  accountId: string;
  amountMinor: number;
  currency: string;
  entryMode: PaymentSession['entryMode'];
  captureFlow: PaymentSession['captureFlow'];
  /** Defaults to that of the account's settings, as does `returnUrl`. */
  statementDescriptor?: PaymentSession['statementDescriptor'] | undefined;
  returnUrl?: string | undefined;
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

/** What a new session has besides what it is created with. */
interface SessionOrigin {
  id: string;
  clientSecret: string;
  settings: AccountSettings;
  nowMs: number;
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

// Null in a new session. Binding a parameter takes longer than storing it.
const NULL_AT_FIRST: readonly string[] = [
  'last_error',
  'payment_method',
  'required_action',
  'three_ds_run_id',
  'fail_next',
];

const INSERTED = [...SESSION_COLUMNS, ...REPLY_COLUMNS].filter((column) => !NULL_AT_FIRST.includes(column));
const INSERT = insertStatement('payment_sessions', INSERTED);

/** Inserts a session and returns its row. */
export async function insertSession(
  tx: Transaction,
  origin: SessionOrigin,
  session: NewPaymentSession,
): Promise<PaymentSessionRow> {
  const row = newRow(origin, session);
  setReply(row);
  await tx.run(INSERT, ...INSERTED.map((column) => row[column]));
  return row;
}

function newRow(
  { id, clientSecret, settings, nowMs }: SessionOrigin,
  session: NewPaymentSession,
): PaymentSessionRow {
  return {
    id,
    account_id: session.accountId,
    status: 'PendingPayment',
    state: 'awaitingPayment',
    amount_minor: session.amountMinor,
    captured_minor: 0,
    refunded_minor: 0,
    currency: session.currency,
    payment_type: session.paymentType ?? 'Standard',
    entry_mode: session.entryMode,
    authorization_type: session.authorizationType ?? 'FinalAuth',
    capture_flow: session.captureFlow,
    verify_account: session.verifyAccount ? 1 : 0,
    customer_id: session.customerId ?? null,
    customer_email: session.customerEmail ?? null,
    previous_session_id: session.previousSessionId ?? null,
    platform_fee_minor: session.platformFeeMinor ?? null,
    splits: session.splits ? jsonText(session.splits) : null,
    details: jsonText(session.details ?? {}),
    last_error: null,
    client_secret: clientSecret,
    payment_method: null,
    payment_settings: session.paymentSettings ? jsonText(session.paymentSettings) : null,
    required_action: null,
    three_ds_run_id: null,
    fail_next: null,
    statement_descriptor: jsonText(session.statementDescriptor ?? settings.statementDescriptor),
    return_url: session.returnUrl ?? settings.returnUrl,
    metadata: jsonText(session.metadata ?? {}),
    created_ms: nowMs,
    updated_ms: nowMs,
    reply: null,
    reply_version: null,
    reply_ms: null,
  };
}

/** The columns that a step or an update can change, besides `updated_ms`. */
const CHANGING = [
  'status',
  'state',
  'amount_minor',
  'captured_minor',
  'refunded_minor',
  'capture_flow',
  'customer_id',
  'customer_email',
  'platform_fee_minor',
  'splits',
  'details',
  'last_error',
  'payment_method',
  'payment_settings',
  'required_action',
  'three_ds_run_id',
  'fail_next',
  'return_url',
  'metadata',
] as const satisfies readonly (typeof SESSION_COLUMNS)[number][];

const UPDATED = [...CHANGING, 'updated_ms', ...REPLY_COLUMNS] as const;
const UPDATE = `UPDATE payment_sessions SET ${UPDATED.map((column) => `${column} = ?`).join(', ')}
  WHERE id = ? AND status = ? AND amount_minor = ? AND captured_minor = ? AND refunded_minor = ?`;

/**
 * Saves a session with a compare-and-set, so that no money moves twice, and returns its row. Returns undefined, and
 * saves nothing, when status or amounts are no longer those of `before`.
 */
export async function saveSession(
  tx: Transaction,
  before: PaymentSessionRow,
  after: PaymentSessionRow,
  nowMs: number,
): Promise<PaymentSessionRow | undefined> {
  const row: PaymentSessionRow = { ...before };
  for (const column of CHANGING) (row as Row)[column] = after[column];
  row.updated_ms = nowMs;
  setReply(row);
  const { changes } = await tx.run(
    UPDATE,
    ...UPDATED.map((column) => row[column]),
    before.id,
    before.status,
    before.amount_minor,
    before.captured_minor,
    before.refunded_minor,
  );
  return changes === 1 ? row : undefined;
}
