import type { Interval } from './subscription-billing.schema.ts';
import { hasEffect, type SubscriptionEvent, type SubscriptionStep } from './subscription.machine.ts';
import { intervalOf, type SubscriptionChange, type SubscriptionRow } from './subscription.records.ts';

const DAY_MS = 86_400_000;

/**
 * Returns when the cycle that begins at `startMs` ends and the next one begins. Months are calendar months (UTC): the
 * day is that of `anchorMs`, the first billing time, or the last day of a shorter month (docs/choices.md, Billing
 * cycles). So a subscription of the 31st is billed on 28 February, and on 31 March.
 */
export function cycleEnd(startMs: number, { unit, count }: Interval, anchorMs: number): number {
  if (unit === 'Days') return startMs + count * DAY_MS;
  const start = new Date(startMs);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + count];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(new Date(anchorMs).getUTCDate(), lastDay);
  return Date.UTC(year, month, day) + (startMs % DAY_MS);
}

/** Returns the cycle that contains `nowMs`, at the earliest the one given; cycles in between are skipped. */
export function cycleAround(
  nowMs: number,
  cycle: { startMs: number; endMs: number },
  interval: Interval,
  anchorMs: number,
): { startMs: number; endMs: number } {
  let { startMs, endMs } = cycle;
  while (endMs <= nowMs) [startMs, endMs] = [endMs, cycleEnd(endMs, interval, anchorMs)];
  return { startMs, endMs };
}

/** Rounds down to whole seconds, the precision of the API: what is due is due at the time that the API shows. */
export function floorToSecond(ms: number): number {
  return ms - (ms % 1000);
}

/** The interval between the retries of a failed charge, and their number (docs/choices.md, Past due). */
const RETRY_MS = 86_400_000;
const RETRIES_MAX = 4;

/** A step of a subscription with its time and its event. */
interface TimedStep {
  step: SubscriptionStep;
  event: SubscriptionEvent;
  atMs: number;
  /** Whether there is a card to charge again. */
  hasCard: boolean;
}

/** Returns the subscription after a step: its state, its cycle, and its next billing time. */
export function afterStep(before: SubscriptionRow, timed: TimedStep): SubscriptionRow {
  const { step } = timed;
  const moved: SubscriptionRow = {
    ...before,
    phase: step.state,
    status: step.status,
    cycle: step.context.cycle,
    balance_minor: step.context.balanceMinor,
    payment_attempts: step.context.paymentAttempts,
    last_error: step.context.lastError,
  };
  const begun = step.context.cycle > before.cycle ? { ...moved, ...newCycle(before, timed) } : moved;
  return {
    ...begun,
    ...nextBilling(before, begun, timed),
    ...pauseDates(before, timed),
    ...(step.state === 'cancelled' && { cancelled_ms: timed.atMs }),
  };
}

/** Returns the dates of the cycle that begins: at its due time, or with the payment of a front end. */
function newCycle(before: SubscriptionRow, { event, atMs }: TimedStep): SubscriptionChange {
  const due = event.type === 'payment.succeeded' ? null : before.next_billing_ms;
  const startMs = due ?? atMs;
  const anchorMs = before.cycle === 0 ? startMs : before.billing_cycle_ms;
  return {
    cycle_start_ms: startMs,
    cycle_end_ms: cycleEnd(startMs, intervalOf(before), anchorMs),
    billing_cycle_ms: anchorMs,
  };
}

function nextBilling(
  before: SubscriptionRow,
  after: SubscriptionRow,
  { step, event, atMs, hasCard }: TimedStep,
): SubscriptionChange {
  switch (step.state) {
    case 'pending':
    case 'paused':
    case 'cancelled':
    case 'ended':
      return { next_billing_ms: null };
    case 'billing':
    case 'pauseScheduled':
      return {};
    case 'pastDue': {
      // A step that only requests the charge sets no retry: that depends on the result of the charge.
      if (event.type !== 'payment.failed' && hasCard) return {};
      const again = hasCard && after.payment_attempts <= RETRIES_MAX;
      return { next_billing_ms: again ? atMs + RETRY_MS : null };
    }
    case 'active':
      if (hasEffect(step, 'scheduleNextCycle')) return afterPause(before, atMs);
      if (event.type !== 'payment.succeeded') return {};
      return before.phase === 'pastDue'
        ? afterLatePayment(after, atMs)
        : { next_billing_ms: after.cycle_end_ms };
  }
}

/** After a pause the cycle that was held back begins at once, unless its start was moved to later. */
function afterPause(before: SubscriptionRow, atMs: number): SubscriptionChange {
  const nextMs = Math.max(before.cycle_end_ms, atMs);
  return { next_billing_ms: nextMs, billing_cycle_ms: nextMs };
}

/** A late payment pays its own cycle; the cycles that have passed since are not billed. */
function afterLatePayment(after: SubscriptionRow, atMs: number): SubscriptionChange {
  const { startMs, endMs } = cycleAround(
    atMs,
    { startMs: after.cycle_start_ms, endMs: after.cycle_end_ms },
    intervalOf(after),
    after.billing_cycle_ms,
  );
  return { cycle_start_ms: startMs, cycle_end_ms: endMs, next_billing_ms: endMs };
}

const NO_PAUSE = { pause_reason: null, paused_ms: null, resume_ms: null };

function pauseDates(before: SubscriptionRow, { step, atMs }: TimedStep): SubscriptionChange {
  if (step.state !== 'pauseScheduled' && step.state !== 'paused') return NO_PAUSE;
  return step.state === before.phase ? {} : { paused_ms: atMs };
}

/** Returns the event that is due at an instant, and since when; the earliest when there are two. */
export function dueEvent(
  row: SubscriptionRow,
  nowMs: number,
): { event: SubscriptionEvent; atMs: number } | undefined {
  const { next_billing_ms: billingMs, resume_ms: resumeMs } = row;
  const atMs = nextBillingOrResumeMs(row);
  if (atMs === null || atMs > nowMs) return undefined;
  if (atMs === resumeMs) return { event: { type: 'resumeTime.reached' }, atMs };
  return { event: { type: row.phase === 'pastDue' ? 'retry.due' : 'cycle.due' }, atMs: billingMs! };
}

/** Returns when the next event is due; null for never. */
export function nextBillingOrResumeMs({ next_billing_ms, resume_ms }: SubscriptionRow): number | null {
  if (next_billing_ms === null || resume_ms === null) return next_billing_ms ?? resume_ms;
  return Math.min(next_billing_ms, resume_ms);
}
