import { keepCallerAccount } from '../accounts/account.records.ts';
import { customers } from '../customers/customer.records.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { refuseAmount } from '../payments/amount.rules.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import { cycleEnd, floorToSecond } from './subscription-calendar.ts';
import type { Interval } from './subscription-billing.schema.ts';
import { runSteps, saveStepResult, type StepResult } from './apply-subscription-event.ts';
import { jsonText } from '../../platform/store/json-text.ts';
import { findStoredCard, createSubscriptionSession, repriceOpenSession } from './subscription-payments.ts';
import { settingsOf, subscriptions, type SubscriptionRow } from './subscription.records.ts';
import { refuseEnded, refusePastStart, refuseTooFewCycles } from './subscription.rules.ts';
import type { SubscriptionCreate, SubscriptionUpdate } from './subscription.schema.ts';
import type { PaymentServices } from '../payments/payment-services.ts';

const json = <T>(value: T | undefined) => (value === undefined ? null : jsonText(value));

/**
 * Creates a subscription and takes its first payment, or opens the session in which a front end takes it. A
 * subscription that begins later opens a session that only verifies a card (docs/choices.md, Subscriptions).
 * @throws Refusal `not_found` for an unknown customer or payment method, `currency_disabled`, `amount_out_of_range`,
 *   `in_past`.
 */
export async function createSubscription(
  tx: Transaction,
  services: PaymentServices,
  accountId: string,
  request: SubscriptionCreate,
): Promise<SubscriptionRow> {
  const nowMs = services.clock.nowMs();
  tx.lockRow('customers', request.customer.id);
  await refuseUnknown(tx, accountId, request.customer.id, request.paymentMethod?.id);
  const { currencies, statementDescriptor } = (await keepCallerAccount(tx, accountId)).settings;
  refuseAmount(request.price.amount, request.price.currency, currencies, 'price.amount');
  refusePastStart(request.billingCycleTimestamp, nowMs);
  const paymentSettings = { statementDescriptor, ...request.paymentSettings };
  const id = services.ids.make('subscription');
  const created = { id, accountId, paymentSettings, ...newSubscription(request, nowMs) };
  const row = await subscriptions.insert(tx, created, nowMs);
  tx.lockRow('subscriptions', id);
  const { row: begun, events } = await startBilling(tx, services, row, nowMs);
  // `Subscription.created` is enough: it shows the result of the first payment.
  const more = events.filter((type) => type !== 'Subscription.updated');
  return saveStepResult(tx, services, { row: begun, events: ['Subscription.created', ...more] });
}

async function startBilling(
  tx: Transaction,
  services: PaymentServices,
  row: SubscriptionRow,
  nowMs: number,
): Promise<StepResult> {
  if (row.billing_cycle_ms > nowMs)
    return { row: await createSubscriptionSession(tx, services, row, 'check'), events: [] };
  const atMs = row.billing_cycle_ms;
  return (await runSteps(tx, services, row, { type: 'cycle.due' }, atMs)) ?? { row, events: [] };
}

/** Returns what a subscription is created with: it begins at the time of its request, or later. */
function newSubscription(request: SubscriptionCreate, nowMs: number) {
  const { amount, currency, interval } = request.price;
  const startMs = Math.max((request.billingCycleTimestamp ?? 0) * 1000, floorToSecond(nowMs));
  return {
    customer: request.customer.id,
    paymentMethod: request.paymentMethod?.id,
    description: request.description,
    amount,
    currency,
    intervalUnit: interval.unit,
    intervalCount: interval.count,
    intervalTimes: interval.times,
    cycleStartMs: startMs,
    cycleEndMs: cycleEnd(startMs, interval, startMs),
    billingCycleTimestamp: startMs,
    nextBillingMs: startMs > nowMs ? startMs : null,
    shippingDetails: request.shippingDetails,
    metadata: request.metadata,
  };
}

/**
 * Updates a subscription. A new price applies from the next cycle. With a new payment method the amount due is charged
 * at once.
 * @throws Refusal `subscription_over`, `not_found`, `amount_out_of_range`, `in_past`, `too_few_cycles`.
 */
export async function updateSubscription(
  tx: Transaction,
  services: PaymentServices,
  before: SubscriptionRow,
  request: SubscriptionUpdate,
): Promise<SubscriptionRow> {
  const nowMs = services.clock.nowMs();
  const { account_id: accountId, customer_id: customerId } = before;
  const { price, paymentMethod } = request;
  await refuseUnknown(tx, accountId, customerId, paymentMethod?.id);
  if (price?.amount) {
    const { currencies } = (await keepCallerAccount(tx, accountId)).settings;
    refuseAmount(price.amount, before.currency, currencies, 'price.amount');
  }
  refusePastStart(request.billingCycleTimestamp, nowMs);
  refuseEnded(before);
  refuseTooFewCycles(before, price?.interval?.times);
  const changed = applyBillingTime(
    applyPrice(applyDetails(before, request), price),
    request.billingCycleTimestamp,
  );
  if (price?.amount && changed.phase === 'pending') await repriceOpenSession(tx, services, changed);
  const next = paymentMethod && (await chargeNow(tx, services, changed, nowMs));
  return saveStepResult(tx, services, next ?? { row: changed, events: ['Subscription.updated'] });
}

/** Charges the new card the amount that could not be charged so far. */
async function chargeNow(
  tx: Transaction,
  services: PaymentServices,
  row: SubscriptionRow,
  nowMs: number,
): Promise<StepResult | undefined> {
  const atMs = floorToSecond(nowMs);
  if (row.phase === 'pastDue') return runSteps(tx, services, row, { type: 'retry.due' }, atMs);
  const waits = row.phase === 'pending' && row.next_billing_ms === null;
  return waits ? runSteps(tx, services, row, { type: 'cycle.due' }, atMs) : undefined;
}

function applyDetails(row: SubscriptionRow, request: SubscriptionUpdate): SubscriptionRow {
  return {
    ...row,
    payment_method_id: request.paymentMethod?.id ?? row.payment_method_id,
    description: request.description ?? row.description,
    shipping_details: json(request.shippingDetails) ?? row.shipping_details,
    payment_settings: jsonText({ ...settingsOf(row), ...request.paymentSettings }),
    metadata: json(request.metadata) ?? row.metadata,
  };
}

function applyPrice(row: SubscriptionRow, price: SubscriptionUpdate['price']): SubscriptionRow {
  const { amount = row.price_minor, interval } = price ?? {};
  const repriced = { ...row, price_minor: amount };
  return interval ? withInterval(repriced, interval) : repriced;
}

/** Changes the interval from the next cycle on; the current cycle keeps its end. */
function withInterval(row: SubscriptionRow, interval: Interval): SubscriptionRow {
  const changed: SubscriptionRow = {
    ...row,
    interval_unit: interval.unit,
    interval_count: interval.count,
    interval_times: interval.times ?? null,
  };
  if (row.cycle === 0) {
    return { ...changed, cycle_end_ms: cycleEnd(row.cycle_start_ms, interval, row.billing_cycle_ms) };
  }
  // When the unit changes, the day of billing becomes that on which the first new cycle begins.
  return interval.unit === row.interval_unit ? changed : { ...changed, billing_cycle_ms: row.cycle_end_ms };
}

/** Changes the next billing time, and with it the day of billing. */
function applyBillingTime(row: SubscriptionRow, billingCycleTimestamp: number | undefined): SubscriptionRow {
  if (billingCycleTimestamp === undefined) return row;
  const startMs = billingCycleTimestamp * 1000;
  if (row.cycle === 0) {
    const endMs = cycleEnd(startMs, { unit: row.interval_unit, count: row.interval_count }, startMs);
    const next = { cycle_start_ms: startMs, cycle_end_ms: endMs, billing_cycle_ms: startMs };
    return { ...row, ...next, next_billing_ms: startMs };
  }
  const billed = row.phase === 'active' || row.phase === 'pauseScheduled';
  return {
    ...row,
    cycle_end_ms: startMs,
    billing_cycle_ms: startMs,
    ...(billed && { next_billing_ms: startMs }),
  };
}

async function refuseUnknown(
  queries: Queries,
  accountId: string,
  customerId: string,
  paymentMethodId: string | undefined,
): Promise<void> {
  if (!(await customers.find(queries, accountId, customerId))) {
    throw new Refusal('not_found', { what: 'customer' });
  }
  if (paymentMethodId === undefined) return;
  if (!(await findStoredCard(queries, accountId, customerId, paymentMethodId))) {
    throw new Refusal('not_found', { what: 'stored payment method of this customer' });
  }
}
