import { listCreatedWithin } from '../../platform/http/time-window.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { NewOf, RowOf } from '../../platform/store/stored-property.ts';
import type { Queries, Transaction, TransactionOptions } from '../../platform/store/store.ts';
import { CUSTOMER } from './customer.schema.ts';

export type CustomerRow = RowOf<typeof CUSTOMER>;

type NewCustomer = Omit<NewOf<typeof CUSTOMER>, 'emailKey' | 'defaultPaymentMethod'>;

/** The optional details of a customer. */
export type CustomerDetails = Omit<NewCustomer, 'id' | 'accountId' | 'email'>;

export const customers = storedObjects({ table: 'customers', deletable: {} }, CUSTOMER);

/** Returns an e-mail address in the form in which it is compared: case-insensitively. */
function emailKeyOf(email: string): string {
  return email.toLowerCase();
}

export function customerList(
  accountId: string,
  window: { startTimestamp?: number; endTimestamp?: number },
): PageSource {
  return listCreatedWithin(customers.listOf(accountId), window);
}

export function findCustomerByEmail(
  queries: Queries,
  accountId: string,
  email: string,
): Promise<CustomerRow | undefined> {
  return queries.get<CustomerRow>(
    `SELECT * FROM customers WHERE account_id = ? AND email_key = ? AND deleted = 0`,
    accountId,
    emailKeyOf(email),
  );
}

/** Inserts a customer; returns undefined when the account has one with this e-mail address. */
export function insertCustomer(
  tx: Transaction,
  customer: NewCustomer,
  nowMs: number,
): Promise<CustomerRow | undefined> {
  return customers.insertUnlessTaken(tx, { ...customer, emailKey: emailKeyOf(customer.email) }, nowMs);
}

/** Options of a transaction that changes a customer, or deletes a card. It locks the customer before it reads. */
export const CUSTOMER_GUARDS = {
  guardedBy: ['customerEmail', 'storedCards'],
} as const satisfies TransactionOptions;

/** Locks a customer, and returns it as it is then; undefined when it is deleted. */
export function lockCustomer(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<CustomerRow | undefined> {
  tx.lockRow('customers', id);
  return customers.find(tx, accountId, id);
}
