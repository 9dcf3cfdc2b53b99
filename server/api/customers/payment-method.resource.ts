import { Id, Type } from '../../../protocol/schema.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { route, type FindCall, type Route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { raiseCustomerEvent } from './customer-service.ts';
import { findCustomer, updateCustomer } from './customer.records.ts';
import {
  deletePaymentMethod,
  findPaymentMethod,
  replaceBillingAddress,
  showPaymentMethod,
  type PaymentMethodRow,
} from './payment-method.records.ts';
import { PaymentMethodUpdate, StoredPaymentMethod } from './payment-method.schema.ts';

const common = { tag: 'Payment method', section: 'Spec §4.8', accountHeader: true };

const find = ({ services: { store }, caller, params }: FindCall<'paymentMethodId'>) =>
  findPaymentMethod(store, caller.accountId, params.paymentMethodId);

/** Deletes a payment method; a customer whose default it was then has none (docs/choices.md, Customers). */
async function deletePaymentMethodOfCustomer(
  tx: Transaction,
  services: Services,
  method: PaymentMethodRow,
): Promise<void> {
  const deleted = await deletePaymentMethod(tx, method.id, services.clock.nowMs());
  if (!deleted) throw new Refusal('not_found', { what: 'payment method' });
  if (method.customer_id === null) return;
  const customer = await findCustomer(tx, method.account_id, method.customer_id);
  if (customer?.default_payment_method_id !== method.id) return;
  const without = await updateCustomer(
    tx,
    customer.id,
    { defaultPaymentMethod: null },
    services.clock.nowMs(),
  );
  raiseCustomerEvent(tx, services, 'Customer.updated', without!);
}

const getPaymentMethodRoute = route({
  ...common,
  operation: 'GET /payment-methods/{paymentMethodId}',
  summary: 'Retrieve a payment method, stored or for a single use',
  reply: StoredPaymentMethod,
  find,
  handle: async ({ found }) => showPaymentMethod(found),
});

const updatePaymentMethodRoute = route({
  ...common,
  operation: 'PATCH /payment-methods/{paymentMethodId}',
  summary: 'Replace the billing address of a payment method',
  body: PaymentMethodUpdate,
  reply: StoredPaymentMethod,
  find,
  handle: ({ services: { clock, store }, found, body }) =>
    store.transaction(async (tx) => {
      const row = await replaceBillingAddress(tx, found.id, body.billingAddress, clock.nowMs());
      if (!row) throw new Refusal('not_found', { what: 'payment method' });
      return showPaymentMethod(row);
    }),
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
    await services.store.transaction((tx) => deletePaymentMethodOfCustomer(tx, services, found));
    return { id: found.id };
  },
});

export const paymentMethodRoutes: readonly Route[] = [
  getPaymentMethodRoute,
  updatePaymentMethodRoute,
  deletePaymentMethodRoute,
];
