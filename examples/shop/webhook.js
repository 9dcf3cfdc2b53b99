/** The webhook endpoint of the shop. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** @import { Provider } from './provider.js' */
/** @import { OrderBook } from './order-book.js' */

/** Events that the shop handles. */
export const EVENT_TYPES = ['PaymentSession.captured', 'PaymentSession.refunded', 'Terminal.action_updated'];

/**
 * Returns whether a delivery was signed with the secret of the endpoint.
 * @param {string} secret
 * @param {string | Buffer} body The exact bytes that arrived.
 * @param {string} signature
 */
export function isSigned(secret, body, signature) {
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Registers the endpoint unless a previous run did, and returns its secret.
 * @param {{ provider: Provider, book: OrderBook, url: string }} options
 * @returns {Promise<string>}
 */
export async function registerWebhook({ provider, book, url }) {
  const known = book.webhook(url);
  const { items } = await provider.send({ method: 'GET', path: '/v1/webhooks?limit=50', tries: 5 });
  if (known && items.some(({ id }) => id === known.webhookId)) return known.secret;
  const body = { url, active: true, eventTypes: EVENT_TYPES };
  const { id, secret } = await provider.send({ method: 'POST', path: '/v1/webhooks', body });
  book.setWebhook(url, { webhookId: id, secret });
  return secret;
}
