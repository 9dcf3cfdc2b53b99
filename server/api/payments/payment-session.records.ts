import type { AccountSettings } from '../accounts/account-settings.ts';
import { listCreatedWithin } from '../../platform/http/time-window.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { NewOf } from '../../platform/store/stored-property.ts';
import type { Row, Transaction } from '../../platform/store/store.ts';
import { setReply } from './payment-session-reply.ts';
import { PAYMENT_SESSION, type PaymentSessionRow } from './payment-session-row.ts';

export const paymentSessions = storedObjects({ table: 'payment_sessions' }, PAYMENT_SESSION);

type SessionParts = NewOf<typeof PAYMENT_SESSION>;

/** What a session is created with. Statement descriptor and return URL default to those of the account's settings. */
export type NewPaymentSession = Omit<
  SessionParts,
  'id' | 'clientSecret' | 'statementDescriptor' | 'returnUrl' | 'reply' | 'replyVersion' | 'replyMs'
> & {
  [K in 'statementDescriptor' | 'returnUrl']?: SessionParts[K] | undefined;
};

/** What a new session has besides what it is created with. */
interface SessionOrigin {
  id: string;
  clientSecret: string;
  settings: AccountSettings;
  nowMs: number;
}

export function sessionList(
  accountId: string,
  window: { startTimestamp?: number; endTimestamp?: number },
): PageSource {
  return listCreatedWithin(paymentSessions.listOf(accountId), window);
}

/** Inserts a session and returns its row. */
export async function insertSession(
  tx: Transaction,
  { id, clientSecret, settings, nowMs }: SessionOrigin,
  session: NewPaymentSession,
): Promise<PaymentSessionRow> {
  const created = {
    ...session,
    id,
    clientSecret,
    statementDescriptor: session.statementDescriptor ?? settings.statementDescriptor,
    returnUrl: session.returnUrl ?? settings.returnUrl,
  };
  const row = paymentSessions.newRow(created, nowMs);
  setReply(row);
  await paymentSessions.insertRow(tx, row);
  return row;
}

/** The columns that no step and no update changes. */
const FIXED: readonly string[] = [
  'id',
  'account_id',
  'currency',
  'payment_type',
  'entry_mode',
  'authorization_type',
  'verify_account',
  'previous_session_id',
  'client_secret',
  'statement_descriptor',
  'created_ms',
];

const SAVED = paymentSessions.columns.filter((column) => !FIXED.includes(column));
const SAVE = `UPDATE payment_sessions SET ${SAVED.map((column) => `${column} = ?`).join(', ')}
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
  for (const column of SAVED) (row as Row)[column] = after[column]!;
  row.updated_ms = nowMs;
  setReply(row);
  const { changes } = await tx.run(
    SAVE,
    ...SAVED.map((column) => row[column]!),
    before.id,
    before.status,
    before.amount_minor,
    before.captured_minor,
    before.refunded_minor,
  );
  return changes === 1 ? row : undefined;
}
