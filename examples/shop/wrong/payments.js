/** Payments, refunds and cancellations at the terminal, with the usual mistakes. `../right/payments.js` is without them. */
import { createEventHandler } from './events.js';

/** @import { Order } from '../order-book.js' */
/** @import { Payments, PaymentsOptions } from '../shop.js' */

/**
 * @param {PaymentsOptions} options
 * @returns {Payments}
 */
export function openPayments({ provider, book, terminalId }) {
  // Mistake: when the process stops, nobody knows any more which order a payment is for.
  /** @type {Map<string, string>} */
  const orderOf = new Map();
  const handle = createEventHandler(book, orderOf);
  const terminal = `/v1/in-person/terminals/${terminalId}`;

  /** Begins an action at the terminal. @param {Order} order */
  async function begin({ orderId, amount, status, sessionId }) {
    const refund = { paymentSession: { id: sessionId } };
    const payment = {
      amounts: { requested: amount },
      currency: 'GBP',
      paymentSession: { metadata: { orderId } },
    };
    try {
      // Mistake: the first try may have been done, and then the second one is a second payment.
      const { action } = await provider.send({
        method: 'POST',
        path: `${terminal}/${status === 'refunding' ? 'refund' : 'payment'}`,
        body: status === 'refunding' ? refund : payment,
        tries: 2,
        timeoutMs: 10_000,
      });
      orderOf.set(action.transaction.paymentSessionId, orderId);
      orderOf.set(action.id, orderId);
      book.change(orderId, { actionId: action.id, sessionId: action.transaction.paymentSessionId });
    } catch (thrown) {
      // Mistake: without a reply nobody knows whether the payment has begun.
      const notBegun = status === 'refunding' ? 'paid' : 'failed';
      book.change(orderId, { status: notBegun, reason: thrown.message });
    }
  }

  return {
    start: (orderId) => void begin(book.order(orderId)),
    cancel(orderId) {
      // Mistake: the customer may have paid already, and the request may not arrive.
      book.change(orderId, { status: book.order(orderId).status === 'refunding' ? 'paid' : 'cancelled' });
      provider.send({ method: 'POST', path: `${terminal}/cancel-action` }).catch(() => undefined);
    },
    handle,
    // Mistake: the terminal goes on with what it was doing when the process stopped.
    resume: () =>
      book.unfinished().forEach(({ orderId, status }) => {
        const interrupted = status === 'refunding' ? 'paid' : 'failed';
        book.change(orderId, { status: interrupted, reason: 'the till was restarted' });
      }),
  };
}
