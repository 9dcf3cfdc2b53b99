import type { Context } from '../../platform/context.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import type { Address } from './address.schema.ts';
import {
  paymentMethods,
  storePaymentMethod,
  type CardChecks,
  type CardDetails,
  type PaymentMethodRow,
} from './payment-method.records.ts';

/** A tokenised card. Its number is not stored. */
export interface CardToken extends CardDetails {
  id: string;
  customerId: string | null;
  /** Whether it can be used again; a single-use token belongs to the session that it was created for. */
  stored: boolean;
  billingAddress?: Address;
  checks?: CardChecks;
}

/** A card to tokenise, without its number. */
interface CardToTokenise {
  accountId: string;
  /** The payment session at which the card was presented; a single-use token is deleted with it. */
  sessionId: string;
  customerId: string | undefined;
  card: CardDetails;
  billingAddress: Address | undefined;
  checks: CardChecks | undefined;
  /** Whether the customer agreed that the card is stored; a single-use token otherwise. */
  stored: boolean;
}

/** Creates the token of a card; returns its id. */
export async function createCardToken(
  tx: Transaction,
  services: Context,
  { card, ...method }: CardToTokenise,
): Promise<{ id: string }> {
  const { clock, ids } = services;
  const id = ids.make('paymentMethod');
  await paymentMethods.insert(tx, { id, ...method, ...card }, clock.nowMs());
  return { id };
}

/** Returns a card token of an account; undefined when there is none, or it was deleted. */
export async function findCardToken(
  queries: Queries,
  accountId: string,
  paymentMethodId: string,
): Promise<CardToken | undefined> {
  const row = await paymentMethods.find(queries, accountId, paymentMethodId);
  return row && tokenOf(row);
}

/**
 * Stores a single-use token with a customer, once its payment is approved. A token that is already stored stays with
 * its customer.
 */
export async function storeCardToken(
  tx: Transaction,
  services: Context,
  token: { accountId: string; paymentMethodId: string; customerId: string },
): Promise<void> {
  await storePaymentMethod(tx, token, services.clock.nowMs());
}

function tokenOf(row: PaymentMethodRow): CardToken {
  return {
    id: row.id,
    customerId: row.customer_id,
    stored: row.stored === 1,
    scheme: row.scheme,
    bin: row.bin,
    last4: row.last4,
    expiryMonth: row.expiry_month,
    expiryYear: row.expiry_year,
    ...(row.billing_address !== null && { billingAddress: parseJson(row.billing_address) }),
    ...(row.checks !== null && { checks: parseJson(row.checks) }),
  };
}
