import { formatMinor } from '../../../protocol/money.ts';
import { CURRENCY, type Scene } from '../drill.ts';
import type { Json } from '../stage.ts';
import { ORDER, payment, sellOnline, sessionPath } from './shop.ts';

const { orderId, amount } = ORDER;
const PAYMENT_EVENTS = ['PaymentSession.approved', 'PaymentSession.captured'];
const POLL_MS = 250;

/** An event comes twice. */
export async function duplicateWebhook(scene: Scene): Promise<void> {
  const { books, tell, sleep, isRight } = scene;
  const handled = new Set<string>();
  let deliveries = 0;
  await scene.listen(['PaymentSession.captured'], ({ id, eventType, data }) => {
    deliveries += 1;
    tell('shop', `receives ${eventType} of ${formatMinor(data.amount, CURRENCY)}`);
    if (isRight && handled.has(id)) return tell('shop', `has handled this event before, and leaves it`);
    handled.add(id);
    const before = books.order(orderId)!;
    books.note(orderId, { paid: true, amount: (before.paid ? before.amount : 0) + data.amount });
  });
  await sellOnline(scene);
  for (let waited = 0; deliveries < 2 && waited < 10_000; waited += POLL_MS) await sleep(POLL_MS);
}

/** How long the shop takes to book. */
const BOOKING_MS = 150;

/** An event comes twice at the same moment. */
export async function duplicateWebhookAtOnce(scene: Scene): Promise<void> {
  const { books, tell, sleep, isRight } = scene;
  const known = new Set<string>();
  let ended = 0;
  const handle = async ({ id, eventType, data }: Json) => {
    tell('shop', `receives ${eventType} of ${formatMinor(data.amount, CURRENCY)}`);
    if (known.has(id)) return tell('shop', 'knows this event, and leaves it');
    if (isRight) known.add(id);
    await sleep(BOOKING_MS);
    const before = books.order(orderId)!;
    books.note(orderId, { paid: true, amount: (before.paid ? before.amount : 0) + data.amount });
    known.add(id);
  };
  await scene.listen(['PaymentSession.captured'], (event) => handle(event).finally(() => (ended += 1)));
  await sellOnline(scene);
  for (let waited = 0; ended < 2 && waited < 10_000; waited += POLL_MS) await sleep(POLL_MS);
}

/** Events come in another order than they happened. */
export async function webhookOutOfOrder(scene: Scene): Promise<void> {
  const { books, tell, sleep, provider, isRight } = scene;
  const received = new Set<string>();
  await scene.listen(PAYMENT_EVENTS, ({ eventType }) => {
    tell('shop', `receives ${eventType}`);
    received.add(eventType);
    if (!isRight) books.note(orderId, { paid: eventType === 'PaymentSession.captured' });
  });
  const { id } = await sellOnline(scene);
  for (let waited = 0; received.size < 2 && waited < 10_000; waited += POLL_MS) await sleep(POLL_MS);
  if (!isRight) return;
  const { status } = await provider.read(sessionPath(id));
  tell('shop', `takes an event only as a sign to ask, and is told: ${status}`);
  books.note(orderId, { paid: status === 'Captured' });
}

/** The event comes before the reply to the request that caused it. */
export async function webhookBeforeReply(scene: Scene): Promise<void> {
  const { books, tell, sleep, provider, isRight } = scene;
  const known = new Map<string, string>();
  await scene.listen(['PaymentSession.captured'], ({ eventType, data }) => {
    tell('shop', `receives ${eventType} for ${data.id}`);
    const found = known.get(data.id) ?? (isRight ? data.metadata.orderId : undefined);
    if (found === undefined) return tell('shop', 'knows no order with this payment, and forgets the event');
    books.note(found, { paid: true });
  });
  tell('shop', `starts a payment for ${orderId} on the terminal`);
  books.note(orderId, { amount });
  const { action } = await provider.once(payment(scene, ORDER));
  known.set(action.transaction.paymentSessionId, orderId);
  tell('shop', `gets the reply and stores that the payment of ${orderId} is ${known.keys().next().value}`);
  await sleep(1_000);
}

/** An event comes minutes late, because its first attempts fail. */
export async function lateWebhook(scene: Scene): Promise<void> {
  const { books, tell, advance, provider, isRight } = scene;
  let isClosed = false;
  await scene.listen(['PaymentSession.captured'], ({ eventType, data }) => {
    tell('shop', `receives ${eventType} for ${data.metadata.orderId}`);
    if (isClosed) return tell('shop', 'has closed the order, and does nothing');
    books.note(orderId, { paid: true });
  });
  const { id } = await sellOnline(scene);
  tell('shop', 'waits for the event');
  await advance(30);
  isClosed = true;
  if (!isRight) {
    tell('shop', 'has heard nothing for half a minute, and cancels the order');
    return books.note(orderId, { paid: false });
  }
  const { status } = await provider.read(sessionPath(id));
  tell('shop', `has heard nothing for half a minute, asks, and is told: ${status}`);
  books.note(orderId, { paid: status === 'Captured' });
}

const DAY_SECONDS = 86_400;

/** A customer disputes a payment, and the event about it is late. */
export async function disputeWhileAway(scene: Scene): Promise<void> {
  const { books, tell, advance, control, isRight } = scene;
  await scene.listen(['Dispute.created'], ({ eventType }) => tell('shop', `receives ${eventType}`));
  const { id, status } = await sellOnline(scene);
  books.note(orderId, { paid: status === 'Captured' });
  tell('customer', 'says to the bank that the goods never came');
  await control('POST', `/payment-sessions/${id}/disputes`, {});
  if (isRight) await answerDisputes(scene);
  else tell('shop', 'looks at disputes only when an event says so');
  tell('time', 'fifteen days pass');
  await advance(15 * DAY_SECONDS);
}

async function answerDisputes({ provider, tell }: Scene): Promise<void> {
  const { items } = await provider.read('/disputes');
  for (const { id } of items.filter((dispute: Json) => dispute.status === 'Open')) {
    tell('shop', 'asks for open disputes each morning, and challenges one with the proof of delivery');
    const text = { uncategorised: 'The customer signed for the goods at the door.' };
    const dispute = `/disputes/${id}`;
    // It is sent again after 429 too. The same evidence twice is no harm.
    const evidence = { method: 'PATCH' as const, path: `${dispute}/evidence`, body: { text } };
    await provider.untilDone(evidence, async () => undefined);
    await provider.untilDone({ method: 'POST', path: `${dispute}/challenge` }, async () => {
      const read = await provider.read(dispute);
      return read.status === 'Open' ? undefined : read;
    });
  }
}
