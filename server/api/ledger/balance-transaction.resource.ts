import { listRoute } from '../../platform/http/object-routes.ts';
import type { Route } from '../../platform/http/route.ts';
import {
  balanceTransactionList,
  toBalanceTransaction,
  type BalanceTransactionRow,
} from './balance-transaction.records.ts';
import { BalanceTransaction, BalanceTransactionQuery } from './balance-transaction.schema.ts';

const listBalanceTransactionsRoute = listRoute({
  operation: 'GET /balance-transactions',
  tag: 'Balance transaction',
  summary: 'List balance transactions',
  section: 'Spec §4.7',
  accountHeader: true,
  query: BalanceTransactionQuery,
  item: BalanceTransaction,
  list: ({ caller, query }) => balanceTransactionList(caller.accountId, query.payoutId),
  showAll(rows: BalanceTransactionRow[], { services: { clock } }) {
    const nowMs = clock.nowMs();
    return rows.map((row) => toBalanceTransaction(row, nowMs));
  },
});

export const balanceTransactionRoutes: readonly Route[] = [listBalanceTransactionsRoute];
