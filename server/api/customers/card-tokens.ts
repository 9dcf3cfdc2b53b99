import type { Services } from '../../platform/services.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import {
  findPaymentMethod,
  insertPaymentMethod,
  markStored,
  type CardChecks,
  type CardFacts,
  type PaymentMethodRow,
} from './payment-method.records.ts';

/** A card that was presented once and is known since by its token; its number is not kept. */
export interface StoredCard extends CardFacts {
  id: string;
  customerId: string | null;
  /** Whether it may be used again; a single-use token belongs to the session that it was made for. */
  stored: boolean;
  billingAddress?: object;
  checks?: CardChecks;
}

/** A card to keep: what stands on it without its number, and whether the customer agreed to have it kept. */
interface CardToKeep {
  accountId: string;
  /** The payment session at which the card was presented; a single-use token is deleted with it. */
  sessionId: string;
  customerId: string | undefined;
  card: CardFacts;
  billingAddress: object | undefined;
  checks: CardChecks | undefined;
  stored: boolean;
}

/** Makes a token of a card. */
export async function keepCard(
  tx: Transaction,
  services: Services,
  card: CardToKeep,
): Promise<{ id: string }> {
  const { clock, ids } = services;
  const id = ids.make('paymentMethod');
  await insertPaymentMethod(tx, { id, ...card }, clock.nowMs());
  return { id };
}

/** The card behind a token of this account; undefined when there is none, or it was deleted. */
export async function findCard(
  queries: Queries,
  accountId: string,
  paymentMethodId: string,
): Promise<StoredCard | undefined> {
  const row = await findPaymentMethod(queries, accountId, paymentMethodId);
  return row && cardOf(row);
}

/**
 * Makes a single-use token one that its customer keeps, once the payment it was made for is agreed. One that is
 * stored already stays with the customer that has it.
 */
export async function storeCard(
  tx: Transaction,
  services: Services,
  kept: { accountId: string; paymentMethodId: string; customerId: string },
): Promise<void> {
  await markStored(tx, kept, services.clock.nowMs());
}

function cardOf(row: PaymentMethodRow): StoredCard {
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
