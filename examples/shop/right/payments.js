/** Payments, refunds and cancellations at the terminal. `../wrong/payments.js` makes the usual mistakes. */
import { NoReply, Refusal } from '../provider.js';
import { createEventHandler, readEvents } from './events.js';

/** @import { Order } from '../order-book.js' */
/** @import { Payments, PaymentsOptions } from '../shop.js' */

const LOOK_AGAIN_MS = 10_000;

/**
 * @param {PaymentsOptions} options
 * @returns {Payments}
 */
export function openPayments({ provider, book, terminalId, sleep }) {
  const handle = createEventHandler(book);
  const terminal = `/v1/in-person/terminals/${terminalId}`;

  /** Begins an action at the terminal, or learns of the one that a stopped process began. @param {Order} order */
  async function begin({ orderId, attempt, amount, status, sessionId, actionId }) {
    if (actionId) return;
    const refund = { paymentSession: { id: sessionId } };
    const payment = {
      amounts: { requested: amount },
      currency: 'GBP',
      paymentSession: { metadata: { orderId } },
    };
    try {
      const { action } = await provider.send({
        method: 'POST',
        path: `${terminal}/${status === 'refunding' ? 'refund' : 'payment'}`,
        body: status === 'refunding' ? refund : payment,
        key: `${orderId}-${attempt}`,
        tries: Infinity,
      });
      book.change(orderId, {
        actionId: action.id,
        sessionId: action.transaction.paymentSessionId,
        startedTimestamp: action.createdTimestamp,
      });
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      const notBegun = status === 'refunding' ? 'paid' : 'failed';
      book.change(orderId, { status: notBegun, reason: thrown.message, cancel: null });
    }
  }

  /** Follows an action to its end, also when no webhook arrives. @param {string} orderId */
  async function follow(orderId) {
    const { attempt } = book.order(orderId);
    await begin(book.order(orderId));
    if (book.order(orderId).cancel === 'asked') await sendCancel(orderId);
    const isFollowed = () =>
      book.unfinished().some((order) => order.orderId === orderId && order.attempt === attempt);
    for (await sleep(LOOK_AGAIN_MS); isFollowed(); await sleep(LOOK_AGAIN_MS)) {
      const { startedTimestamp } = book.order(orderId);
      (await readEvents(provider, startedTimestamp)).forEach(handle);
    }
  }

  /** Cancels the action. Any reply will do: what became of the payment comes as an event. @param {string} orderId */
  async function sendCancel(orderId) {
    const { attempt } = book.order(orderId);
    const key = `${orderId}-${attempt}-cancel`;
    try {
      await provider.send({ method: 'POST', path: `${terminal}/cancel-action`, key, tries: Infinity });
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
    }
    book.change(orderId, { cancel: 'answered' });
  }

  return {
    start: (orderId) => run(follow(orderId)),
    cancel(orderId) {
      const { actionId, cancel } = book.order(orderId);
      if (cancel) return;
      book.change(orderId, { cancel: 'asked' });
      if (actionId) run(sendCancel(orderId));
    },
    handle,
    resume: () => book.unfinished().forEach(({ orderId }) => run(follow(orderId))),
  };
}

/** Lets work go on by itself until the shop is closed. @param {Promise<void>} work */
function run(work) {
  work.catch((thrown) => {
    if (!(thrown instanceof NoReply)) throw thrown;
  });
}
