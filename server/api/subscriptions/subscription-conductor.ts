import { raise } from '../webhooks/event-log.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { emitStep } from '../../platform/machine-steps.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { wholeSecond } from './billing-cycle.ts';
import { afterStep, wakeMs } from './subscription-calendar.ts';
import { charge, chargeableCard, openSession } from './subscription-payments.ts';
import {
  asksFor,
  raisedBy,
  subscriptionStep,
  type SubscriptionEvent,
  type SubscriptionEventType,
} from './subscription.machine.ts';
import {
  listUnended,
  saveSubscription,
  showSubscriptionInEvent,
  type SubscriptionRow,
} from './subscription.records.ts';

export const WAKE_JOB = 'subscription.wake';

/** A subscription after a step, not saved yet, and the events of the API that the step raises. */
export interface Advanced {
  row: SubscriptionRow;
  events: SubscriptionEventType[];
}

/**
 * Takes a subscription through the step that an event makes and, as far as that asks for it, through those that
 * follow at once: the outcome of a charge, the billing that a resumed subscription owes. The money has moved
 * when this returns. Undefined when the event changes nothing there.
 */
export async function advance(
  tx: Transaction,
  services: Services,
  before: SubscriptionRow,
  event: SubscriptionEvent,
  atMs: number,
): Promise<Advanced | undefined> {
  const hasCard = (await chargeableCard(tx, before)) !== undefined;
  const context = {
    hasCard,
    cycle: before.cycle,
    cycles: before.interval_times,
    priceMinor: before.price_minor,
    balanceMinor: before.balance_minor,
    paymentAttempts: before.payment_attempts,
    lastError: before.last_error,
  };
  const step = subscriptionStep(before.phase, context, event);
  if (!step) return undefined;
  const [from, state] = [before.phase, step.state];
  emitStep(tx, services, { machineId: 'subscription', objectId: before.id, event: event.type, from, state });
  let row = afterStep(before, { step, event, atMs, hasCard });
  const events = raisedBy(step);
  if (asksFor(step, 'askForPayment')) row = await openSession(tx, services, row, 'cycle');
  if (asksFor(step, 'charge')) {
    const charged = await charge(tx, services, row);
    return followed(events, await advance(tx, services, charged.row, charged.event, atMs), row);
  }
  if (asksFor(step, 'restartBilling') && row.next_billing_ms! <= atMs) {
    return followed(events, await advance(tx, services, row, { type: 'cycle.due' }, atMs), row);
  }
  return { row, events };
}

function followed(
  events: SubscriptionEventType[],
  next: Advanced | undefined,
  row: SubscriptionRow,
): Advanced {
  return { row: next?.row ?? row, events: [...events, ...(next?.events ?? [])] };
}

/**
 * Writes a subscription, the job that looks at it when next something is due, and the events, all of which carry
 * it as it stands at the end.
 */
export async function settle(
  tx: Transaction,
  services: Services,
  { row, events }: Advanced,
): Promise<SubscriptionRow> {
  const { clock, jobs } = services;
  const saved = await saveSubscription(tx, row, clock.nowMs());
  await jobs.cancel(tx, WAKE_JOB, row.id);
  const dueMs = wakeMs(row);
  if (dueMs !== null) await jobs.add(tx, { kind: WAKE_JOB, subject: row.id, dueMs });
  const data = showSubscriptionInEvent(saved);
  for (const type of events) raise(tx, services, { type, accountId: row.account_id, data });
  return saved;
}

/** Both at once; undefined, and nothing written, when the event changes nothing. */
export async function applySubscriptionEvent(
  tx: Transaction,
  services: Services,
  before: SubscriptionRow,
  event: SubscriptionEvent,
  atMs = wholeSecond(services.clock.nowMs()),
): Promise<SubscriptionRow | undefined> {
  const advanced = await advance(tx, services, before, event, atMs);
  return advanced && settle(tx, services, advanced);
}

/**
 * Cancels the subscriptions of a customer who is about to be deleted, as long as none has begun.
 * @throws Refusal `customer_subscribed` when a subscription still bills the customer (docs/choices.md, Customers).
 */
export async function endSubscriptionsOf(
  tx: Transaction,
  services: Services,
  customerId: string,
): Promise<void> {
  const unended = await listUnended(tx, customerId);
  if (unended.some(({ status }) => status !== 'Pending')) throw new Refusal('customer_subscribed');
  for (const row of unended)
    await applySubscriptionEvent(tx, services, row, { type: 'subscription.cancelled' });
}
