import { AmountMinor, Id, Timestamp, Type, type Static } from '../../protocol/schema.ts';
import { Page, PageQuery, readPage } from '../http/paging.ts';
import { Refusal } from '../http/refusals.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { PaymentMethod } from './payment-session.schema.ts';
import { sessionById } from './payment-session.resource.ts';
import {
  findTransaction,
  showTransaction,
  TRANSACTION_LIST,
  type TransactionRow,
} from './transaction.records.ts';

/** One movement of a payment session. */
export const PaymentTransaction = Type.Object(
  {
    id: Id('transaction'),
    paymentSessionId: Id('paymentSession'),
    amount: AmountMinor,
    currency: Type.String(),
    type: Type.Enum(['Authorization', 'Void', 'Capture', 'Refund', 'Chargeback', 'ChargebackReversal']),
    status: Type.Enum(['Pending', 'Failed', 'Succeeded']),
    refundedAmount: Type.Optional(AmountMinor),
    platformFee: Type.Optional(AmountMinor),
    platformFeeRefundedAmount: Type.Optional(AmountMinor),
    reason: Type.Optional(Type.String()),
    captureType: Type.Optional(Type.Enum(['Final', 'NotFinal'])),
    paymentMethod: Type.Optional(PaymentMethod),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'PaymentTransaction' },
);
export type PaymentTransaction = Static<typeof PaymentTransaction>;

export function transactionRoutes({ store }: Services): Route[] {
  const common = { tag: 'Payment transaction', section: 'Spec §4.1', accountHeader: true };
  const find = sessionById(store);

  return [
    route({
      ...common,
      operation: 'GET /payment-sessions/{paymentSessionId}/transactions',
      summary: 'List the transactions of a payment session',
      query: PageQuery,
      reply: Page(PaymentTransaction),
      refusals: ['unknown_token'],
      find,
      async handle({ query, found }) {
        const page = await readPage<TransactionRow>(store, TRANSACTION_LIST(found.id), query);
        return { items: page.rows.map(showTransaction), paginationToken: page.paginationToken };
      },
    }),
    route({
      ...common,
      operation: 'GET /payment-sessions/{paymentSessionId}/transactions/{paymentTransactionId}',
      summary: 'Fetch one transaction',
      reply: PaymentTransaction,
      find,
      async handle({ params, found }) {
        const row = await findTransaction(store, found.id, params['paymentTransactionId']!);
        if (!row) throw new Refusal('not_found', { what: 'payment transaction' });
        return showTransaction(row);
      },
    }),
  ];
}
