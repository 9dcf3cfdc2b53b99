import { formatMinor } from '../../../protocol/money.ts';
import { numberWith } from '../../../protocol/test-cards.ts';
import { CURRENCY, type Scene } from '../drill.ts';
import type { Json } from '../stage.ts';

export interface Order {
  orderId: string;
  amount: number;
}

/** The order of each drill. */
export const ORDER: Order = { orderId: 'order-1', amount: 1742 };

const POLL_MS = 500;

const money = (amount: number) => formatMinor(amount, CURRENCY);

/** The request that takes the payment of an order on the terminal. */
export function payment({ terminal }: Scene, { orderId, amount }: Order, settings?: object) {
  return {
    method: 'POST' as const,
    path: `${terminal}/payment`,
    body: {
      amounts: { requested: amount },
      currency: CURRENCY,
      paymentSession: { metadata: { orderId } },
      ...(settings && { settings }),
    },
  };
}

/**
 * Notes a new order in the books and starts its payment on the terminal, once: when the reply is lost, it looks for a
 * payment session with the order in its metadata. Returns the id of the session.
 */
export async function sell(scene: Scene, order = ORDER, settings?: object): Promise<string> {
  const { orderId, amount } = order;
  const { provider } = scene;
  // By the clock of the provider, so that only newer payments are looked through.
  const { action, createdTimestamp } = await provider.read(scene.terminal);
  const since: number = action?.createdTimestamp ?? createdTimestamp;
  scene.tell('shop', `starts a payment of ${money(amount)} for ${orderId} on the terminal`);
  scene.books.note(orderId, { amount });
  const done = await provider.untilDone(payment(scene, order, settings), () =>
    findSession(scene, orderId, since),
  );
  return done.action?.transaction.paymentSessionId ?? done.id;
}

/** Returns the payment session of an order that was created since then; undefined when there is none. */
async function findSession({ provider }: Scene, orderId: string, since: number): Promise<Json | undefined> {
  for (let next = ''; ;) {
    const page = await provider.read(`/payment-sessions?startTimestamp=${since}&limit=50${next}`);
    const found = page.items.find(({ metadata }: Json) => metadata?.orderId === orderId);
    if (found || !page.paginationToken) return found;
    next = `&startsAfter=${encodeURIComponent(page.paginationToken)}`;
  }
}

export const sessionPath = (sessionId: string) => `/payment-sessions/${sessionId}`;

/** Asks for the payment until its action on the terminal is over, and notes the result in the books. */
export async function settle(scene: Scene, { orderId }: Order, sessionId: string): Promise<void> {
  const { provider, terminal, sleep, tell, books } = scene;
  const isOver = async () => {
    const { action } = await provider.read(terminal);
    return action.transaction.paymentSessionId !== sessionId || action.status !== 'InProgress';
  };
  while (!(await isOver())) await sleep(POLL_MS);
  const { status } = await provider.read(sessionPath(sessionId));
  tell('shop', `asks for the payment of ${orderId}, and is told: ${status}`);
  books.note(orderId, { paid: status === 'Captured' });
}

/** Waits until a payment has a status, asking once each time. @throws what a request throws */
export async function statusOf(scene: Scene, sessionId: string, wanted: readonly string[]): Promise<string> {
  for (;;) {
    const { status } = await scene.provider.once({ method: 'GET', path: sessionPath(sessionId) });
    if (wanted.includes(status)) return status;
    await scene.sleep(POLL_MS);
  }
}

const CARD = { number: numberWith('frictionless'), expiryMonth: '12', expiryYear: '2040', cvc: '123' };

export function newSession({ orderId, amount }: Order, more: object = {}) {
  return {
    method: 'POST' as const,
    path: '/payment-sessions',
    body: {
      amount,
      currency: CURRENCY,
      customerEmail: 'ana@shop.example',
      metadata: { orderId },
      ...more,
    },
  };
}

export function attempt({ clientSecret }: Json) {
  return {
    method: 'POST' as const,
    path: '/payment-sessions/attempt-payment',
    body: { clientSecret, cardDetails: CARD },
  };
}

/**
 * Sells an order online. A session that is created twice is no harm, since only one of them is attempted; an attempt is
 * sent again only while its session is not paid. Returns the payment session.
 */
export async function sellOnline(scene: Scene, more: object = {}): Promise<Json> {
  const { provider, books, tell } = scene;
  const { orderId, amount } = ORDER;
  tell('customer', `pays ${money(amount)} for ${orderId} in the web shop`);
  books.note(orderId, { amount });
  const session = await provider.untilDone(newSession(ORDER, more), async () => undefined);
  return payOnline(scene, session);
}

/** Attempts the payment of a session until it is known to be done. Returns the session. */
export function payOnline({ provider }: Scene, session: Json): Promise<Json> {
  return provider.untilDone(attempt(session), async () => {
    const read = await provider.read(sessionPath(session.id));
    return read.status === 'PendingPayment' ? undefined : read;
  });
}
