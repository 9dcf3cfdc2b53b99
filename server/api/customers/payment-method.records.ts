import { Refusal } from '../../platform/http/refusals.ts';
import { listWhere, type PageSource } from '../../platform/store/page-source.ts';
import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { RowOf } from '../../platform/store/stored-property.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { PAYMENT_METHOD, type StoredPaymentMethod } from './payment-method.schema.ts';

/** The stored details of a card: of its number only the BIN and the last four digits. */
export interface CardDetails {
  scheme: PaymentMethodRow['scheme'];
  bin: string;
  last4: string;
  /** Two digits. */
  expiryMonth: string;
  /** Four digits. */
  expiryYear: string;
}

/** The issuer's checks of address (AVS) and security code (CVV), one letter each. */
export type CardChecks = NonNullable<StoredPaymentMethod['checks']>;

export type PaymentMethodRow = RowOf<typeof PAYMENT_METHOD>;

export const paymentMethods = storedObjects({ table: 'payment_methods', deletable: {} }, PAYMENT_METHOD);

/** Returns a payment method as the API shows it. */
export function toStoredPaymentMethod(row: PaymentMethodRow): StoredPaymentMethod {
  const { scheme, last4, expiry_month: expiryMonth, expiry_year: expiryYear } = row;
  return paymentMethods.show(row, { type: 'Card', card: { scheme, last4, expiryMonth, expiryYear } });
}

/** The stored payment methods of a customer, without single-use tokens. */
export function storedMethodsOf(customerId: string): PageSource {
  const ofCustomer = paymentMethods.listWithin({ where: 'customer_id = ?', parameters: [customerId] });
  return listWhere(ofCustomer, { where: 'stored = 1', parameters: [] });
}

/**
 * Stores a single-use payment method with a customer; does nothing to one that is already stored. It writes the row of the
 * customer too, so that a deletion of the customer comes before it, or sees it.
 * @throws Refusal `not_found` when the customer is deleted
 */
export async function storePaymentMethod(
  tx: Transaction,
  token: { accountId: string; paymentMethodId: string; customerId: string },
  nowMs: number,
): Promise<void> {
  const { changes } = await tx.run(
    `UPDATE customers SET updated_ms = updated_ms WHERE id = ? AND deleted = 0`,
    token.customerId,
  );
  if (changes === 0) throw new Refusal('not_found', { what: 'customer' });
  await tx.run(
    `UPDATE payment_methods SET stored = 1, customer_id = ?, updated_ms = ?
     WHERE id = ? AND account_id = ? AND stored = 0 AND deleted = 0`,
    token.customerId,
    nowMs,
    token.paymentMethodId,
    token.accountId,
  );
}

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
