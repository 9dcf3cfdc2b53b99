import { showPage } from '../../platform/http/paging.ts';
import { Page } from '../../platform/http/paging.schema.ts';
import { route, type Route } from '../../platform/http/route.ts';
import {
  balanceTransactionList,
  toBalanceTransaction,
  type BalanceTransactionRow,
} from './balance-transaction.records.ts';
import { BalanceTransaction, BalanceTransactionQuery } from './balance-transaction.schema.ts';

const listBalanceTransactionsRoute = route({
  operation: 'GET /balance-transactions',
  tag: 'Balance transaction',
  summary: 'List balance transactions',
  section: 'Spec §4.7',
  accountHeader: true,
  query: BalanceTransactionQuery,
  reply: Page(BalanceTransaction),
  refusals: ['unknown_token'],
  async handle({ services: { clock, store }, caller, query }) {
    const list = balanceTransactionList(caller.accountId, query.payoutId);
    const nowMs = clock.nowMs();
    return showPage(store, list, query, (row: BalanceTransactionRow) => toBalanceTransaction(row, nowMs));
  },
});

export const balanceTransactionRoutes: readonly Route[] = [listBalanceTransactionsRoute];
