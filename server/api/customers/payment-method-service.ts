import { Refusal } from '../../platform/http/refusals.ts';
import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { raiseCustomerEvent } from './customer-service.ts';
import { customers } from './customer.records.ts';
import { paymentMethods, type PaymentMethodRow } from './payment-method.records.ts';

/**
 * Deletes a stored payment method. A customer whose default it was has none then (docs/choices.md, Customers).
 * @throws Refusal `not_found` when it was deleted meanwhile.
 */
export async function deletePaymentMethodOfCustomer(
  tx: Transaction,
  services: Context,
  method: PaymentMethodRow,
): Promise<void> {
  const nowMs = services.clock.nowMs();
  const deleted = await paymentMethods.delete(tx, method.id, nowMs);
  if (!deleted) throw new Refusal('not_found', { what: 'payment method' });
  if (method.customer_id === null) return;
  const customer = await customers.find(tx, method.account_id, method.customer_id);
  if (customer?.default_payment_method_id !== method.id) return;
  const without = await customers.update(tx, customer.id, { defaultPaymentMethod: null }, nowMs);
  raiseCustomerEvent(tx, services, 'Customer.updated', without!);
}
