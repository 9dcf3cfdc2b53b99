import { Refusal } from '../../platform/http/refusals.ts';
import { listRoute } from '../../platform/http/object-routes.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { sessionById } from './payment-session.resource.ts';
import { paymentTransactions, toPaymentTransaction } from './payment-transaction.records.ts';
import { PaymentTransaction } from './payment-transaction.schema.ts';

const common = { tag: 'Payment transaction', section: 'Spec §4.1', accountHeader: true };

const listPaymentTransactionsRoute = listRoute({
  ...common,
  operation: 'GET /payment-sessions/{paymentSessionId}/transactions',
  summary: 'List the transactions of a payment session',
  item: PaymentTransaction,
  find: sessionById,
  list: ({ found }) => paymentTransactions.listOf(found.id),
  show: toPaymentTransaction,
});

const getPaymentTransactionRoute = route({
  ...common,
  operation: 'GET /payment-sessions/{paymentSessionId}/transactions/{paymentTransactionId}',
  summary: 'Retrieve one transaction',
  reply: PaymentTransaction,
  find: sessionById,
  async handle({ services: { store }, params, found }) {
    const row = await paymentTransactions.find(store, found.id, params.paymentTransactionId);
    if (!row) throw new Refusal('not_found', { what: 'payment transaction' });
    return toPaymentTransaction(row);
  },
});

export const paymentTransactionRoutes: readonly Route[] = [
  listPaymentTransactionsRoute,
  getPaymentTransactionRoute,
];
