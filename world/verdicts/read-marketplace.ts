import type { HuntedPayout, HuntedTransfer } from './hunt-facts.ts';
import { readAll, SINCE_EVER, type Read } from './read-list.ts';

/** Statuses of payouts whose money stays where it was or is back. */
const NOT_PAID = new Set(['Failed', 'Cancelled', 'Expired', 'Recalled', 'Returned']);

/** Reads the completed transfers of a platform, oldest first. */
export async function readTransfers(read: Read, orderMember: string): Promise<HuntedTransfer[]> {
  const transfers = await readAll(read, '/v1/transfers', SINCE_EVER);
  return transfers
    .filter(({ status }) => status === 'Completed')
    .map(({ id, metadata, source, destination, amount, currency }) => ({
      id,
      orderId: metadata?.[orderMember],
      accountId: (destination ?? source).accountId,
      toSubAccount: destination !== undefined,
      amount,
      currency,
    }))
    .reverse();
}

/** Reads the payouts of an account that its platform has requested and that have not failed, oldest first. */
export async function readPayouts(
  read: Read,
  accountId: string,
  orderMember: string,
): Promise<HuntedPayout[]> {
  const payouts = await readAll(read, `/v1/accounts/${accountId}/payouts`, SINCE_EVER);
  return payouts
    .filter(({ scheduleType, status }) => scheduleType === 'Manual' && !NOT_PAID.has(status))
    .map(({ id, metadata, amount, currency }) => ({
      id,
      orderId: metadata?.[orderMember],
      accountId,
      amount,
      currency,
    }))
    .reverse();
}

/** Reads what the platform has collected and kept of each payment session, in minor units. */
export async function readFees(read: Read): Promise<Map<string, number>> {
  const kept = new Map<string, number>();
  for (const { id, paymentSessionId, amount } of await readAll(read, '/v1/platform-fees')) {
    const refunds = await readAll(read, `/v1/platform-fees/${id}/refunds`);
    const back = refunds.reduce((sum: number, refund) => sum + refund.amount, 0);
    kept.set(paymentSessionId, (kept.get(paymentSessionId) ?? 0) + amount - back);
  }
  return kept;
}
