import { readPage } from '../../platform/http/paging.ts';
import { Page, PageQuery } from '../../platform/http/paging.schema.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { sessionById } from './payment-session.resource.ts';
import {
  findTransaction,
  toPaymentTransaction,
  TRANSACTION_LIST,
  type TransactionRow,
} from './transaction.records.ts';
import { PaymentTransaction } from './transaction.schema.ts';

const common = { tag: 'Payment transaction', section: 'Spec §4.1', accountHeader: true };

const listTransactionsRoute = route({
  ...common,
  operation: 'GET /payment-sessions/{paymentSessionId}/transactions',
  summary: 'List the transactions of a payment session',
  query: PageQuery,
  reply: Page(PaymentTransaction),
  refusals: ['unknown_token'],
  find: sessionById,
  async handle({ services: { store }, query, found }) {
    const page = await readPage<TransactionRow>(store, TRANSACTION_LIST(found.id), query);
    return { items: page.rows.map(toPaymentTransaction), paginationToken: page.paginationToken };
  },
});

const getTransactionRoute = route({
  ...common,
  operation: 'GET /payment-sessions/{paymentSessionId}/transactions/{paymentTransactionId}',
  summary: 'Retrieve one transaction',
  reply: PaymentTransaction,
  find: sessionById,
  async handle({ services: { store }, params, found }) {
    const row = await findTransaction(store, found.id, params.paymentTransactionId);
    if (!row) throw new Refusal('not_found', { what: 'payment transaction' });
    return toPaymentTransaction(row);
  },
});

export const transactionRoutes: readonly Route[] = [listTransactionsRoute, getTransactionRoute];
