import { Fault } from '../../../protocol/failures.ts';
import { raise } from '../webhooks/event-log.ts';
import type { EventType } from '../webhooks/event-types.ts';
import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/store/store.ts';
import {
  type CustomerDetails,
  type CustomerRow,
  customers,
  findCustomerByEmail,
  insertCustomer,
  lockCustomer,
} from './customer.records.ts';
import type { Services } from '../../platform/services.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { paymentMethods, type PaymentMethodRow } from './payment-method.records.ts';

/** Port to the areas that use customers. */
interface CustomerUse {
  /**
   * Ends all use of a customer before it is deleted.
   * @throws Refusal `customer_subscribed` when a subscription still bills the customer (docs/choices.md, Customers).
   */
  end(tx: Transaction, services: Services, customerId: string): Promise<void>;
}

/** What customers need: the services of the platform, and the port. */
export interface CustomerServices extends Services {
  customerUse: CustomerUse;
}

/** Raises an event of a customer, with the customer as the API shows it. */
export function raiseCustomerEvent(
  tx: Transaction,
  services: Context,
  type: Extract<EventType, `Customer.${string}`>,
  customer: CustomerRow,
): void {
  raise(tx, services, { type, accountId: customer.account_id, data: customers.show(customer) });
}

/**
 * Adds a customer and records `Customer.created`; returns undefined when the account has one with this e-mail
 * address.
 */
export async function addCustomer(
  tx: Transaction,
  services: Context,
  customer: { accountId: string; email: string } & CustomerDetails,
): Promise<CustomerRow | undefined> {
  const { clock, ids } = services;
  const row = await insertCustomer(tx, { ...customer, id: ids.make('customer') }, clock.nowMs());
  if (row) raiseCustomerEvent(tx, services, 'Customer.created', row);
  return row;
}

/**
 * Returns the customer with this e-mail address, and adds one with these details if there is none (Spec §2.2,
 * customerEmail). The details of an existing customer do not change.
 */
export async function ensureCustomer(
  tx: Transaction,
  services: Context,
  customer: { accountId: string; email: string; details?: CustomerDetails },
): Promise<CustomerRow> {
  const { accountId, email, details } = customer;
  const row =
    (await findCustomerByEmail(tx, accountId, email)) ??
    (await addCustomer(tx, services, { accountId, email, ...details })) ??
    // Another transaction has added it meanwhile.
    (await findCustomerByEmail(tx, accountId, email));
  if (!row) throw new Fault('internal', 'a customer is neither there nor can be added');
  return row;
}

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
  const { account_id: accountId, customer_id: customerId } = method;
  const customer = customerId === null ? undefined : await lockCustomer(tx, accountId, customerId);
  const deleted = await paymentMethods.delete(tx, method.id, nowMs);
  if (!deleted) throw new Refusal('not_found', { what: 'payment method' });
  if (customer?.default_payment_method_id !== method.id) return;
  const without = await customers.update(tx, customer.id, { defaultPaymentMethod: null }, nowMs);
  raiseCustomerEvent(tx, services, 'Customer.updated', without!);
}
