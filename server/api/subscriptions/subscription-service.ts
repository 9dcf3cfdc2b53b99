import { Refusal, type RefusalName } from '../../platform/http/refusals.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import { applyDueEvents, applySubscriptionEvent } from './apply-subscription-event.ts';
import type { SubscriptionEvent } from './subscription.machine.ts';
import {
  lockSubscription,
  listCurrentSessions,
  toSubscription,
  type SubscriptionChange,
  type SubscriptionRow,
} from './subscription.records.ts';
import type { Subscription } from './subscription.schema.ts';
import { PAYMENT_GUARDS } from '../payments/payment-session.records.ts';
import type { PaymentServices } from '../payments/payment-services.ts';

/** Returns subscriptions as the API shows them, with the data of their payment sessions. */
export async function readSubscriptions(queries: Queries, rows: SubscriptionRow[]): Promise<Subscription[]> {
  const sessions = await listCurrentSessions(queries, rows);
  return rows.map((row) => toSubscription(row, sessions));
}

/**
 * Changes a subscription, read again inside the transaction with what is due applied, and returns it as the API shows it.
 */
export async function changeSubscription(
  services: PaymentServices,
  found: SubscriptionRow,
  change: (tx: Transaction, row: SubscriptionRow) => Promise<SubscriptionRow>,
): Promise<Subscription> {
  const { store } = services;
  const row = await store.transaction(async (tx) => {
    const current = await lockSubscription(tx, found);
    return change(tx, await applyDueEvents(tx, services, current!));
  }, PAYMENT_GUARDS);
  return (await readSubscriptions(store, [row]))[0]!;
}

/**
 * Applies an event to a subscription and returns it as the API shows it.
 * @throws Refusal `otherwise` when its state does not accept the event.
 */
export function applyOrRefuse(
  services: PaymentServices,
  found: SubscriptionRow,
  event: SubscriptionEvent['type'] & `${'pause' | 'resume' | 'subscription'}.${string}`,
  otherwise: RefusalName,
  change: SubscriptionChange = {},
): Promise<Subscription> {
  return changeSubscription(services, found, async (tx, row) => {
    const after = await applySubscriptionEvent(tx, services, { ...row, ...change }, { type: event });
    if (!after) throw new Refusal(otherwise, { status: row.status });
    return after;
  });
}
