/** What the till can do, whichever way it takes payments. */
import { openProvider } from './provider.js';
import { isSigned } from './webhook.js';

/** @import { Json, Provider, ProviderOptions } from './provider.js' */
/** @import { OrderBook } from './order-book.js' */

/**
 * @typedef {object} PaymentsOptions
 * @property {Provider} provider
 * @property {OrderBook} book
 * @property {string} terminalId
 * @property {(ms: number) => Promise<unknown>} sleep
 *
 * @typedef {object} Payments
 * @property {(orderId: string) => void} start Starts the payment or refund that the order book has.
 * @property {(orderId: string) => void} cancel
 * @property {(event: Json) => void} handle Handles an event of the provider.
 * @property {() => void} resume Goes on with what was unfinished when the process stopped.
 *
 * @typedef {object} ShopOptions
 * @property {(options: PaymentsOptions) => Payments} openPayments Of `right/payments.js` or `wrong/payments.js`.
 * @property {OrderBook} book What is in it survives the process.
 * @property {string} terminalId
 * @property {string} webhookSecret
 *
 * @typedef {ReturnType<typeof openShop>} Shop
 */

/** The till cannot do this now, or at all. */
export class Rejected extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const AMOUNT_MAX = 1_000_000;
const DESCRIPTION_MAX = 500;

/**
 * Opens the shop on its order book, and goes on with what was unfinished.
 * @param {ShopOptions & ProviderOptions} options
 */
export function openShop({ openPayments, book, terminalId, webhookSecret, ...ofProvider }) {
  const provider = openProvider(ofProvider);
  const payments = openPayments({ provider, book, terminalId, sleep: ofProvider.sleep });
  payments.resume();

  /** @param {string} orderId */
  const orderOf = (orderId) => {
    const order = book.order(orderId);
    if (!order) throw new Rejected(404, `there is no order ${orderId}`);
    return order;
  };
  const refuseWhileBusy = () => {
    if (book.unfinished().length > 0) throw new Rejected(409, 'the terminal is busy with another order');
  };
  /** @param {string} orderId @param {'paying' | 'refunding'} status */
  const startAgain = (orderId, status) => {
    refuseWhileBusy();
    const { attempt } = orderOf(orderId);
    const nothingYet = {
      reason: null,
      actionBefore: null,
      actionId: null,
      startedTimestamp: null,
      cancel: null,
    };
    book.change(orderId, { status, attempt: attempt + 1, ...nothingYet });
    payments.start(orderId);
    return orderOf(orderId);
  };

  return {
    orders: () => book.orders(),
    books: () => ({ orders: book.books() }),
    order: orderOf,
    /**
     * Sells something: writes the order down and starts its payment, once however often it is called with this id.
     * @param {{ orderId: string, amount: number, description?: string }} order
     */
    sell({ orderId, amount, description = '' }) {
      const isNamed = typeof orderId === 'string' && /^[\w-]{1,40}$/.test(orderId);
      if (!isNamed) throw new Rejected(400, 'orderId must be 1 to 40 letters, digits, _ or -');
      if (!Number.isInteger(amount) || amount < 1 || amount > AMOUNT_MAX)
        throw new Rejected(400, `amount must be 1 to ${AMOUNT_MAX}, in pence`);
      if (typeof description !== 'string' || description.length > DESCRIPTION_MAX)
        throw new Rejected(400, `description must be a text of ${DESCRIPTION_MAX} characters at most`);
      if (book.order(orderId)) return orderOf(orderId);
      refuseWhileBusy();
      book.add({ orderId, amount, description });
      payments.start(orderId);
      return orderOf(orderId);
    },
    /** Starts the payment of an order again that was not paid. @param {string} orderId */
    pay(orderId) {
      if (!['failed', 'cancelled'].includes(orderOf(orderId).status))
        throw new Rejected(409, 'only an order that was not paid can be paid');
      return startAgain(orderId, 'paying');
    },
    /** Starts a refund of the whole order. @param {string} orderId */
    refund(orderId) {
      if (orderOf(orderId).status !== 'paid') throw new Rejected(409, 'only a paid order can be refunded');
      return startAgain(orderId, 'refunding');
    },
    /** Asks for the payment or refund under way to be cancelled. @param {string} orderId */
    cancel(orderId) {
      if (!['paying', 'refunding'].includes(orderOf(orderId).status))
        throw new Rejected(409, 'nothing is under way for this order');
      payments.cancel(orderId);
      return orderOf(orderId);
    },
    /**
     * Receives a webhook delivery and returns the status of the reply.
     * @param {string | Buffer} body
     * @param {string} signature
     */
    receive(body, signature) {
      if (!isSigned(webhookSecret, body, signature)) return 400;
      payments.handle(JSON.parse(String(body)));
      return 200;
    },
    close: () => provider.close(),
  };
}
