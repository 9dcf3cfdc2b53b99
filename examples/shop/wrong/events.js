/** Books what the events of the provider say, with the usual mistakes. `../right/events.js` is without them. */

/** @import { Json } from '../provider.js' */
/** @import { OrderBook } from '../order-book.js' */

/**
 * Returns what handles an event.
 * @param {OrderBook} book
 * @param {Map<string, string>} orderOf The orders of payment sessions and actions.
 */
export function createEventHandler(book, orderOf) {
  /** @param {Json} event */
  return function handle({ eventType, data }) {
    // Mistake: an event that comes twice is booked twice.
    if (eventType === 'Terminal.action_updated') return applyEnd(data.action);
    // Mistake: an event of an order that is not known yet is lost.
    const orderId = orderOf.get(data.id);
    if (!orderId || book.order(orderId).status === 'cancelled') return;
    if (eventType === 'PaymentSession.captured') {
      book.book(orderId, data.amount);
      book.change(orderId, { status: 'paid', reason: null });
    }
    if (eventType === 'PaymentSession.refunded') {
      // Mistake: `refundedAmount` is the sum of all refunds.
      book.book(orderId, -data.refundedAmount);
      book.change(orderId, { status: 'refunded', reason: null });
    }
  };

  /** @param {Json} action */
  function applyEnd(action) {
    const orderId = orderOf.get(action?.id);
    if (!orderId) return;
    if (action.status === 'Failed' || action.status === 'Cancelled') {
      const notPaid = action.status === 'Cancelled' ? 'cancelled' : 'failed';
      const status = action.transaction.type === 'Refund' ? 'paid' : notPaid;
      book.change(orderId, { status, reason: action.error?.code ?? 'cancelled' });
    }
  }
}
