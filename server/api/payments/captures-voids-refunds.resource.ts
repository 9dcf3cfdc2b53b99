import { Type } from '../../../protocol/schema.ts';
import { routeFor, type Route } from '../../platform/http/route.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { captureOf, refuseVoid, readRefundContext, refundOf } from './captures-voids-refunds.rules.ts';
import { CaptureRequest, RefundRequest } from './captures-voids-refunds.schema.ts';
import { expireHoldIfDue } from './session-jobs.ts';
import { sessionById } from './payment-session.resource.ts';
import type { PaymentSessionRow } from './payment-session-row.ts';
import { PAYMENT_GUARDS } from './payment-session.records.ts';
import { refuseUnlinkedAccounts, relockSession } from './session-request.ts';
import { failsLater, scheduleFailure } from './settlement-failure.ts';
import { capture, refund, voidPayment } from './settlement.ts';
import { toPaymentTransaction } from './payment-transaction.records.ts';
import { PaymentTransaction } from './payment-transaction.schema.ts';
import type { PaymentServices } from './payment-services.ts';

const route = routeFor<PaymentServices>();

/** Locks the session and reads it again, in this transaction, with its hold ended when that is due. */
async function rereadSession(
  tx: Transaction,
  services: PaymentServices,
  found: PaymentSessionRow,
): Promise<PaymentSessionRow> {
  const session = await relockSession(tx, services, found);
  return expireHoldIfDue({ tx, services, session });
}

const common = {
  tag: 'Payment session',
  section: 'Spec §4.1',
  access: 'sandboxDashboard',
  accountHeader: true,
  reply: PaymentTransaction,
  status: 202,
  find: sessionById,
} as const;

const captureRoute = route({
  ...common,
  operation: 'POST /payment-sessions/{paymentSessionId}/captures',
  summary: 'Capture an approved payment, whole or in part',
  body: CaptureRequest,
  refusals: [
    'not_approved',
    'not_manual',
    'capture_verification',
    'capture_too_large',
    'fee_without_account',
    'fee_too_large',
    'splits_not_allowed',
    'splits_too_large',
    'split_account',
    'split_fee_too_large',
    'fee_account',
  ],
  handle: ({ services, caller, body, found }) =>
    services.store.transaction(async (tx) => {
      const session = await rereadSession(tx, services, found);
      const requested = captureOf(session, body, { caller, ids: services.ids });
      await refuseUnlinkedAccounts(tx, caller, body);
      const context = { tx, services, session };
      if (failsLater(context, 'Capture')) {
        const { amountMinor, final } = requested;
        const captureType = final ? 'Final' : 'NotFinal';
        return toPaymentTransaction(
          await scheduleFailure(context, { type: 'Capture', amount: amountMinor, captureType }),
        );
      }
      const captured = await capture(context, requested);
      return toPaymentTransaction(captured.transaction);
    }, PAYMENT_GUARDS),
});

const voidRoute = route({
  ...common,
  operation: 'POST /payment-sessions/{paymentSessionId}/voids',
  summary: 'Void an approved payment that is not captured',
  // The body has no members. Client libraries send an empty object, other members or no body.
  body: Type.Object({}),
  refusals: ['not_approved', 'not_manual', 'void_after_capture'],
  handle: ({ services, found }) =>
    services.store.transaction(async (tx) => {
      const session = await rereadSession(tx, services, found);
      refuseVoid(session);
      const context = { tx, services, session };
      if (failsLater(context, 'Void')) {
        const transaction = { type: 'Void', amount: session.amount_minor } as const;
        return toPaymentTransaction(await scheduleFailure(context, transaction));
      }
      const voided = await voidPayment(context);
      return toPaymentTransaction(voided.transaction);
    }, PAYMENT_GUARDS),
});

const refundRoute = route({
  ...common,
  operation: 'POST /payment-sessions/{paymentSessionId}/refunds',
  summary: 'Refund a captured payment, whole or in part',
  body: RefundRequest,
  refusals: [
    'not_found',
    'refund_not_captured',
    'refund_in_flight',
    'refund_disputed',
    'capture_unnamed',
    'refund_too_large',
    'refund_not_sum',
    'nothing_left',
    'no_platform_fee',
    'split_refund_too_large',
    'split_fee_refund_too_large',
    'split_twice',
    'fee_account',
  ],
  handle: ({ services, caller, body, found }) =>
    services.store.transaction(async (tx) => {
      const session = await rereadSession(tx, services, found);
      const requested = refundOf(session, body, await readRefundContext(tx, services, session.id));
      const { splits: _parts, ...fees } = body;
      await refuseUnlinkedAccounts(tx, caller, fees);
      const context = { tx, services, session };
      if (failsLater(context, 'Refund')) {
        const { amountMinor: amount, reason, capture: captured } = requested;
        const transaction = { type: 'Refund', amount, reason, captureId: captured.id } as const;
        return toPaymentTransaction(await scheduleFailure(context, transaction));
      }
      const refunded = await refund(context, requested);
      return toPaymentTransaction(refunded.transaction);
    }, PAYMENT_GUARDS),
});

/** Routes that capture, void and refund a payment (Spec §4.1). */
export const captureVoidRefundRoutes: readonly Route[] = [captureRoute, voidRoute, refundRoute];
