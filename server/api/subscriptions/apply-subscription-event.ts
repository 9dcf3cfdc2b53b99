import { raise } from '../webhooks/event-log.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { emitStep } from '../../platform/activities.ts';
import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { floorToSecond, afterStep, dueEvent, nextBillingOrResumeMs } from './subscription-calendar.ts';
import { charge, chargeableCard, createSubscriptionSession } from './subscription-payments.ts';
import {
  hasEffect,
  raisedEventsOf,
  subscriptionStep,
  type SubscriptionContext,
  type SubscriptionEvent,
  type SubscriptionEventType,
} from './subscription.machine.ts';
import {
  listActiveSubscriptions,
  saveSubscription,
  toSubscriptionEventData,
  type SubscriptionRow,
} from './subscription.records.ts';
import type { PaymentServices } from '../payments/payment-services.ts';

export const WAKE_JOB = 'subscription.wake';

/** A subscription after a step, not saved yet, and the events of the API that the step raises. */
export interface StepResult {
  row: SubscriptionRow;
  events: SubscriptionEventType[];
}

/** Returns the context of a subscription's machine. */
export function machineContextOf(row: SubscriptionRow, hasCard: boolean): SubscriptionContext {
  return {
    hasCard,
    cycle: row.cycle,
    cycles: row.interval_times,
    priceMinor: row.price_minor,
    balanceMinor: row.balance_minor,
    paymentAttempts: row.payment_attempts,
    lastError: row.last_error,
  };
}

/**
 * Runs the step of an event and the steps that follow at once: the result of a charge, or the billing that is due
 * after a pause. Charges the card; does not save the subscription. Returns undefined when the event does not apply.
 */
export async function runSteps(
  tx: Transaction,
  services: PaymentServices,
  before: SubscriptionRow,
  event: SubscriptionEvent,
  atMs: number,
): Promise<StepResult | undefined> {
  const hasCard = (await chargeableCard(tx, before)) !== undefined;
  const step = subscriptionStep(before.phase, machineContextOf(before, hasCard), event);
  if (!step) return undefined;
  const [from, state] = [before.phase, step.state];
  emitStep(tx, services, { machineId: 'subscription', objectId: before.id, event: event.type, from, state });
  let row = afterStep(before, { step, event, atMs, hasCard });
  const events = raisedEventsOf(step);
  if (hasEffect(step, 'requestPayment')) row = await createSubscriptionSession(tx, services, row, 'cycle');
  if (hasEffect(step, 'charge')) {
    const charged = await charge(tx, services, row);
    return mergeResults(events, await runSteps(tx, services, charged.row, charged.event, atMs), row);
  }
  if (hasEffect(step, 'scheduleNextCycle') && row.next_billing_ms! <= atMs) {
    return mergeResults(events, await runSteps(tx, services, row, { type: 'cycle.due' }, atMs), row);
  }
  return { row, events };
}

function mergeResults(
  events: SubscriptionEventType[],
  next: StepResult | undefined,
  row: SubscriptionRow,
): StepResult {
  return { row: next?.row ?? row, events: [...events, ...(next?.events ?? [])] };
}

/**
 * Saves a subscription, schedules the job for its next due time, and raises the events, all with the subscription as
 * saved.
 */
export async function saveStepResult(
  tx: Transaction,
  services: Context,
  { row, events }: StepResult,
): Promise<SubscriptionRow> {
  const { clock, jobs } = services;
  const saved = await saveSubscription(tx, row, clock.nowMs());
  await jobs.cancel(tx, WAKE_JOB, row.id);
  const dueMs = nextBillingOrResumeMs(row);
  if (dueMs !== null) await jobs.add(tx, { kind: WAKE_JOB, key: row.id, dueMs });
  for (const type of events) {
    raise(tx, services, { type, accountId: row.account_id, data: toSubscriptionEventData(saved, type) });
  }
  return saved;
}

/** Runs the steps of an event and saves the result; returns undefined, with nothing saved, when it does not apply. */
export async function applySubscriptionEvent(
  tx: Transaction,
  services: PaymentServices,
  before: SubscriptionRow,
  event: SubscriptionEvent,
  atMs = floorToSecond(services.clock.nowMs()),
): Promise<SubscriptionRow | undefined> {
  const result = await runSteps(tx, services, before, event, atMs);
  return result && saveStepResult(tx, services, result);
}

/** Applies what is due of a subscription, also before its job does. Returns the subscription as it is then. */
export async function applyDueEvents(
  tx: Transaction,
  services: PaymentServices,
  row: SubscriptionRow,
): Promise<SubscriptionRow> {
  const due = dueEvent(row, services.clock.nowMs());
  const after = due && (await applySubscriptionEvent(tx, services, row, due.event, due.atMs));
  return after ? applyDueEvents(tx, services, after) : row;
}

/**
 * Cancels the subscriptions of a customer who is locked and about to be deleted, as long as none has begun.
 * @throws Refusal `customer_subscribed` when a subscription still bills the customer (docs/choices.md, Customers).
 */
export async function endSubscriptionsOf(
  tx: Transaction,
  services: PaymentServices,
  customerId: string,
): Promise<void> {
  // None can be added meanwhile, since that locks the customer.
  for (const row of await listActiveSubscriptions(tx, customerId)) tx.lockRow('subscriptions', row.id);
  const unended = await listActiveSubscriptions(tx, customerId);
  if (unended.some(({ status }) => status !== 'Pending')) throw new Refusal('customer_subscribed');
  for (const row of unended)
    await applySubscriptionEvent(tx, services, row, { type: 'subscription.cancelled' });
}
