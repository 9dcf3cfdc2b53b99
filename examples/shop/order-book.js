/** The orders of the shop and what was paid for them, in SQLite. Both shops use it. */
import { DatabaseSync } from '@photostructure/sqlite';

/**
 * @typedef {'paying' | 'paid' | 'failed' | 'cancelled' | 'refunding' | 'refunded'} OrderStatus
 *
 * @typedef {object} Order
 * @property {string} orderId
 * @property {number} amount In minor units.
 * @property {string} description What was sold.
 * @property {OrderStatus} status
 * @property {string | null} reason Why the last payment or refund failed.
 * @property {number} attempt Number of the last payment or refund of the order; 1 is the first.
 * @property {string | null} sessionId Payment session of the provider.
 * @property {string | null} actionBefore Action that the terminal had before the last payment or refund, or `none`; null while
 *   that has not been looked at, and so nothing has been sent.
 * @property {string | null} actionId Last action at the terminal; null while the provider has not replied to its start.
 * @property {number | null} startedTimestamp When that action began, by the clock of the provider.
 * @property {'asked' | 'answered' | null} cancel Whether the action is to be cancelled, and the provider has replied.
 *
 * @typedef {object} BookedOrder What the books say of an order; amounts in minor units.
 * @property {string} orderId
 * @property {boolean} paid
 * @property {number} amount
 * @property {number} refunded
 */

const TABLES = `
CREATE TABLE IF NOT EXISTS orders (
  number INTEGER PRIMARY KEY,
  orderId TEXT NOT NULL UNIQUE,
  amount INTEGER NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'paying',
  reason TEXT,
  attempt INTEGER NOT NULL DEFAULT 1,
  sessionId TEXT,
  actionBefore TEXT,
  actionId TEXT,
  startedTimestamp INTEGER,
  cancel TEXT
);
CREATE TABLE IF NOT EXISTS bookings (orderId TEXT NOT NULL, amount INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS handledEvents (eventId TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS webhooks (url TEXT PRIMARY KEY, webhookId TEXT NOT NULL, secret TEXT NOT NULL);
`;

const ORDER = `SELECT orderId, amount, description, status, reason, attempt, sessionId, actionBefore, actionId,
  startedTimestamp, cancel FROM orders`;

// Of an order that is not paid the books say what it costs.
const BOOKED = `SELECT orderId, orders.amount AS price,
    COALESCE(SUM(bookings.amount) FILTER (WHERE bookings.amount > 0), 0) AS taken,
    COALESCE(-SUM(bookings.amount) FILTER (WHERE bookings.amount < 0), 0) AS refunded
  FROM orders LEFT JOIN bookings USING (orderId) GROUP BY orderId ORDER BY number`;

/** @typedef {ReturnType<typeof openOrderBook>} OrderBook */

/**
 * Opens the order book in a file, or in memory with `:memory:`.
 * @param {string} place
 */
export function openOrderBook(place) {
  const database = new DatabaseSync(place);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${TABLES}`);
  /** @param {string} where @param {...string} values */
  const select = (where, ...values) =>
    /** @type {Order[]} */ (/** @type {unknown} */ (database.prepare(`${ORDER} ${where}`).all(...values)));

  return {
    /** @param {string} orderId @returns {Order | undefined} */
    order: (orderId) => select('WHERE orderId = ?', orderId)[0],
    /** @param {string} actionId @returns {Order | undefined} */
    orderOfAction: (actionId) => select('WHERE actionId = ?', actionId)[0],
    /** Returns the latest fifty, newest first. */
    orders: () => select('ORDER BY number DESC LIMIT 50'),
    /** Returns those whose payment, refund or cancellation has not come to its end. */
    unfinished: () => select(`WHERE status IN ('paying', 'refunding') OR cancel = 'asked' ORDER BY number`),

    /** Adds an order that is to be paid. @param {Pick<Order, 'orderId' | 'amount' | 'description'>} order */
    add({ orderId, amount, description }) {
      database
        .prepare('INSERT INTO orders (orderId, amount, description) VALUES (?, ?, ?)')
        .run(orderId, amount, description);
    },
    /** @param {string} orderId @param {Partial<Order>} changes */
    change(orderId, changes) {
      const names = Object.keys(changes);
      database
        .prepare(`UPDATE orders SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE orderId = ?`)
        .run(...Object.values(changes), orderId);
    },
    /** Books money that came, or went back when the amount is negative. @param {string} orderId @param {number} amount */
    book(orderId, amount) {
      database.prepare('INSERT INTO bookings (orderId, amount) VALUES (?, ?)').run(orderId, amount);
    },
    /** Returns what went back so far. @param {string} orderId @returns {number} */
    refunded: (orderId) =>
      database
        .prepare('SELECT COALESCE(-SUM(amount), 0) AS sum FROM bookings WHERE orderId = ? AND amount < 0')
        .get(orderId).sum,
    /** @returns {BookedOrder[]} */
    books: () =>
      database
        .prepare(BOOKED)
        .all()
        .map(({ orderId, price, taken, refunded }) => ({
          orderId,
          paid: taken > 0,
          amount: taken > 0 ? taken : price,
          refunded,
        })),

    /** @param {string} eventId */
    isHandled: (eventId) =>
      database.prepare('SELECT 1 FROM handledEvents WHERE eventId = ?').get(eventId) !== undefined,
    /** @param {string} eventId */
    setHandled: (eventId) =>
      void database.prepare('INSERT INTO handledEvents (eventId) VALUES (?)').run(eventId),

    /** @param {string} url @returns {{ webhookId: string, secret: string } | undefined} */
    webhook: (url) => database.prepare('SELECT webhookId, secret FROM webhooks WHERE url = ?').get(url),
    /** @param {string} url @param {{ webhookId: string, secret: string }} webhook */
    setWebhook: (url, { webhookId, secret }) =>
      void database.prepare('INSERT OR REPLACE INTO webhooks VALUES (?, ?, ?)').run(url, webhookId, secret),

    /**
     * Does all of it or, when the process stops meanwhile, nothing.
     * @param {() => void} work
     */
    transaction(work) {
      database.exec('BEGIN IMMEDIATE');
      try {
        work();
        database.exec('COMMIT');
      } catch (thrown) {
        database.exec('ROLLBACK');
        throw thrown;
      }
    },
    close: () => database.close(),
  };
}
