/** Books what the events of the provider say. `../wrong/events.js` makes the usual mistakes. */

/** @import { Json, Provider } from '../provider.js' */
/** @import { OrderBook } from '../order-book.js' */

/**
 * Returns what handles an event: once, however often it comes, and whichever of two comes first.
 * @param {OrderBook} book
 */
export function createEventHandler(book) {
  /** @param {Json} event */
  return function handle(event) {
    book.transaction(() => {
      if (book.isHandled(event.id)) return;
      // One of an order that is not known yet is handled later, when it is looked for.
      if (apply(event)) book.setHandled(event.id);
    });
  };

  /** Returns whether the event is of an order in the book. @param {Json} event */
  function apply({ eventType, data }) {
    if (eventType === 'Terminal.action_updated') return applyEnd(data.action);
    const orderId = data.metadata?.orderId ?? '';
    if (!book.order(orderId)) return false;
    if (eventType === 'PaymentSession.captured') {
      book.book(orderId, data.amount);
      book.change(orderId, { status: 'paid', reason: null });
    }
    if (eventType === 'PaymentSession.refunded') {
      // `refundedAmount` is the sum of all refunds.
      book.book(orderId, book.refunded(orderId) - data.refundedAmount);
      const isWhole = data.refundedAmount === data.amount;
      book.change(orderId, { status: isWhole ? 'refunded' : 'paid', reason: null });
    }
    return true;
  }

  /** Of an action that succeeds, the event of its money says so. @param {Json} action */
  function applyEnd(action) {
    const order = book.orderOfAction(action?.id ?? '');
    if (!order) return false;
    if (action.status === 'Failed' || action.status === 'Cancelled') {
      const notPaid = action.status === 'Cancelled' ? 'cancelled' : 'failed';
      const status = action.transaction.type === 'Refund' ? 'paid' : notPaid;
      book.change(order.orderId, { status, reason: action.error?.code ?? 'cancelled' });
    }
    return true;
  }
}

/**
 * Reads the events that were recorded since then, oldest first: those that no webhook has brought are among them.
 * @param {Provider} provider
 * @param {number} sinceTimestamp
 */
export async function readEvents(provider, sinceTimestamp) {
  const events = [];
  for (let after = ''; after !== undefined;) {
    const path = `/v1/events?limit=50${after}`;
    const { items, paginationToken } = await provider.read(path);
    const recent = items.filter(({ createdTimestamp }) => createdTimestamp >= sinceTimestamp);
    events.push(...recent);
    const isAll = recent.length < items.length || !paginationToken;
    after = isAll ? undefined : `&startsAfter=${encodeURIComponent(paginationToken)}`;
  }
  return events.toReversed();
}
