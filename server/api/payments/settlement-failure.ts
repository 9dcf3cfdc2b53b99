import { bankFails } from '../../bank/bank-faults.ts';
import type { EventType } from '../webhooks/event-types.ts';
import type { Context } from '../../platform/context.ts';
import type { Services } from '../../platform/services.ts';
import type { Job } from '../../platform/scheduler/jobs.ts';
import type { Transaction } from '../../platform/store/store.ts';
import type { PaymentSessionRow } from './payment-session-row.ts';
import { saveSession } from './payment-session.records.ts';
import { raiseSessionEvent, type PaymentContext } from './session-events.ts';
import { addPaymentTransaction } from './settlement.ts';
import {
  endPaymentTransaction,
  type NewPaymentTransaction,
  type PaymentTransactionRow,
} from './payment-transaction.records.ts';

/** Types of transactions that can be made to fail after they are accepted (Spec §4.1; docs/choices.md, Failures). */
export const FAILABLE_TYPES = ['Capture', 'Void', 'Refund'] as const;
type FailableType = (typeof FAILABLE_TYPES)[number];

/** The operation that requests each of them. */
const OPERATIONS: Record<FailableType, string> = {
  Capture: 'POST /v1/payment-sessions/{paymentSessionId}/captures',
  Void: 'POST /v1/payment-sessions/{paymentSessionId}/voids',
  Refund: 'POST /v1/payment-sessions/{paymentSessionId}/refunds',
};

/** The operations whose transactions a fault can let fail. */
export const FAILABLE_OPERATIONS: readonly string[] = Object.values(OPERATIONS);

export const FAILURE_JOB = 'payment.failure';
const FAILS_AFTER_MS = 2000;

const EVENTS = {
  Capture: 'PaymentSession.capture_failed',
  Void: 'PaymentSession.void_failed',
  Refund: 'PaymentSession.refund_failed',
} as const satisfies Record<FailableType, EventType>;

/** Sets which type of transaction of a session fails next; undefined for none. */
export async function setNextFailure(
  tx: Transaction,
  { clock }: Context,
  session: PaymentSessionRow,
  type: FailableType | undefined,
): Promise<void> {
  saveSession(tx, session, { ...session, fail_next: type ?? null }, clock.nowMs());
}

/** Returns whether the transaction that is being accepted will fail: a caller has asked for that, or a fault strikes it. */
export function failsLater(
  { tx, services, session }: PaymentContext & { services: Pick<Services, 'faults'> },
  type: FailableType,
): boolean {
  const { id, fail_next: failNext } = session;
  return (
    failNext === type ||
    bankFails(tx, services, { at: 'bank.settlement', operation: OPERATIONS[type], ids: [id] })
  );
}

/** Adds a Pending transaction and schedules its failure. No money moves. */
export async function scheduleFailure(
  context: PaymentContext,
  transaction: Pick<NewPaymentTransaction, 'amount' | 'captureType' | 'captureId' | 'reason'> & {
    type: FailableType;
  },
): Promise<PaymentTransactionRow> {
  const { tx, services, session } = context;
  const pending = await addPaymentTransaction(context, { ...transaction, status: 'Pending' });
  await setNextFailure(tx, services, session, undefined);
  await services.jobs.add(tx, {
    kind: FAILURE_JOB,
    key: session.id,
    payload: { transactionId: pending.id, type: transaction.type },
    dueMs: services.clock.nowMs() + FAILS_AFTER_MS,
  });
  return pending;
}

/** Sets the transaction of a failure job to Failed and raises the event of its type. */
export async function recordFailure(context: PaymentContext, job: Job): Promise<void> {
  const { tx, services, session } = context;
  const { transactionId, type } = job.payload as { transactionId: string; type: FailableType };
  const pending = { id: transactionId, sessionId: session.id };
  await endPaymentTransaction(tx, pending, 'Failed', services.clock.nowMs());
  raiseSessionEvent(context, EVENTS[type], transactionId);
}
