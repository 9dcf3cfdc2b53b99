import type { HuntFacts, HuntedPayment, ShopOrder } from './verdicts.ts';

// oxlint-disable-next-line no-explicit-any -- replies of the API
type Json = any;

/** Reads a path of the API. @throws when the reply is no success */
type Read = (path: string) => Promise<Json>;

// The most that a page of any list holds.
const PAGE_ITEMS = 50;
// Payment sessions of today are listed unless told otherwise.
const SINCE_EVER = '&startTimestamp=0';

/** Reads all pages of a list. */
async function all(read: Read, path: string, more = ''): Promise<Json[]> {
  const items: Json[] = [];
  for (let next = ''; ;) {
    const page: Json = await read(`${path}?limit=${PAGE_ITEMS}${more}${next}`);
    items.push(...page.items);
    if (page.paginationToken === null) return items;
    next = `&startsAfter=${encodeURIComponent(page.paginationToken)}`;
  }
}

/**
 * Reads what there is in a sandbox once everything that was due has happened.
 * @param orderMember metadata member that names the order
 */
export async function readFacts(
  read: Read,
  orderMember: string,
  shop: (() => { orders: readonly ShopOrder[] }) | undefined,
): Promise<HuntFacts> {
  const events = await all(read, '/v1/events');
  const cancelled = new Set(events.map(cancelledBy));
  const sessions = await all(read, '/v1/payment-sessions', SINCE_EVER);
  const payments = sessions.map(
    ({ id, status, amount, refundedAmount, currency, metadata }): HuntedPayment => ({
      id,
      orderId: metadata?.[orderMember],
      status,
      amount,
      refundedAmount,
      currency,
      cancelled: cancelled.has(id),
    }),
  );
  const terminals = await all(read, '/v1/in-person/terminals');
  return {
    payments: payments.reverse(),
    events: events.reverse(),
    busyTerminals: terminals.filter(({ action }) => action?.status === 'InProgress').map(({ id }) => id),
    shop: shop?.(),
  };
}

/** Returns the payment session whose action at a terminal an event says is cancelled. */
function cancelledBy({ eventType, data }: Json): string | undefined {
  const isCancelled = eventType === 'Terminal.action_updated' && data.action?.status === 'Cancelled';
  return isCancelled ? data.action.transaction.paymentSessionId : undefined;
}
