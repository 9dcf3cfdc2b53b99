import { toTimestamp } from '../../../protocol/clock.ts';
import type { ActionStatus, Receipt } from '../../../protocol/messages/action.messages.ts';
import type { ChipResponse, MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import type { Decision } from '../../bank/issuer/issuer.ts';
import { insertInto } from '../../platform/store/insert-row.ts';
import type { JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { Phase } from './action.machine.ts';
import type { Action, CopyStatus } from './action.schema.ts';

/** The issuer's decision and its card, stored so that a repeated request gets the same reply. */
export interface StoredDecision {
  decision: Decision;
  card: MaskedCard;
  /** The issuer's response for the chip. */
  chip?: ChipResponse;
}

/** What came of the reversal of a transaction of a payment terminal, as it reported it. */
export interface DeviceReversal {
  /** Reference of the transaction at the device, such as its receipt number; null when it gave none. */
  reference: string | null;
  outcome: 'Reversed' | 'NotReversed';
  amountMinor: number;
  currency: string;
  /** Why it is not reversed, in words (protocol/reason.ts). */
  reason: string | null;
  /** When the device answered, epoch milliseconds. */
  atMs: number;
}

export interface ActionRow extends Row {
  id: string;
  account_id: string;
  terminal_id: string;
  session_id: string;
  type: 'Payment' | 'Refund';
  status: ActionStatus;
  phase: Phase;
  amount_minor: number;
  currency: string;
  receipt_source: 'Terminal' | 'PointOfSale';
  merchant_copy: CopyStatus;
  customer_copy: CopyStatus;
  error_code: string | null;
  /** Why, in words, where the terminal reported it (protocol/reason.ts). */
  error_reason: string | null;
  refund_platform_fee: number;
  /** The issuer's decision; null before the authorisation. */
  decision: JsonText<StoredDecision> | null;
  receipt: JsonText<Receipt> | null;
  /** What its payment terminal reversed, the oldest first (device-reversals.ts); null for nothing. */
  device_reversals: JsonText<DeviceReversal[]> | null;
  deadline_ms: number | null;
  /** Last sequence number sent to and seen from the terminal. */
  sent_seq: number;
  seen_seq: number;
  created_ms: number;
  completed_ms: number | null;
}

export const ACTION_COLUMNS = [
  'id',
  'account_id',
  'terminal_id',
  'session_id',
  'type',
  'status',
  'phase',
  'amount_minor',
  'currency',
  'receipt_source',
  'merchant_copy',
  'customer_copy',
  'error_code',
  'error_reason',
  'refund_platform_fee',
  'decision',
  'receipt',
  'device_reversals',
  'deadline_ms',
  'sent_seq',
  'seen_seq',
  'created_ms',
  'completed_ms',
] as const satisfies readonly (keyof ActionRow)[];

type ErrorSettings = NonNullable<Action['error']>['settings'];

export type NewAction = Pick<
  ActionRow,
  'id' | 'account_id' | 'terminal_id' | 'session_id' | 'type' | 'amount_minor' | 'currency' | 'receipt_source'
> & { refund_platform_fee: number; deadline_ms: number; sent_seq: number };

export function toAction(row: ActionRow): Action {
  const settings = { receiptPrintingSource: row.receipt_source };
  return {
    type: 'Transaction',
    status: row.status,
    id: row.id,
    error: errorOf(row, settings),
    transaction: {
      type: row.type,
      paymentSessionId: row.session_id,
      amounts: { requested: row.amount_minor },
      currency: row.currency,
      receiptDetail: {
        customerCopy: { status: row.customer_copy },
        merchantCopy: { status: row.merchant_copy },
      },
      settings,
    },
    createdTimestamp: toTimestamp(row.created_ms),
    ...(row.completed_ms === null ? {} : { completedTimestamp: toTimestamp(row.completed_ms) }),
  };
}

function errorOf(
  { error_code: code, error_reason: reason }: ActionRow,
  settings: ErrorSettings,
): Action['error'] {
  return code === null ? null : { code, ...(reason !== null && { reason }), settings };
}

export function findAction(queries: Queries, id: string): Promise<ActionRow | undefined> {
  return queries.get<ActionRow>(`SELECT * FROM actions WHERE id = ?`, id);
}

/** The actions of a page of terminals, by id. */
export async function findActions(queries: Queries, ids: string[]): Promise<Map<string, ActionRow>> {
  if (ids.length === 0) return new Map();
  const marks = ids.map(() => '?').join(', ');
  const rows = await queries.all<ActionRow>(`SELECT * FROM actions WHERE id IN (${marks})`, ...ids);
  return new Map(rows.map((row) => [row.id, row]));
}

export function findActionInProgress(queries: Queries, terminalId: string): Promise<ActionRow | undefined> {
  return queries.get<ActionRow>(
    `SELECT * FROM actions WHERE terminal_id = ? AND status = 'InProgress'`,
    terminalId,
  );
}

export function listActionsInProgress(queries: Queries): Promise<ActionRow[]> {
  return queries.all<ActionRow>(`SELECT * FROM actions WHERE status = 'InProgress' ORDER BY seq`);
}

export async function isRefundInFlight(queries: Queries, sessionId: string): Promise<boolean> {
  const row = await queries.get(
    `SELECT id FROM actions WHERE session_id = ? AND type = 'Refund' AND status = 'InProgress'`,
    sessionId,
  );
  return row !== undefined;
}

const insertActionRow = insertInto<ActionRow>('actions', ACTION_COLUMNS);

/** @throws UniqueViolation when the terminal has an action in progress, or the session a refund. */
export function insertAction(tx: Transaction, action: NewAction, nowMs: number): Promise<ActionRow> {
  return insertActionRow(tx, {
    ...action,
    status: 'InProgress',
    phase: 'sent',
    merchant_copy: 'NotRequired',
    customer_copy: 'NotRequired',
    error_code: null,
    error_reason: null,
    decision: null,
    receipt: null,
    device_reversals: null,
    seen_seq: 0,
    created_ms: nowMs,
    completed_ms: null,
  });
}

/** Saves an action with a compare-and-set on its phase. Returns false, and saves nothing, when the phase has changed. */
export async function saveAction(tx: Transaction, before: ActionRow, after: ActionRow): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE actions SET status = ?, phase = ?, merchant_copy = ?, customer_copy = ?, error_code = ?, error_reason = ?, decision = ?,
       receipt = ?, deadline_ms = ?, sent_seq = ?, seen_seq = ?, completed_ms = ?
     WHERE id = ? AND phase = ?`,
    after.status,
    after.phase,
    after.merchant_copy,
    after.customer_copy,
    after.error_code,
    after.error_reason,
    after.decision,
    after.receipt,
    after.deadline_ms,
    after.sent_seq,
    after.seen_seq,
    after.completed_ms,
    before.id,
    before.phase,
  );
  return changes === 1;
}
