import {
  ActionStatus,
  ActionType,
  ReceiptSource,
  type Receipt,
} from '../../../../protocol/messages/action.messages.ts';
import type { ChipResponse, MaskedCard } from '../../../../protocol/messages/card-data.schema.ts';
import { AmountMinor, Currency, Id, Type } from '../../../../protocol/schema.ts';
import { toTimestamp } from '../../../../protocol/clock.ts';
import type { Decision } from '../../../bank/issuer/issuer.ts';
import type { Properties, RowOf } from '../../../platform/store/stored-property.ts';
import { storedObjects } from '../../../platform/store/stored-objects.ts';
import type { GuardName } from '../../../platform/store/guards.ts';
import type { Queries, Transaction } from '../../../platform/store/store.ts';
import type { KeyedTerminal } from '../../pairing/terminal-keys.ts';
import type { Phase } from './action.machine.ts';
import { CopyStatus, type Action } from './action.schema.ts';

/** The issuer's decision and its card, stored so that a repeated request gets the same reply. */
export interface StoredDecision {
  decision: Decision;
  card: MaskedCard;
  /** The issuer's response for the chip. */
  chip?: ChipResponse;
  /** A person has settled the outcome: no terminal gets the decision, only the end. */
  settled?: true;
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

/** A value that is stored as JSON and that no schema describes. */
const Json = <T>() => Type.Unsafe<T>(Type.Object({}));

/** What is stored of an action. Its replies are made by `toAction`. */
export const ACTION = {
  terminalId: { schema: Id('terminal'), column: 'terminal_id', always: true, fixed: true },
  paymentSessionId: { schema: Id('paymentSession'), column: 'session_id', always: true, fixed: true },
  type: { schema: ActionType, column: 'type', always: true, fixed: true },
  status: { schema: ActionStatus, column: 'status', initial: 'InProgress' },
  phase: { schema: Type.Unsafe<Phase>(Type.String()), column: 'phase', initial: 'sent' },
  amount: { schema: AmountMinor, column: 'amount_minor', always: true, fixed: true },
  currency: { schema: Currency, column: 'currency', always: true, fixed: true },
  receiptSource: { schema: ReceiptSource, column: 'receipt_source', always: true, fixed: true },
  merchantCopy: { schema: CopyStatus, column: 'merchant_copy', initial: 'NotRequired' },
  customerCopy: { schema: CopyStatus, column: 'customer_copy', initial: 'NotRequired' },
  errorCode: { schema: Type.String(), column: 'error_code', later: true },
  /** Why, in words, where the terminal reported it (protocol/reason.ts). */
  errorReason: { schema: Type.String(), column: 'error_reason', later: true },
  refundPlatformFee: { schema: Type.Boolean(), column: 'refund_platform_fee', always: true, fixed: true },
  /** Null before the authorisation. */
  decision: { schema: Json<StoredDecision>(), column: 'decision', later: true },
  receipt: { schema: Json<Receipt>(), column: 'receipt', later: true },
  /** What its payment terminal reversed, the oldest first (device-reversals.ts); null for nothing. */
  deviceReversals: {
    schema: Json<DeviceReversal[]>(),
    column: 'device_reversals',
    later: true,
    fixed: true,
  },
  deadlineMs: { schema: Type.Integer(), column: 'deadline_ms' },
  /** Last sequence number sent to and seen from the terminal. */
  sentSeq: { schema: Type.Integer(), column: 'sent_seq', initial: 0 },
  seenSeq: { schema: Type.Integer(), column: 'seen_seq', initial: 0 },
  completedMs: { schema: Type.Integer(), column: 'completed_ms', later: true },
} as const satisfies Properties;

export type ActionRow = RowOf<typeof ACTION, 'created_ms'>;

/** A terminal has one action in progress at most, and a session one refund: `insert` throws UniqueViolation. */
export const actions = storedObjects(
  { table: 'actions', times: ['created_ms'], compared: ['phase'] },
  ACTION,
);

/** What holds the rules of the transactions that change actions: their payments change with them. */
export const ACTION_GUARDS: readonly GuardName[] = [
  'actionInProgress',
  'paymentMoney',
  'chargebackPayer',
  'jobClaims',
];

/** Locks the terminal of an action, and returns the action as it is then. */
export async function lockAction(tx: Transaction, id: string): Promise<ActionRow | undefined> {
  const found = await actions.findAny(tx, id);
  if (!found) return undefined;
  tx.lockRow('terminals', found.terminal_id);
  return actions.findAny(tx, id);
}

type ErrorSettings = NonNullable<Action['error']>['settings'];

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

/** The action that a report refers to, and what the keys of its terminal derive from. */
export interface ReportedAction {
  action: ActionRow;
  terminal: KeyedTerminal;
}

/**
 * Locks a terminal and reads the action that its report refers to. Returns `no terminal` when the terminal is deleted, and `no action` when
 * the action is not the terminal's.
 */
export async function findReportedAction(
  tx: Transaction,
  terminalId: string,
  actionId: string,
): Promise<ReportedAction | 'no terminal' | 'no action'> {
  tx.lockRow('terminals', terminalId);
  const row = await tx.get<ActionRow & KeyedTerminal>(
    `SELECT a.*, t.key_scheme, t.pairing_generation
     FROM terminals t LEFT JOIN actions a ON a.id = ? AND a.terminal_id = t.id
     WHERE t.id = ? AND t.deleted = 0`,
    actionId,
    terminalId,
  );
  if (!row) return 'no terminal';
  if ((row.id as string | null) === null) return 'no action';
  const { key_scheme, pairing_generation } = row;
  // The row itself: a copy without these two columns takes as long as reading it.
  return { action: row, terminal: { id: terminalId, key_scheme, pairing_generation } };
}
