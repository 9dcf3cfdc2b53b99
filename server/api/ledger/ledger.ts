import { formatMinor } from '../../../protocol/money.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Context } from '../../platform/context.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';

/** Types of balance transactions (`type` on the wire). */
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

/** A line of a ledger entry: a change of one account's balance, recorded as one balance transaction. */
export interface EntryLine {
  type: BalanceTransactionType;
  accountId: string;
  /** Minor units; negative for a debit. */
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
 * The other side of money that enters or leaves the accounts: cardholders, banks (payouts), the processor (its fees),
 * the currency exchange. With it every entry balances to zero in each currency.
 */
export type ExternalParty = 'cards' | 'bank' | 'processor' | 'exchange';

/** A ledger entry: its lines, and the external party that balances them. */
export interface Entry {
  lines: EntryLine[];
  /** Takes the other side of the lines; without it they must balance among themselves. */
  outside?: ExternalParty;
}

/** What an entry is posted with. */
export type LedgerContext = Context & Pick<Services, 'activities'>;

/** Posts an entry: writes its postings, balance transactions and balances, in the caller's transaction. */
export type PostEntry = (tx: Transaction, services: LedgerContext, entry: Entry) => Promise<void>;

/** Returns the refusal of a request that takes more from a balance than is available. */
export function balanceShort(availableMinor: number, currency: string): Refusal {
  return new Refusal('balance_short', { available: formatMinor(availableMinor, currency) });
}
