import { Id, Type } from '../../../protocol/schema.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { route, type FindContext, type Route } from '../../platform/http/route.ts';
import { deletePaymentMethodOfCustomer } from './customer-service.ts';
import { CUSTOMER_GUARDS } from './customer.records.ts';
import { paymentMethods, toStoredPaymentMethod } from './payment-method.records.ts';
import { PaymentMethodUpdate, StoredPaymentMethod } from './payment-method.schema.ts';

const common = { tag: 'Payment method', section: 'Spec §4.8', accountHeader: true };

const find = ({ services: { store }, caller, params }: FindContext<'paymentMethodId'>) =>
  paymentMethods.find(store, caller.accountId, params.paymentMethodId);

const getPaymentMethodRoute = route({
  ...common,
  operation: 'GET /payment-methods/{paymentMethodId}',
  summary: 'Retrieve a payment method, stored or for a single use',
  reply: StoredPaymentMethod,
  find,
  handle: async ({ found }) => toStoredPaymentMethod(found),
});

const updatePaymentMethodRoute = route({
  ...common,
  operation: 'PATCH /payment-methods/{paymentMethodId}',
  summary: 'Replace the billing address of a payment method',
  body: PaymentMethodUpdate,
  reply: StoredPaymentMethod,
  find,
  handle: ({ services: { clock, store }, found, body }) =>
    store.transaction(
      async (tx) => {
        const row = await paymentMethods.update(tx, found.id, body, clock.nowMs());
        if (!row) throw new Refusal('not_found', { what: 'payment method' });
        return toStoredPaymentMethod(row);
      },
      { guardedBy: [] },
    ),
});

const deletePaymentMethodRoute = route({
  ...common,
  operation: 'DELETE /payment-methods/{paymentMethodId}',
  summary: 'Delete a stored payment method',
  reply: Type.Object({ id: Id('paymentMethod') }),
  refusals: ['method_single_use'],
  find,
  async handle({ services, found }) {
    if (found.stored === 0) throw new Refusal('method_single_use');
    await services.store.transaction(
      (tx) => deletePaymentMethodOfCustomer(tx, services, found),
      CUSTOMER_GUARDS,
    );
    return { id: found.id };
  },
});

export const paymentMethodRoutes: readonly Route[] = [
  getPaymentMethodRoute,
  updatePaymentMethodRoute,
  deletePaymentMethodRoute,
];
