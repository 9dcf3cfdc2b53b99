import type { Scene } from '../drill.ts';
import type { Json } from '../stage.ts';
import { attempt, newSession, ORDER, payOnline, sellOnline, sessionPath } from './shop.ts';

const { orderId, amount } = ORDER;
const REFUNDED = 500;

/** The page shows nothing for a while, and the customer presses Pay again. */
export async function doubleSubmit(scene: Scene): Promise<void> {
  const { provider, books, tell, sleep, isRight } = scene;
  /** Payments under way, by order: what the right shop looks at first. */
  const inProgress = new Map<string, Promise<Json>>();
  const pay = async () => payOnline(scene, await provider.once(newSession(ORDER)));
  function payOnce(): Promise<Json> {
    if (inProgress.has(orderId))
      tell('shop', 'has a payment of this order under way, and waits for that one');
    const payment = inProgress.get(orderId) ?? pay();
    inProgress.set(orderId, payment);
    return payment;
  }
  async function pressPay(): Promise<void> {
    const { status } = await (isRight ? payOnce() : pay());
    tell('shop', `is told: ${status}`);
    books.note(orderId, { paid: status === 'Captured' });
  }
  tell('customer', `presses Pay for ${orderId} in the web shop`);
  books.note(orderId, { amount });
  const first = pressPay();
  await sleep(1_000);
  tell('customer', 'sees nothing happen, and presses Pay again');
  await Promise.all([first, pressPay()]);
}

/** The provider replies 503 to the payment. */
export async function paymentUnavailable(scene: Scene): Promise<void> {
  const { provider, books, tell, isRight } = scene;
  if (isRight) {
    const { status } = await sellOnline(scene);
    return books.note(orderId, { paid: status === 'Captured' });
  }
  tell('customer', `presses Pay for ${orderId} in the web shop`);
  books.note(orderId, { amount });
  const session = await provider.once(newSession(ORDER));
  const declined = await provider.once(attempt(session)).then(
    ({ lastError }) => Boolean(lastError),
    () => false,
  );
  if (declined) return;
  tell('shop', 'looks for a decline in the reply, finds none, and ships the goods');
  books.note(orderId, { paid: true });
}

/** The request that captures an approved payment does not arrive. */
export async function forgottenCapture(scene: Scene): Promise<void> {
  const { provider, books, tell, isRight } = scene;
  const { id } = await sellOnline(scene, { captureFlow: 'Manual' });
  tell('shop', 'ships the goods and captures the payment');
  const capture = { method: 'POST' as const, path: `/payment-sessions/${id}/captures` };
  if (!isRight) {
    await provider.once(capture).catch(() => tell('shop', 'writes the error into a log that nobody reads'));
    return books.note(orderId, { paid: true });
  }
  await provider.untilDone(capture, async () => {
    const session = await provider.read(sessionPath(id));
    return session.status === 'Captured' ? session : undefined;
  });
  const { status } = await provider.read(sessionPath(id));
  books.note(orderId, { paid: status === 'Captured' });
}

/** Sells an order and refunds a part of it, by a request that a fault strikes. */
async function refund(scene: Scene, sendWrongly: (call: RefundCall) => Promise<void>): Promise<void> {
  const { provider, books, tell, isRight } = scene;
  const { id, status } = await sellOnline(scene);
  books.note(orderId, { paid: status === 'Captured' });
  tell('customer', 'brings one thing back for 5.00 GBP');
  const call = {
    method: 'POST' as const,
    path: `/payment-sessions/${id}/refunds`,
    body: { amount: REFUNDED, reason: `${orderId}, refund 1` },
  };
  if (isRight) await provider.untilDone(call, () => findRefund(scene, call));
  else await sendWrongly(call);
  books.note(orderId, { refunded: REFUNDED });
}

interface RefundCall {
  method: 'POST';
  path: string;
  body: { amount: number; reason: string };
}

/** Returns the refund of a payment that has the reason of the call; undefined when there is none. */
async function findRefund({ provider }: Scene, { path, body }: RefundCall): Promise<Json | undefined> {
  const { items } = await provider.read(`${path.replace(/refunds$/, 'transactions')}?limit=50`);
  return items.find(({ type, reason }: Json) => type === 'Refund' && reason === body.reason);
}

/** The reply to a refund is lost. */
export function refundTwice(scene: Scene): Promise<void> {
  const { provider, tell } = scene;
  return refund(scene, async (call) => {
    await provider.once(call).catch(async () => {
      tell('shop', 'gets no reply, and sends the refund again');
      await provider.once(call);
    });
  });
}

/** A refund is refused because there were too many requests. */
export function rateLimited(scene: Scene): Promise<void> {
  const { provider, tell } = scene;
  return refund(scene, async (call) => {
    await provider
      .once(call)
      .catch(() => tell('shop', 'does not look at the status of the reply, and says that it is refunded'));
  });
}
