/** Payments, refunds and cancellations at the terminal. `../wrong/payments.js` makes the usual mistakes. */
import { NoReply, Refusal } from '../provider.js';
import { createEventHandler, readEvents } from './events.js';
import { ON_ITS_WAY_MS, startAction } from './start-action.js';

/** @import { Payments, PaymentsOptions } from '../shop.js' */

const LOOK_AGAIN_MS = 10_000;
const PAUSE_MS = 1_000;

/**
 * @param {PaymentsOptions} options
 * @returns {Payments}
 */
export function openPayments(options) {
  const { provider, book, terminalId, sleep } = options;
  const handle = createEventHandler(book);
  const terminal = `/v1/in-person/terminals/${terminalId}`;

  /** Begins an action at the terminal, or finds the one that a stopped process began. @param {string} orderId */
  async function begin(orderId) {
    const { actionId, attempt, status } = book.order(orderId);
    if (actionId) return;
    try {
      const action = await startAction(options, orderId);
      if (!action) return;
      book.change(orderId, {
        actionId: action.id,
        sessionId: action.transaction.paymentSessionId,
        startedTimestamp: action.createdTimestamp,
      });
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      const order = book.order(orderId);
      if (order.attempt !== attempt || order.status !== status) return;
      const notBegun = status === 'refunding' ? 'paid' : 'failed';
      book.change(orderId, { status: notBegun, reason: thrown.message, cancel: null });
    }
  }

  /** Follows an action to its end, also when no webhook arrives. @param {string} orderId */
  async function follow(orderId) {
    const { attempt, cancel } = book.order(orderId);
    await begin(orderId);
    const isLatest = () => book.order(orderId).attempt === attempt;
    if (isLatest() && book.order(orderId).cancel === 'asked')
      await cancelAction(orderId, { isInterrupted: cancel === 'asked' });
    const isFollowed = () => isLatest() && book.unfinished().some((order) => order.orderId === orderId);
    for (await sleep(LOOK_AGAIN_MS); isFollowed(); await sleep(LOOK_AGAIN_MS)) {
      const { startedTimestamp } = book.order(orderId);
      (await readEvents(provider, startedTimestamp)).forEach(handle);
    }
  }

  /**
   * Cancels the action, unless it has ended. Any reply will do: what became of the payment comes as an event. A cancel means
   * what runs at the terminal when it arrives, so the terminal stays with the order while one may be on its way.
   * @param {string} orderId
   * @param {{ isInterrupted?: boolean }} [resumed] Whether a stopped process may have sent one.
   */
  async function cancelAction(orderId, { isInterrupted = false } = {}) {
    const { actionId } = book.order(orderId);
    while (await isInProgress(actionId)) {
      if (await sendCancel()) break;
      await sleep(PAUSE_MS);
    }
    if (isInterrupted) await sleep(ON_ITS_WAY_MS);
    book.change(orderId, { cancel: 'answered' });
  }

  /** @param {string} actionId */
  async function isInProgress(actionId) {
    const { action } = await provider.read(terminal);
    return action?.id === actionId && action.status === 'InProgress';
  }

  /** Returns whether there is a reply. */
  async function sendCancel() {
    try {
      await provider.send({ method: 'POST', path: `${terminal}/cancel-action` });
      return true;
    } catch (thrown) {
      if (provider.isClosed()) throw thrown;
      return thrown instanceof Refusal;
    }
  }

  return {
    start: (orderId) => run(follow(orderId)),
    cancel(orderId) {
      const { actionId, cancel } = book.order(orderId);
      if (cancel) return;
      book.change(orderId, { cancel: 'asked' });
      if (actionId) run(cancelAction(orderId));
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
