import { Refusal } from '../../platform/http/refusals.ts';
import { onSessionEvent } from '../payments/session-events.ts';
import type { PaymentSessionRow } from '../payments/payment-session-row.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { dueEvent } from './subscription-calendar.ts';
import { applyDueEvents, applySubscriptionEvent, WAKE_JOB } from './apply-subscription-event.ts';
import { recordSessionPayment } from './subscription-payments.ts';
import type { SubscriptionEvent } from './subscription.machine.ts';
import {
  subscriptions,
  findLink,
  lockSubscription,
  type SessionPurpose,
  type SubscriptionRow,
} from './subscription.records.ts';
import { PAYMENT_GUARDS } from '../payments/payment-session.records.ts';
import type { PaymentServices } from '../payments/payment-services.ts';

/** Registers the billing job, and subscribes to the payments that front ends make. */
export function registerBilling(services: PaymentServices): void {
  const { clock, jobs, store } = services;
  jobs.handle(WAKE_JOB, (job) =>
    store.transaction(async (tx) => {
      const found = await subscriptions.findAny(tx, job.key);
      // The subscription before the job, in the order of a request that cancels the job.
      const row = found && (await lockSubscription(tx, found));
      await jobs.finish(tx, job, 'done');
      const due = row && dueEvent(row, clock.nowMs());
      if (row && due) await applySubscriptionEvent(tx, services, row, due.event, due.atMs);
    }, PAYMENT_GUARDS),
  );
  for (const outcome of ['approved', 'captured'] as const) {
    onSessionEvent(services, `PaymentSession.${outcome}`, async (tx, { session, unattended }) => {
      // The code that charges a stored card handles its result itself. The payments of a subscription are recurring ones.
      if (unattended || session.payment_type !== 'Recurring') return;
      await applyPayment(tx, services, session, outcome);
    });
  }
}

/**
 * Applies a front end's payment: the first payment of a subscription, the verification of its card, or the payment of
 * a past-due cycle.
 * @throws Refusal `not_owed`, which undoes the payment, when the subscription does not expect it, so that no cycle is
 *   paid twice and no payment is taken for a subscription that is over.
 */
async function applyPayment(
  tx: Transaction,
  services: PaymentServices,
  session: PaymentSessionRow,
  outcome: 'approved' | 'captured',
): Promise<void> {
  const link = await tx.once(`subscription of ${session.id}`, () => findLink(tx, session.id));
  const found = link && (await subscriptions.findAny(tx, link.subscription_id));
  if (!found) return;
  const row = await applyDueEvents(tx, services, found);
  const { purpose, cycle } = link;
  const owed = purpose === 'cycle' && row.phase === 'pastDue' && cycle === row.cycle;
  if (row.phase !== 'pending' && !owed) throw new Refusal('not_owed');
  if (outcome !== PAID_WHEN[purpose]) return;
  const paid = await recordSessionPayment(tx, services, row, session, purpose);
  await applySubscriptionEvent(tx, services, paid, eventOf(purpose, row));
}

/** The verification of a card has no amount, so there is nothing to capture. */
const PAID_WHEN = { check: 'approved', cycle: 'captured' } as const satisfies Record<SessionPurpose, string>;

function eventOf(purpose: SessionPurpose, row: SubscriptionRow): SubscriptionEvent {
  if (purpose === 'cycle') return { type: 'payment.succeeded' };
  // The start has passed while the subscription had no card: now there is one to charge.
  return { type: row.next_billing_ms === null ? 'cycle.due' : 'card.verified' };
}
