import type { Queries } from '../../platform/store/store.ts';
import { isPending, listCaptures } from './payment-transaction.records.ts';
import type { RefundContext } from './refund.rules.ts';
import type { PaymentServices } from './payment-services.ts';

/** Reads what limits a refund of a payment session. */
export async function readRefundContext(
  queries: Queries,
  { refundHolds }: Pick<PaymentServices, 'refundHolds'>,
  sessionId: string,
): Promise<RefundContext> {
  return {
    captures: await listCaptures(queries, sessionId),
    inFlight:
      (await refundHolds.isRefundInFlight(queries, sessionId)) ||
      (await isPending(queries, sessionId, 'Refund')),
    disputedMinor: await refundHolds.disputedMinorOf(queries, sessionId),
  };
}
