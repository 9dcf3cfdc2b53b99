import { Refusal } from '../../platform/http/refusals.ts';
import type { SubscriptionRow } from './subscription.records.ts';

/** Refuses a start of billing in the past, to the second. */
export function refusePastStart(startTimestamp: number | undefined, nowMs: number): void {
  if (startTimestamp === undefined || (startTimestamp + 1) * 1000 > nowMs) return;
  throw new Refusal('in_past', { field: 'billingCycleTimestamp' });
}

export function refusePastResume(resumeTimestamp: number | undefined, nowMs: number): void {
  if (resumeTimestamp === undefined || resumeTimestamp * 1000 > nowMs) return;
  throw new Refusal('not_in_future', { field: 'resumeAtTimestamp' });
}

/** Refuses changes to a subscription that is cancelled or has ended (Spec §3). */
export function refuseEnded({ status }: SubscriptionRow): void {
  if (status === 'Cancelled' || status === 'Ended') throw new Refusal('subscription_over', { status });
}

/** Refuses a number of cycles that does not exceed those begun; the current number may be repeated. */
export function refuseTooFewCycles(row: SubscriptionRow, times: number | undefined): void {
  if (times === undefined || times === row.interval_times || times > row.cycle) return;
  throw new Refusal('too_few_cycles', { cycle: row.cycle });
}
