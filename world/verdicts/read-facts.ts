import { DROPPED_BY_FAULT } from '../../server/platform/outbox/struck-attempts.ts';
import { CONNECTION_REFUSED } from '../../server/platform/outgoing.ts';
import type { HuntedEvent, HuntedPayment, HuntedPayout, HuntFacts, ShopOrder } from './hunt-facts.ts';
import { readAll, SINCE_EVER, type Json, type Read } from './read-list.ts';
import { readFees, readPayouts, readTransfers } from './read-marketplace.ts';

/** Reads a path of the API, as the platform or as a sub account. @throws when the reply is no success */
export type ReadAs = (path: string, subAccountId?: string) => Promise<Json>;

/** Returns what the books of a shop say. */
export type ReadShop = () => { orders: readonly ShopOrder[] } | Promise<{ orders: readonly ShopOrder[] }>;

/**
 * Reads what there is in a sandbox once everything that was due has happened, of the platform and all sub accounts.
 * @param orderMember metadata member that names the order
 */
export async function readFacts(
  read: ReadAs,
  orderMember: string,
  shop: ReadShop | undefined,
): Promise<HuntFacts> {
  const { items } = await read('/sandbox/accounts');
  const payments: HuntedPayment[] = [];
  const events: HuntedEvent[] = [];
  const payouts: HuntedPayout[] = [];
  const busyTerminals: string[] = [];
  for (const { id, type } of items) {
    const readAs: Read = (path) => read(path, type === 'Sub' ? id : undefined);
    const facts = await factsOfAccount(readAs, { accountId: id, orderMember });
    payments.push(...facts.payments);
    events.push(...facts.events);
    busyTerminals.push(...facts.busyTerminals);
    if (hasEvent(facts.events, 'Payout')) payouts.push(...(await readPayouts(readAs, id, orderMember)));
  }
  // Most shops make none: the lists are read where an event says that there is one.
  const transfers = hasEvent(events, 'Transfer') ? await readTransfers(read, orderMember) : [];
  const fees = hasEvent(events, 'PlatformFee') ? await readFees(read) : new Map<string, number>();
  const chargebacks = hasEvent(events, 'Dispute') ? await readChargebacks(read) : new Map<string, number>();
  for (const payment of payments) {
    payment.platformFee = fees.get(payment.id) ?? 0;
    payment.chargedBack = chargebacks.get(payment.id) ?? 0;
  }
  return { payments, transfers, payouts, events, busyTerminals, shop: await shop?.() };
}

/** Statuses of disputes whose money is back. */
const RETURNED = new Set(['Won', 'Cancelled']);

/** Reads what disputes took of each payment session and did not return, in minor units. */
async function readChargebacks(read: Read): Promise<Map<string, number>> {
  const taken = new Map<string, number>();
  for (const { paymentSession, status, amount } of await readAll(read, '/v1/disputes', SINCE_EVER)) {
    if (RETURNED.has(status)) continue;
    taken.set(paymentSession.id, (taken.get(paymentSession.id) ?? 0) + amount);
  }
  return taken;
}

const hasEvent = (events: readonly HuntedEvent[], about: string) =>
  events.some(({ eventType }) => eventType.startsWith(`${about}.`));

async function factsOfAccount(
  read: Read,
  { accountId, orderMember }: { accountId: string; orderMember: string },
): Promise<Pick<HuntFacts, 'payments' | 'events' | 'busyTerminals'>> {
  const recorded = await readAll(read, '/v1/events');
  const cancelled = new Set(recorded.map(cancelledBy));
  const sessions = await readAll(read, '/v1/payment-sessions', SINCE_EVER);
  const isRecurring = sessions.some(({ paymentType }) => paymentType === 'Recurring');
  const ofSubscriptions = isRecurring ? await sessionsOfSubscriptions(read) : new Set<string>();
  const payments: HuntedPayment[] = [];
  for (const session of sessions) {
    const { id, status, amount, refundedAmount, currency, metadata } = session;
    payments.push({
      id,
      accountId,
      orderId: metadata?.[orderMember],
      status,
      amount,
      captured: await capturedOf(read, session),
      refundedAmount,
      chargedBack: 0,
      platformFee: 0,
      currency,
      cancelled: cancelled.has(id),
      isOfSubscription: ofSubscriptions.has(id),
    });
  }
  const events: HuntedEvent[] = [];
  for (const event of recorded) events.push({ ...event, endpoints: await endpointsOf(read, event) });
  const terminals = await readAll(read, '/v1/in-person/terminals');
  return {
    payments: payments.reverse(),
    events: events.reverse(),
    busyTerminals: terminals.filter(({ action }) => action?.status === 'InProgress').map(({ id }) => id),
  };
}

/** Returns the payment session whose action at a terminal an event says is cancelled. */
function cancelledBy({ eventType, data }: Json): string | undefined {
  const isCancelled = eventType === 'Terminal.action_updated' && data.action?.status === 'Cancelled';
  return isCancelled ? data.action.transaction.paymentSessionId : undefined;
}

/** Returns what was taken of a payment session: a part of its amount where a request captures it. */
async function capturedOf(read: Read, { id, status, captureFlow, amount }: Json): Promise<number> {
  if (status !== 'Captured') return 0;
  if (captureFlow === 'Automatic') return amount;
  const transactions = await readAll(read, `/v1/payment-sessions/${id}/transactions`);
  return transactions
    .filter((one) => one.type === 'Capture' && one.status === 'Succeeded')
    .reduce((sum, one) => sum + one.amount, 0);
}

async function sessionsOfSubscriptions(read: Read): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const { id } of await readAll(read, '/v1/subscriptions', SINCE_EVER))
    for (const session of await readAll(read, `/v1/subscriptions/${id}/payment-sessions`))
      ids.add(session.id);
  return ids;
}

/** Returns the endpoints of an event, and whether the last attempt reached one that did not acknowledge it. */
async function endpointsOf(read: Read, { id, endpoints }: Json): Promise<HuntedEvent['endpoints']> {
  const judged: HuntedEvent['endpoints'][number][] = [];
  for (const { webhookId, acknowledged } of endpoints) {
    const asked = acknowledged || (await wasAsked(read, id, webhookId));
    judged.push({ webhookId, acknowledged, asked });
  }
  return judged;
}

/** Reads the list, not the log of attempts: that has real times, and a trace has each reply. */
async function wasAsked(read: Read, eventId: string, webhookId: string): Promise<boolean> {
  const { items } = await read(`/sandbox/deliveries?event=${eventId}`);
  const delivery = items.find((one: Json) => one.webhookId === webhookId);
  return delivery.lastResult !== DROPPED_BY_FAULT && delivery.lastResult !== CONNECTION_REFUSED;
}
