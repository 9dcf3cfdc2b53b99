/** Starts a payment or refund at the terminal once, whatever happens to the request, its reply and the process. */
import { NoReply } from '../provider.js';

/** @import { Json } from '../provider.js' */
/** @import { Order } from '../order-book.js' */
/** @import { PaymentsOptions } from '../shop.js' */

const LOOK_AGAIN_MS = 10_000;
const PAUSE_MS = 1_000;
/** What a process sent before it stopped arrives within this time, or never. */
export const ON_ITS_WAY_MS = 180_000;

/**
 * Starts what an order is to have next, unless it has begun, and returns the action. What is about to be sent is written
 * down first: the payment has an own reference in its metadata, and the order book has the action that the terminal had before.
 * @param {PaymentsOptions} options
 * @param {string} orderId
 * @returns {Promise<Json | undefined>} undefined when events have settled the order meanwhile.
 */
export async function startAction({ provider, book, terminalId, sleep }, orderId) {
  const terminal = `/v1/in-person/terminals/${terminalId}`;
  const isInterrupted = book.order(orderId).actionBefore !== null;
  if (!isInterrupted) {
    const { action } = await provider.read(terminal);
    book.change(orderId, { actionBefore: action?.id ?? 'none' });
  }
  const order = book.order(orderId);
  // An event may bring the end before the reply brings the beginning.
  const isDue = () => {
    const { attempt, status } = book.order(orderId);
    return attempt === order.attempt && status === order.status;
  };
  for (let waitedMs = 0; isInterrupted && isDue() && waitedMs < ON_ITS_WAY_MS; waitedMs += LOOK_AGAIN_MS) {
    const begun = await findAction();
    if (begun) return begun;
    await sleep(LOOK_AGAIN_MS);
  }
  while (isDue()) {
    const begun = (await findAction()) ?? (await send());
    if (begun) return isDue() ? begun : undefined;
    await sleep(PAUSE_MS);
  }
  return undefined;

  /** Returns the action that was started for the order, also where nothing has replied to that. */
  async function findAction() {
    const { action } = await provider.read(terminal);
    if (!action || action.id === order.actionBefore) return undefined;
    const { type, paymentSessionId } = action.transaction;
    if (order.status === 'refunding')
      return type === 'Refund' && paymentSessionId === order.sessionId ? action : undefined;
    const { metadata } = await provider.read(`/v1/payment-sessions/${paymentSessionId}`);
    return metadata?.reference === referenceOf(order) ? action : undefined;
  }

  /** Returns the action; undefined when nobody knows whether it was started. */
  async function send() {
    try {
      const started = await provider.send({ method: 'POST', ...requestOf(terminal, order) });
      return started.action;
    } catch (thrown) {
      if (!(thrown instanceof NoReply) || provider.isClosed()) throw thrown;
      return undefined;
    }
  }
}

/** @param {string} terminal @param {Order} order */
function requestOf(terminal, order) {
  const { orderId, amount, status, sessionId } = order;
  if (status === 'refunding')
    return { path: `${terminal}/refund`, body: { paymentSession: { id: sessionId } } };
  const metadata = { orderId, reference: referenceOf(order) };
  return {
    path: `${terminal}/payment`,
    body: { amounts: { requested: amount }, currency: 'GBP', paymentSession: { metadata } },
  };
}

/** Of one payment of an order. @param {Order} order */
const referenceOf = ({ orderId, attempt }) => `${orderId}-${attempt}`;
