import { formatMinor } from '../../../protocol/money.ts';
import { AUTHENTICATED_CARDS } from '../../../server/bank/issuer/test-cards.ts';
import { CURRENCY } from '../books.ts';
import type { Scene } from '../scene.ts';
import type { Json } from '../story.ts';

export interface Order {
  orderId: string;
  amount: number;
}

/** The order of each drill. */
export const ORDER: Order = { orderId: 'order-1', amount: 1742 };

const POLL_MS = 500;

const money = (amount: number) => formatMinor(amount, CURRENCY);

/** The request that takes the payment of an order on the terminal. @param key idempotency key */
export function payment({ terminal }: Scene, { orderId, amount }: Order, key?: string, settings?: object) {
  return {
    method: 'POST' as const,
    path: `${terminal}/payment`,
    body: {
      amounts: { requested: amount },
      currency: CURRENCY,
      paymentSession: { metadata: { orderId } },
      ...(settings && { settings }),
    },
    ...(key !== undefined && { key }),
  };
}

/** Notes a new order in the books and starts its payment on the terminal. Returns the id of its payment session. */
export async function sell(scene: Scene, order = ORDER, settings?: object): Promise<string> {
  const { orderId, amount } = order;
  scene.tell('shop', `starts a payment of ${money(amount)} for ${orderId} on the terminal`);
  scene.books.note(orderId, { amount });
  const { action } = await scene.provider.surely(payment(scene, order, orderId, settings));
  return action.transaction.paymentSessionId;
}

export function readSession(sessionId: string) {
  return { method: 'GET' as const, path: `/payment-sessions/${sessionId}` };
}

/** Asks for the payment until its action on the terminal is over, and notes the result in the books. */
export async function settle(scene: Scene, { orderId }: Order, sessionId: string): Promise<void> {
  const { provider, terminal, sleep, tell, books } = scene;
  const isOver = async () => {
    const { action } = await provider.surely({ method: 'GET', path: terminal });
    return action.transaction.paymentSessionId !== sessionId || action.status !== 'InProgress';
  };
  while (!(await isOver())) await sleep(POLL_MS);
  const { status } = await provider.surely(readSession(sessionId));
  tell('shop', `asks for the payment of ${orderId}, and is told: ${status}`);
  books.note(orderId, { paid: status === 'Captured' });
}

/** Waits until a payment has a status, asking once each time. @throws what a request throws */
export async function statusOf(scene: Scene, sessionId: string, wanted: readonly string[]): Promise<string> {
  for (;;) {
    const { status } = await scene.provider.once(readSession(sessionId));
    if (wanted.includes(status)) return status;
    await scene.sleep(POLL_MS);
  }
}

const { number } = AUTHENTICATED_CARDS.find(({ authentication }) => authentication === 'frictionless')!;
const CARD = { number, expiryMonth: '12', expiryYear: '2040', cvc: '123' };

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

/** Sells an order online, each request with an idempotency key. Returns its payment session. */
export async function sellOnline(scene: Scene, more: object = {}): Promise<Json> {
  const { provider, books, tell } = scene;
  const { orderId, amount } = ORDER;
  tell('customer', `pays ${money(amount)} for ${orderId} in the web shop`);
  books.note(orderId, { amount });
  const session = await provider.surely({ ...newSession(ORDER, more), key: `${orderId}-session` });
  return provider.surely({ ...attempt(session), key: `${orderId}-payment` });
}
