import { toTimestamp } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import { findAccount } from '../accounts/account.records.ts';
import { customers } from '../customers/customer.records.ts';
import { raise } from '../webhooks/event-log.ts';
import type { EventType } from '../webhooks/event-types.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { bankFails } from '../../bank/bank-faults.ts';
import { magicAmountsOnline } from '../../bank/issuer/issuer.ts';
import { postChargeback, postChargebackReversal } from '../ledger/payment-entries.ts';
import { emitStep } from '../../platform/activities.ts';
import { paymentMethodOf, type PaymentSessionRow } from '../payments/payment-session-row.ts';
import { lockAnySession, markSessionChanged } from '../payments/payment-session.records.ts';
import { onSessionEvent } from '../payments/session-events.ts';
import { addPaymentTransaction } from '../payments/settlement.ts';
import type { Services } from '../../platform/services.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import { disputeStateOf, disputeStep, type DisputeEvent } from './dispute.machine.ts';
import { disputes, evidenceOf, listActiveDisputes, toDispute, type DisputeRow } from './dispute.records.ts';
import type { Dispute, DisputeCategory } from './dispute.schema.ts';
import { winsByDefault, REASONS } from './evidence.rules.ts';
import type { PaymentServices } from '../payments/payment-services.ts';

/** Ends a dispute without a response, or decides a challenged one. The job's key is the dispute. */
const DATE_JOB = 'dispute.date';

const DAY_MS = 86_400_000;
// How long an account has to respond, and a card scheme to decide (docs/choices.md, Disputes).
const RESPOND_MS = 14 * DAY_MS;
const DECIDE_MS = 30 * DAY_MS;

/** What holds the rules of transactions that change disputes, whose money is that of their payments. */
export const DISPUTE_GUARDS = { guardedBy: ['paymentMoney', 'chargebackPayer', 'jobClaims'] } as const;

/** Amounts whose payments are disputed as soon as they are captured (docs/choices.md, Magic amounts). */
const DISPUTED_AMOUNT = 955;

interface OpenDisputeInput {
  /** Defaults to the whole amount that is not refunded. */
  amountMinor?: number | undefined;
  category?: DisputeCategory | undefined;
  reason?: Dispute['reason'] | undefined;
}

/**
 * Returns the payment that a dispute shows, and the largest amount that can be disputed, in minor units.
 * @throws Refusal unless the payment is captured, not disputed already, and not all of it is refunded.
 */
export async function disputable(
  queries: Queries,
  { refundHolds }: Pick<PaymentServices, 'refundHolds'>,
  session: PaymentSessionRow,
): Promise<{ payment: Dispute['paymentSession']; mostMinor: number }> {
  const payment = paymentOf(session);
  const disputed = await listActiveDisputes(queries, session.id);
  if (session.status !== 'Captured' || !payment || disputed.length > 0) throw new Refusal('not_disputable');
  const mostMinor = session.captured_minor - session.refunded_minor;
  if (mostMinor < 1) throw new Refusal('nothing_left');
  // A refund that a terminal has started would return the same money a second time.
  if (await refundHolds.isRefundInFlight(queries, session.id)) throw new Refusal('refund_in_flight');
  return { payment, mostMinor };
}

/**
 * Opens a dispute: withdraws the money from the account and starts the period in which it may respond.
 * @throws Refusal unless the payment is captured, not disputed already, and at least the amount is not refunded.
 */
export async function openDispute(
  tx: Transaction,
  services: PaymentServices,
  session: PaymentSessionRow,
  { amountMinor, category = 'Fraudulent', reason = REASONS[category] }: OpenDisputeInput,
): Promise<DisputeRow> {
  const { ids, jobs, clock } = services;
  const { payment, mostMinor: most } = await disputable(tx, services, session);
  const minor = amountMinor ?? most;
  if (minor < 1 || minor > most) throw new Refusal('dispute_too_large', { most });

  const nowMs = clock.nowMs();
  const id = ids.make('dispute');
  const context = { tx, services, session };
  const transaction = await addPaymentTransaction(context, {
    type: 'Chargeback',
    status: 'Succeeded',
    amount: minor,
  });
  const posting = { session, transactionId: transaction.id, amountMinor: minor };
  const { bearerId } = await postChargeback(tx, services, posting);
  const account = await findAccount(tx, session.account_id);
  const dispute = {
    id,
    bearerId,
    category,
    reason,
    paymentSession: payment,
    platformId: account?.platformId ?? session.account_id,
    accountId: session.account_id,
    paymentSessionId: session.id,
    amount: minor,
    currency: session.currency,
    customer: await customerOf(tx, session),
    respondBy: nowMs + RESPOND_MS,
  };
  const row = await disputes.insert(tx, dispute, nowMs);
  await markSessionChanged(tx, session.id);
  await jobs.add(tx, { kind: DATE_JOB, key: id, dueMs: row.respond_by_ms });
  record(tx, services, 'Dispute.created', row);
  return row;
}

function paymentOf(session: PaymentSessionRow): Dispute['paymentSession'] | undefined {
  const card = paymentMethodOf(session)?.card;
  if (!card) return undefined;
  const { scheme, last4 } = card;
  return {
    id: session.id,
    paymentType: session.payment_type,
    paymentMethod: { card: { scheme, last4 } },
  };
}

async function customerOf(tx: Transaction, session: PaymentSessionRow): Promise<Dispute['customer']> {
  const { customer_id: id, customer_email: email, account_id: accountId } = session;
  if (id === null && email === null) return undefined;
  const customer = id === null ? undefined : await customers.find(tx, accountId, id);
  return {
    ...(email !== null && { email }),
    ...(id !== null && { id }),
    ...(customer && { createdTimestamp: toTimestamp(customer.created_ms) }),
  };
}

/** Applies an event to a dispute; returns undefined when the event changes nothing there. */
export async function applyDisputeEvent(
  tx: Transaction,
  services: Services,
  row: DisputeRow,
  meant: DisputeEvent,
): Promise<DisputeRow | undefined> {
  if (!disputeStep(row.status, meant)) return undefined;
  const event = decidedEvent(tx, services, row, meant);
  const step = disputeStep(row.status, event);
  if (!step) return undefined;
  const { clock, jobs } = services;
  const saved = await disputes.updateFrom(tx, row, { status: step.status }, clock.nowMs());
  if (!saved) return undefined;
  const [from, state] = [disputeStateOf(row.status), step.state];
  emitStep(tx, services, { machineId: 'dispute', objectId: row.id, event: event.type, from, state });
  await jobs.cancel(tx, DATE_JOB, row.id);
  for (const { type } of step.effects) {
    if (type === 'reinstateFunds') await reinstateFunds(tx, services, saved);
    else await jobs.add(tx, { kind: DATE_JOB, key: row.id, dueMs: clock.nowMs() + DECIDE_MS });
  }
  record(tx, services, step.done ? 'Dispute.closed' : 'Dispute.challenged', saved);
  return saved;
}

const OPPOSITES: Partial<Record<DisputeEvent['type'], DisputeEvent>> = {
  'dispute.won': { type: 'dispute.lost' },
  'dispute.lost': { type: 'dispute.won' },
};

/** Returns the event that happens in place of one that is about to: the opposite decision, where a fault strikes. */
function decidedEvent(
  tx: Transaction,
  services: Services,
  row: DisputeRow,
  meant: DisputeEvent,
): DisputeEvent {
  const opposite = OPPOSITES[meant.type];
  const ids = [row.id, row.session_id];
  return opposite && bankFails(tx, services, { at: 'bank.dispute', ids }) ? opposite : meant;
}

async function reinstateFunds(tx: Transaction, services: Services, row: DisputeRow): Promise<void> {
  const session = await lockAnySession(tx, row.session_id);
  if (!session) throw new Fault('internal', 'a dispute about a payment that is not there');
  const { amount_minor: amountMinor, bearer_id: bearerId } = row;
  const context = { tx, services, session };
  const transaction = await addPaymentTransaction(context, {
    type: 'ChargebackReversal',
    status: 'Succeeded',
    amount: amountMinor,
  });
  const posting = { session, transactionId: transaction.id, amountMinor, bearerId };
  await postChargebackReversal(tx, services, posting);
}

function record(tx: Transaction, services: Services, type: EventType, row: DisputeRow): void {
  raise(tx, services, { type, accountId: row.account_id, data: toDispute(row) });
}

/** Subscribes to payments whose amount requests a dispute, and handles the job that is due on a dispute's date. */
export function registerDisputeHandlers(services: PaymentServices): void {
  const { jobs, store } = services;
  onSessionEvent(services, 'PaymentSession.captured', async (tx, { session }) => {
    if (session.status !== 'Captured') return;
    if (!magicAmountsOnline(services.settings) || session.amount_minor % 1000 !== DISPUTED_AMOUNT) return;
    if ((await listActiveDisputes(tx, session.id)).length > 0) return;
    await openDispute(tx, services, session, {});
  });
  jobs.handle(DATE_JOB, (job) =>
    store.transaction(async (tx) => {
      await jobs.finish(tx, job, 'done');
      const row = await lockDispute(tx, job.key);
      if (!row) throw new Fault('internal', 'a job about a dispute that is not there');
      await applyDisputeEvent(tx, services, row, dueEvent(row));
    }, DISPUTE_GUARDS),
  );
}

/** Locks the payment session of a dispute, and returns the dispute as it is then. */
export async function lockDispute(tx: Transaction, id: string): Promise<DisputeRow | undefined> {
  const found = await disputes.findAny(tx, id);
  if (!found) return undefined;
  tx.lockRow('payment_sessions', found.session_id);
  await markSessionChanged(tx, found.session_id);
  return disputes.findAny(tx, id);
}

/** Loses an open dispute whose time to respond is over, also before its job does. Returns the dispute as it is then. */
export async function loseIfOverdue(
  tx: Transaction,
  services: Services,
  row: DisputeRow,
): Promise<DisputeRow> {
  if (row.status !== 'Open' || services.clock.nowMs() < row.respond_by_ms) return row;
  return (await applyDisputeEvent(tx, services, row, { type: 'deadline.passed' })) ?? row;
}

function dueEvent(row: DisputeRow): DisputeEvent {
  if (row.status === 'Open') return { type: 'deadline.passed' };
  return { type: winsByDefault(evidenceOf(row)) ? 'dispute.won' : 'dispute.lost' };
}
