import { Refused } from '../provider.ts';
import type { Scene } from '../drill.ts';
import type { Json } from '../stage.ts';
import { ORDER, payment, sell, settle, statusOf, type Order } from './shop.ts';

const { orderId } = ORDER;

/** A request for the result fails. */
export async function lostResult(scene: Scene): Promise<void> {
  const sessionId = await sell(scene);
  if (scene.isRight) return settle(scene, ORDER, sessionId);
  try {
    await statusOf(scene, sessionId, ['Captured']);
    scene.books.note(orderId, { paid: true });
  } catch {
    scene.tell('shop', 'gets no reply, shows "payment failed" and lets the order stay open');
  }
}

/** The reply to the request that takes the payment is lost. */
export async function lostReply(scene: Scene): Promise<void> {
  if (scene.isRight) return settle(scene, ORDER, await sell(scene));
  const { tell, books, provider, sleep } = scene;
  tell('shop', `starts a payment for ${orderId} on the terminal`);
  books.note(orderId, { amount: ORDER.amount });
  const sessionId = await startUntilAccepted(scene, { provider, sleep, tell });
  await settle(scene, ORDER, sessionId);
}

/** Sends the payment again whatever went wrong, without a look: each that is accepted is a payment of its own. */
export async function startUntilAccepted(
  scene: Scene,
  { provider, sleep, tell }: Pick<Scene, 'provider' | 'sleep' | 'tell'>,
): Promise<string> {
  let told = '';
  for (;;) {
    try {
      return (await provider.once(payment(scene, ORDER))).action.transaction.paymentSessionId;
    } catch (thrown) {
      const why = thrown instanceof Refused ? `is told "${thrown.message}"` : 'gets no reply';
      if (why !== told) tell('shop', `${why}, and sends the payment again until it is accepted`);
      told = why;
      await sleep(1_000);
    }
  }
}

/** The provider replies 503 when it is asked for the result. */
export async function serverUnavailable(scene: Scene): Promise<void> {
  const sessionId = await sell(scene);
  if (scene.isRight) return settle(scene, ORDER, sessionId);
  try {
    await statusOf(scene, sessionId, ['Captured']);
  } catch {
    scene.tell('shop', 'takes the error for the end of the payment, and begins a new one');
    await settle(scene, ORDER, await startUntilAccepted(scene, scene));
  }
}

/** A cancellation arrives after the card was charged. */
export async function cancelRace(scene: Scene): Promise<void> {
  const { provider, terminal, tell, books, sleep, isRight } = scene;
  const sessionId = await sell(scene);
  await sleep(300);
  tell('shop', 'the cashier presses Cancel');
  const cancelled = provider.once({ method: 'POST', path: `${terminal}/cancel-action` });
  if (!isRight) {
    tell('shop', 'takes the payment for cancelled without a look at the reply');
    books.note(orderId, { paid: false });
    return void (await cancelled.catch(() => {}));
  }
  await cancelled.catch(({ message }: Error) => tell('shop', `is told "${message}"`));
  await settle(scene, ORDER, sessionId);
}

const SECOND: Order = { orderId: 'order-2', amount: 2599 };

/** A cancellation that was meant for one payment arrives while the next one is made. */
export async function wrongPaymentCancelled(scene: Scene): Promise<void> {
  const { provider, terminal, tell, books, sleep, isRight } = scene;
  await scene.cardholder('press-cancel', 800);
  const first = await sell(scene);
  await sleep(300);
  tell('shop', 'the cashier presses Cancel; so does the customer, on the terminal');
  const cancelled = provider
    .once({ method: 'POST', path: `${terminal}/cancel-action` })
    .catch(({ message }: Error) => tell('shop', `is told "${message}"`));
  if (isRight) await cancelled;
  await settle(scene, ORDER, first);
  tell('customer', 'the next one comes to the till');
  await scene.cardholder('tap', 500);
  const second = await sell(scene, SECOND);
  if (isRight) return settle(scene, SECOND, second);
  await statusOf(scene, second, ['Approved', 'Captured']);
  tell('shop', 'hears that the payment is approved, and hands out the goods');
  books.note(SECOND.orderId, { paid: true });
  await cancelled;
}

/** The approval comes after the till has given up. */
export async function lateApproval(scene: Scene): Promise<void> {
  const { provider, terminal, tell, books, sleep, isRight } = scene;
  const sessionId = await sell(scene);
  await sleep(2_000);
  tell('shop', 'has waited long enough');
  if (!isRight) {
    tell('shop', 'gives up, and the customer pays cash');
    return books.note(orderId, { paid: false });
  }
  tell('shop', 'cancels the payment');
  await provider
    .once({ method: 'POST', path: `${terminal}/cancel-action` })
    .catch(({ message }: Error) => tell('shop', `is told "${message}"`));
  await settle(scene, ORDER, sessionId);
}

/** The terminal is gone before the result is known. */
export async function terminalGone(scene: Scene): Promise<void> {
  const { tell, books, sleep, isRight, control, terminal } = scene;
  const sessionId = await sell(scene);
  if (isRight) return settle(scene, ORDER, sessionId);
  const path = `/terminals/${terminal.split('/').at(-1)}`;
  for (;;) {
    const { online, action } = await control('GET', path);
    if (!online || action?.status !== 'InProgress') break;
    await sleep(250);
  }
  tell('shop', 'sees that the terminal is offline, gives up, and the customer pays cash');
  books.note(orderId, { paid: false });
}

/** The receipt is not printed. */
export async function paperOut(scene: Scene): Promise<void> {
  const { provider, terminal, tell, sleep, isRight } = scene;
  const sessionId = await sell(scene);
  if (isRight) return settle(scene, ORDER, sessionId);
  for (;;) {
    const { action } = await provider.read(terminal);
    if (action.status !== 'InProgress') break;
    await sleep(500);
  }
  tell('shop', 'finds that no receipt was printed, takes the payment for failed and begins a new one');
  await settle(scene, ORDER, await startUntilAccepted(scene, scene));
}

/** The request that confirms a receipt is lost, so that the payment is voided a minute later. */
export async function receiptNotConfirmed(scene: Scene): Promise<void> {
  const { provider, terminal, tell, books, sleep, isRight } = scene;
  const sessionId = await sell(scene, ORDER, { receiptPrintingSource: 'PointOfSale' });
  await statusOf(scene, sessionId, ['Approved']);
  tell('shop', 'hears that the payment is approved, and prints both copies of the receipt');
  for (const copy of ['merchantCopy', 'customerCopy']) {
    const confirmation = {
      method: 'POST' as const,
      path: `${terminal}/confirm-receipt`,
      body: { [copy]: { status: 'Succeeded' } },
    };
    if (isRight) await provider.untilDone(confirmation, () => findConfirmation(scene, copy));
    else await provider.once(confirmation).catch(() => {});
  }
  if (isRight) return settle(scene, ORDER, sessionId);
  tell('shop', 'hands out the goods without asking what became of the payment');
  books.note(orderId, { paid: true });
  await sleep(500);
}

/** Returns the terminal once this copy of its receipt is confirmed; undefined before. */
async function findConfirmation({ provider, terminal }: Scene, copy: string): Promise<Json | undefined> {
  const read = await provider.read(terminal);
  return read.action.transaction.receiptDetail[copy].status === 'Succeeded' ? read : undefined;
}
