import { List } from '../../platform/http/paging.schema.ts';
import { CURRENCY_CODES } from '../../../protocol/money.ts';
import { CurrencyCode, Type } from '../../../protocol/schema.ts';
import { requireAccount } from '../accounts/account.records.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { balancesOf, toBalance } from './balance.records.ts';
import { Balance, BalanceTransaction, BalanceTransactionQuery } from './balance.schema.ts';
import { listRoute } from '../../platform/http/object-routes.ts';
import {
  balanceTransactionList,
  toBalanceTransaction,
  type BalanceTransactionRow,
} from './balance-transaction.records.ts';

const listBalancesRoute = route({
  operation: 'GET /balances',
  tag: 'Balance',
  summary: 'List the balances of the account, in all currencies or in those named',
  section: 'Spec §4.7',
  accountHeader: true,
  query: Type.Object({
    currency: Type.Optional(
      Type.Array(CurrencyCode, {
        maxItems: CURRENCY_CODES.length,
        description: 'May be repeated; without it, the currencies that the account has ever had',
      }),
    ),
  }),
  reply: List(Balance),
  async handle({ services: { clock, store }, caller, query }) {
    const asked = [...new Set(query.currency)];
    const sums = await balancesOf(store, caller.accountId, clock.nowMs(), asked);
    const currencies = asked.length > 0 ? asked : sums.map(({ currency }) => currency);
    const account = await requireAccount(store, caller.accountId);
    return {
      items: currencies.map((currency) =>
        toBalance(
          currency,
          sums.find((sum) => sum.currency === currency),
          account.created_ms,
        ),
      ),
    };
  },
});

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

export const balanceRoutes: readonly Route[] = [listBalancesRoute, listBalanceTransactionsRoute];
