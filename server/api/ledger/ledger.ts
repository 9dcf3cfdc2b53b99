import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';

/** What a balance transaction records (`type` on the wire). */
export const BALANCE_TRANSACTION_TYPES = [
  'TransactionApproval',
  'TransactionCapture',
  'TransactionRefund',
  'TransactionChargeback',
  'TransactionChargebackReversal',
  'PlatformFee',
  'PlatformFeeRefund',
  'SplitPayment',
  'SplitPaymentRefund',
  'TransferIn',
  'TransferOut',
  'Payout',
  'PayoutReversal',
  'PlatformChargeback',
  'PlatformChargebackReversal',
  'Adjustment',
] as const;
export type BalanceTransactionType = (typeof BALANCE_TRANSACTION_TYPES)[number];

/** Money of one account that comes or goes: one balance transaction. */
export interface Movement {
  type: BalanceTransactionType;
  accountId: string;
  /** Minor units; negative for what goes. */
  amountMinor: number;
  /** Processing fee taken from it, minor units, not negative; booked to the processor. */
  feeMinor?: number;
  currency: string;
  /** The id of what caused it (txn_, po_, tfr_, pf_, sp_, cv_, dsp_), its whole amount and, if another's, its account. */
  origin: { id: string; amountMinor: number; accountId?: string };
  description?: string;
  /** When it can be paid out, epoch ms of sandbox time; at once when not in the future. */
  availableMs: number;
  payoutId?: string;
}

/**
 * Where money comes from and goes to outside the accounts: card holders, banks (payouts), the processor (its
 * fees), the currency desk. With them every entry balances to zero in each currency.
 */
export type Outside = 'cards' | 'bank' | 'processor' | 'exchange';

/** One thing that happened to money: its movements, and the outside that makes up what they do not between them. */
export interface Entry {
  movements: Movement[];
  /** Takes the other side of whatever the movements leave open; without it they balance among themselves. */
  outside?: Outside;
}

/** Writes an entry in double entry, its balance transactions and the balances, in the caller's transaction. */
export type PostEntry = (tx: Transaction, services: Services, entry: Entry) => Promise<void>;
