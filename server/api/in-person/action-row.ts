import {
  ActionStatus,
  ActionType,
  ReceiptSource,
  type Receipt,
} from '../../../protocol/messages/action.messages.ts';
import type { ChipResponse, MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import { AmountMinor, Currency, Id, Type } from '../../../protocol/schema.ts';
import type { Decision } from '../../bank/issuer/issuer.ts';
import type { Properties } from '../../platform/store/stored-property.ts';
import type { Phase } from './action.machine.ts';
import { CopyStatus } from './action.schema.ts';

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
