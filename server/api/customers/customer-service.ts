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
} from './customer.records.ts';

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
    (await addCustomer(tx, services, { accountId, email, ...details }));
  if (!row) throw new Fault('internal', 'a customer is neither there nor can be added');
  return row;
}
