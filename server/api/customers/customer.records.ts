import { toTimestamp } from '../../../protocol/clock.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import { createdInOrder } from '../../platform/http/time-window.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { Customer } from './customer.schema.ts';

export interface CustomerRow extends Row {
  id: string;
  account_id: string;
  email: string;
  email_key: string;
  first_name: string | null;
  last_name: string | null;
  home_phone: string | null;
  mobile_phone: string | null;
  default_payment_method_id: string | null;
  metadata: JsonText<Customer['metadata']>;
  created_ms: number;
  updated_ms: number;
}

/** The optional details of a customer. */
export interface CustomerDetails {
  firstName?: string;
  lastName?: string;
  homePhoneNumber?: string;
  mobilePhoneNumber?: string;
  metadata?: Record<string, string>;
}

interface NewCustomer extends CustomerDetails {
  id: string;
  accountId: string;
  email: string;
}

/** An update of a customer: omitted members stay; null removes the default payment method. */
interface CustomerChange extends CustomerDetails {
  defaultPaymentMethod?: string | null;
}

/** Returns a customer as the API shows it. */
export function toCustomer(row: CustomerRow): Customer {
  return {
    id: row.id,
    email: row.email,
    ...(row.first_name !== null && { firstName: row.first_name }),
    ...(row.last_name !== null && { lastName: row.last_name }),
    ...(row.home_phone !== null && { homePhoneNumber: row.home_phone }),
    ...(row.mobile_phone !== null && { mobilePhoneNumber: row.mobile_phone }),
    ...(row.default_payment_method_id !== null && { defaultPaymentMethod: row.default_payment_method_id }),
    metadata: parseJson(row.metadata),
    createdTimestamp: toTimestamp(row.created_ms),
    lastUpdatedTimestamp: toTimestamp(row.updated_ms),
  };
}

/** Returns an e-mail address in the form in which it is compared: case-insensitively. */
function emailKey(email: string): string {
  return email.toLowerCase();
}

export function customerList(
  accountId: string,
  window: { startTimestamp?: number; endTimestamp?: number },
): PageSource {
  const owned = { where: 'account_id = ?', parameters: [accountId] };
  const created = createdInOrder('customers', owned, window);
  return {
    table: 'customers',
    owned,
    shown: { where: `deleted = 0 AND ${created.where}`, parameters: created.parameters },
  };
}

export function findCustomer(
  queries: Queries,
  accountId: string,
  id: string,
): Promise<CustomerRow | undefined> {
  return queries.get<CustomerRow>(
    `SELECT * FROM customers WHERE id = ? AND account_id = ? AND deleted = 0`,
    id,
    accountId,
  );
}

export function findCustomerByEmail(
  queries: Queries,
  accountId: string,
  email: string,
): Promise<CustomerRow | undefined> {
  return queries.get<CustomerRow>(
    `SELECT * FROM customers WHERE account_id = ? AND email_key = ? AND deleted = 0`,
    accountId,
    emailKey(email),
  );
}

/** Inserts a customer; returns undefined when the account has one with this e-mail address. */
export function insertCustomer(
  tx: Transaction,
  customer: NewCustomer,
  nowMs: number,
): Promise<CustomerRow | undefined> {
  return tx.get<CustomerRow>(
    `INSERT INTO customers (id, account_id, email, email_key, first_name, last_name, home_phone, mobile_phone,
       metadata, created_ms, updated_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING *`,
    customer.id,
    customer.accountId,
    customer.email,
    emailKey(customer.email),
    customer.firstName ?? null,
    customer.lastName ?? null,
    customer.homePhoneNumber ?? null,
    customer.mobilePhoneNumber ?? null,
    JSON.stringify(customer.metadata ?? {}),
    nowMs,
    nowMs,
  );
}

/** Updates a customer; returns undefined when it was already deleted. */
export function updateCustomer(
  tx: Transaction,
  id: string,
  change: CustomerChange,
  nowMs: number,
): Promise<CustomerRow | undefined> {
  return tx.get<CustomerRow>(
    `UPDATE customers SET first_name = COALESCE(?, first_name), last_name = COALESCE(?, last_name),
       home_phone = COALESCE(?, home_phone), mobile_phone = COALESCE(?, mobile_phone),
       metadata = COALESCE(?, metadata),
       default_payment_method_id = CASE WHEN ? = 1 THEN ? ELSE default_payment_method_id END,
       updated_ms = ? WHERE id = ? AND deleted = 0 RETURNING *`,
    change.firstName ?? null,
    change.lastName ?? null,
    change.homePhoneNumber ?? null,
    change.mobilePhoneNumber ?? null,
    change.metadata ? JSON.stringify(change.metadata) : null,
    change.defaultPaymentMethod === undefined ? 0 : 1,
    change.defaultPaymentMethod ?? null,
    nowMs,
    id,
  );
}

/** Deletes a customer; returns false when it was already deleted. */
export async function deleteCustomer(tx: Transaction, id: string, nowMs: number): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE customers SET deleted = 1, updated_ms = ? WHERE id = ? AND deleted = 0`,
    nowMs,
    id,
  );
  return changes === 1;
}
