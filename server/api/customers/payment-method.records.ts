import { toTimestamp } from '../../../protocol/clock.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { StoredPaymentMethod } from './payment-method.schema.ts';

/** The stored details of a card: of its number only the BIN and the last four digits. */
export interface CardDetails {
  scheme: 'Visa' | 'Mastercard' | 'Amex';
  bin: string;
  last4: string;
  /** Two digits. */
  expiryMonth: string;
  /** Four digits. */
  expiryYear: string;
}

/** The issuer's checks of address (AVS) and security code (CVV), one letter each. */
export interface CardChecks {
  avsResponseCode?: string;
  cvvResponseCode?: string;
}

export interface PaymentMethodRow extends Row {
  id: string;
  account_id: string;
  customer_id: string | null;
  stored: number;
  scheme: CardDetails['scheme'];
  bin: string;
  last4: string;
  expiry_month: string;
  expiry_year: string;
  billing_address: JsonText<NonNullable<StoredPaymentMethod['billingAddress']>> | null;
  checks: JsonText<CardChecks> | null;
  created_ms: number;
  updated_ms: number;
}

/** Returns a payment method as the API shows it. */
export function toStoredPaymentMethod(row: PaymentMethodRow): StoredPaymentMethod {
  return {
    id: row.id,
    type: 'Card',
    card: {
      scheme: row.scheme,
      last4: row.last4,
      expiryMonth: row.expiry_month,
      expiryYear: row.expiry_year,
    },
    ...(row.billing_address !== null && {
      billingAddress: parseJson(row.billing_address),
    }),
    ...(row.checks !== null && { checks: parseJson(row.checks) }),
    ...(row.customer_id !== null && { customerId: row.customer_id }),
    createdTimestamp: toTimestamp(row.created_ms),
  };
}

/** The stored payment methods of a customer, without single-use tokens. */
export const PAYMENT_METHOD_LIST = (customerId: string): PageSource => ({
  table: 'payment_methods',
  owned: { where: 'customer_id = ?', parameters: [customerId] },
  shown: { where: 'stored = 1 AND deleted = 0', parameters: [] },
});

export function findPaymentMethod(
  queries: Queries,
  accountId: string,
  id: string,
): Promise<PaymentMethodRow | undefined> {
  return queries.get<PaymentMethodRow>(
    `SELECT * FROM payment_methods WHERE id = ? AND account_id = ? AND deleted = 0`,
    id,
    accountId,
  );
}

export async function insertPaymentMethod(
  tx: Transaction,
  method: {
    id: string;
    accountId: string;
    sessionId: string;
    customerId: string | undefined;
    card: CardDetails;
    billingAddress: object | undefined;
    checks: CardChecks | undefined;
    stored: boolean;
  },
  nowMs: number,
): Promise<void> {
  const { card } = method;
  await tx.run(
    `INSERT INTO payment_methods (id, account_id, session_id, customer_id, stored, scheme, bin, last4, expiry_month,
       expiry_year, billing_address, checks, created_ms, updated_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    method.id,
    method.accountId,
    method.sessionId,
    method.customerId ?? null,
    method.stored ? 1 : 0,
    card.scheme,
    card.bin,
    card.last4,
    card.expiryMonth,
    card.expiryYear,
    method.billingAddress ? JSON.stringify(method.billingAddress) : null,
    method.checks ? JSON.stringify(method.checks) : null,
    nowMs,
    nowMs,
  );
}

/** Stores a single-use payment method with a customer; does nothing to one that is already stored. */
/** Stores a single-use payment method with a customer; does nothing to one that is already stored. */
export async function storePaymentMethod(
  tx: Transaction,
  token: { accountId: string; paymentMethodId: string; customerId: string },
  nowMs: number,
): Promise<void> {
  await tx.run(
    `UPDATE payment_methods SET stored = 1, customer_id = ?, updated_ms = ?
     WHERE id = ? AND account_id = ? AND stored = 0 AND deleted = 0`,
    token.customerId,
    nowMs,
    token.paymentMethodId,
    token.accountId,
  );
}

/** Replaces the whole billing address; returns undefined when the payment method was already deleted. */
export function replaceBillingAddress(
  tx: Transaction,
  id: string,
  billingAddress: object,
  nowMs: number,
): Promise<PaymentMethodRow | undefined> {
  return tx.get<PaymentMethodRow>(
    `UPDATE payment_methods SET billing_address = ?, updated_ms = ? WHERE id = ? AND deleted = 0 RETURNING *`,
    JSON.stringify(billingAddress),
    nowMs,
    id,
  );
}

/** Deletes a payment method; returns false when it was already deleted. */
export async function deletePaymentMethod(tx: Transaction, id: string, nowMs: number): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE payment_methods SET deleted = 1, updated_ms = ? WHERE id = ? AND deleted = 0`,
    nowMs,
    id,
  );
  return changes === 1;
}

/** Deletes all payment methods of a customer. */
/** Deletes all payment methods of a customer. */
export async function deletePaymentMethodsOf(
  tx: Transaction,
  customerId: string,
  nowMs: number,
): Promise<void> {
  await tx.run(
    `UPDATE payment_methods SET deleted = 1, updated_ms = ? WHERE customer_id = ? AND deleted = 0`,
    nowMs,
    customerId,
  );
}
