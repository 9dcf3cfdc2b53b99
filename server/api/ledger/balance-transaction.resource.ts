import { readPage } from '../../platform/http/paging.ts';
import { Page } from '../../platform/http/paging.schema.ts';
import { route, type Route } from '../../platform/http/route.ts';
import {
  BALANCE_TRANSACTION_LIST,
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
    const list = BALANCE_TRANSACTION_LIST(caller.accountId, query.payoutId);
    const page = await readPage<BalanceTransactionRow>(store, list, query);
    const nowMs = clock.nowMs();
    return {
      items: page.rows.map((row) => toBalanceTransaction(row, nowMs)),
      paginationToken: page.paginationToken,
    };
  },
});

export const balanceTransactionRoutes: readonly Route[] = [listBalanceTransactionsRoute];
