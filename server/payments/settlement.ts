import { Fault } from '../../protocol/failures.ts';
import type { EventType } from '../events/event-types.ts';
import { recordEvent } from '../events/event-log.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/store.ts';
import {
  addRefunded,
  moveSession,
  showSessionInEvent,
  type PaymentSessionRow,
} from './payment-session.records.ts';
import type { PaymentMethod } from './payment-session.schema.ts';
import {
  addRefundedToCapture,
  findCapture,
  insertTransaction,
  type NewTransaction,
} from './transaction.records.ts';

/** Every movement writes a transaction and moves the session, or throws and is undone whole. */
interface Movement {
  tx: Transaction;
  services: Services;
  session: PaymentSessionRow;
}

/** Writes an event of a session, to be delivered in the order of the events of what drives it: its terminal. */
export async function recordSessionEvent(
  { tx, services, session }: Movement,
  type: EventType,
  inOrderOf: string,
): Promise<void> {
  const { account_id: accountId } = session;
  await recordEvent(tx, services, { type, accountId, data: showSessionInEvent(session), inOrderOf });
}

function written(session: PaymentSessionRow | undefined, what: string): PaymentSessionRow {
  if (!session) throw new Fault('internal', `the payment session did not allow to ${what}`);
  return session;
}

async function addTransaction(
  { tx, services, session }: Movement,
  movement: Pick<NewTransaction, 'type' | 'status' | 'platformFeeMinor'> & {
    amountMinor?: number;
    paymentMethod?: PaymentMethod | undefined;
  },
): Promise<void> {
  const { amountMinor = session.amount_minor, paymentMethod = methodOf(session), ...rest } = movement;
  const { id: sessionId, account_id: accountId, currency } = session;
  const id = services.ids.make('transaction');
  await insertTransaction(
    tx,
    { id, sessionId, accountId, currency, amountMinor, paymentMethod, ...rest },
    services.clock.nowMs(),
  );
}

function methodOf(session: PaymentSessionRow): PaymentMethod | undefined {
  return session.payment_method === null ? undefined : (JSON.parse(session.payment_method) as PaymentMethod);
}

/** PendingPayment to Approved: the issuer agreed. */
export async function approve(movement: Movement, paymentMethod: PaymentMethod): Promise<PaymentSessionRow> {
  const { tx, services, session } = movement;
  await addTransaction(movement, { type: 'Authorization', status: 'Succeeded', paymentMethod });
  const change = { lastError: null, paymentMethod };
  const nowMs = services.clock.nowMs();
  return written(await moveSession(tx, session.id, 'PendingPayment', 'Approved', change, nowMs), 'approve');
}

/** PendingPayment stays, with the issuer's reason. */
export async function decline(
  movement: Movement,
  paymentMethod: PaymentMethod,
  code: string,
): Promise<PaymentSessionRow> {
  const { tx, services, session } = movement;
  await addTransaction(movement, { type: 'Authorization', status: 'Failed', paymentMethod });
  const change = { lastError: code, paymentMethod };
  const nowMs = services.clock.nowMs();
  return written(
    await moveSession(tx, session.id, 'PendingPayment', 'PendingPayment', change, nowMs),
    'decline',
  );
}

/** Approved to Captured, the whole amount, with the platform's fee of it. */
export async function capture(movement: Movement): Promise<PaymentSessionRow> {
  const { tx, services, session } = movement;
  const fee = session.platform_fee_minor === null ? {} : { platformFeeMinor: session.platform_fee_minor };
  await addTransaction(movement, { type: 'Capture', status: 'Succeeded', ...fee });
  const nowMs = services.clock.nowMs();
  return written(
    await moveSession(tx, session.id, 'Approved', 'Captured', { lastError: null }, nowMs),
    'capture',
  );
}

/** Approved to Voided: what was approved is given back before it was taken. */
export async function voidPayment(movement: Movement): Promise<PaymentSessionRow> {
  const { tx, services, session } = movement;
  await addTransaction(movement, { type: 'Void', status: 'Succeeded' });
  const nowMs = services.clock.nowMs();
  return written(await moveSession(tx, session.id, 'Approved', 'Voided', { lastError: null }, nowMs), 'void');
}

/** Gives back part of a captured payment, and if asked the platform fee in proportion (Spec §4.12). */
export async function refund(
  movement: Movement,
  request: { amountMinor: number; refundPlatformFee: boolean; paymentMethod: PaymentMethod | undefined },
): Promise<PaymentSessionRow> {
  const { tx, services, session } = movement;
  const nowMs = services.clock.nowMs();
  const captured = await findCapture(tx, session.id);
  if (!captured) throw new Fault('internal', 'a captured payment session has no capture');
  const feeMinor = request.refundPlatformFee
    ? feeShare(captured.platform_fee_minor ?? 0, captured.platform_fee_refunded_minor ?? 0, {
        amountMinor: request.amountMinor,
        capturedMinor: captured.amount_minor,
      })
    : 0;
  const { amountMinor, paymentMethod } = request;
  await addTransaction(movement, { type: 'Refund', status: 'Succeeded', amountMinor, paymentMethod });
  await addRefundedToCapture(tx, captured.id, amountMinor, feeMinor, nowMs);
  return written(await addRefunded(tx, session.id, amountMinor, nowMs), 'refund');
}

/** A refund that was refused leaves a failed transaction and nothing else. */
export async function refuseRefund(
  movement: Movement,
  amountMinor: number,
  paymentMethod: PaymentMethod | undefined,
): Promise<PaymentSessionRow> {
  await addTransaction(movement, { type: 'Refund', status: 'Failed', amountMinor, paymentMethod });
  return movement.session;
}

/** The part of a fee that goes back with part of a payment: in proportion, half up, never more than is left. */
export function feeShare(
  feeMinor: number,
  alreadyRefundedMinor: number,
  { amountMinor, capturedMinor }: { amountMinor: number; capturedMinor: number },
): number {
  // The product of two amounts can be beyond what a double holds exactly.
  const [fee, amount, captured] = [BigInt(feeMinor), BigInt(amountMinor), BigInt(capturedMinor)];
  const share = Number((2n * fee * amount + captured) / (2n * captured));
  return Math.min(share, feeMinor - alreadyRefundedMinor);
}
