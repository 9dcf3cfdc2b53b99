import {
  balanceTransactions,
  toBalanceTransaction,
  type BalanceTransactionRow,
} from '../../api/ledger/balance-transaction.records.ts';
import { conversions, toConversion, type ConversionRow } from '../../api/ledger/conversion.records.ts';
import {
  platformFeeRefunds,
  platformFees,
  toPlatformFee,
  type PlatformFeeRefundRow,
  type PlatformFeeRow,
} from '../../api/ledger/platform-fee.records.ts';
import { transfers, type TransferRow } from '../../api/ledger/transfer.records.ts';
import { findAccount } from '../../api/accounts/account.records.ts';
import { objectType, shownBy, tableOf } from './object-type.ts';

export const balanceTransaction = objectType<BalanceTransactionRow>({
  ...tableOf(balanceTransactions),
  category: 'type',
  references: [
    { to: 'any', column: 'origin_id' },
    { to: 'payout', column: 'payout_id' },
    { to: 'account', column: 'origin_account_id' },
  ],
  show: async ({ clock }, rows) => rows.map((row) => toBalanceTransaction(row, clock.nowMs())),
  label: (row) => row.type,
  due: (row) => ({ what: 'the amount becomes available', atMs: row.available_ms }),
  entryOf: (row) => row.entry_id,
});

export const transfer = objectType<TransferRow>({
  ...tableOf(transfers),
  status: 'status',
  references: [
    { to: 'account', column: 'source_id' },
    { to: 'account', column: 'destination_id' },
  ],
  show: shownBy((row) => transfers.show(row)),
  label: (row) => row.reason,
});

export const platformFee = objectType<PlatformFeeRow>({
  ...tableOf(platformFees),
  references: [
    {
      to: 'paymentSession',
      column: 'session_id',
      where: 'capture_id IN (SELECT id FROM payment_transactions WHERE session_id = ?)',
    },
    { to: 'transaction', column: 'capture_id' },
    { to: 'account', column: 'from_account_id' },
  ],
  show: shownBy(toPlatformFee),
});

export const platformFeeRefund = objectType<PlatformFeeRefundRow>({
  ...tableOf(platformFeeRefunds),
  account: '(SELECT account_id FROM platform_fees WHERE platform_fees.id = fee_id)',
  status: 'status',
  references: [{ to: 'platformFee', column: 'fee_id' }],
  show: shownBy((row) => platformFeeRefunds.show(row)),
  label: (row) => row.reason,
  eventsOf: (row) => ({ objectId: row.fee_id, atMs: [row.created_ms] }),
});

export const conversion = objectType<ConversionRow>({
  ...tableOf(conversions),
  status: 'status',
  initialStatus: 'InProgress',
  references: [],
  show: ({ store }, rows) =>
    Promise.all(
      rows.map(async (row) => toConversion(row, (await findAccount(store, row.account_id))?.type === 'Sub')),
    ),
  label: (row) => `${row.sell_currency} to ${row.buy_currency}`,
});
