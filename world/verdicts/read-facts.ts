import { DROPPED_BY_FAULT } from '../../server/platform/outbox/struck-attempts.ts';
import type { HuntedEvent, HuntedPayment, HuntFacts, ShopOrder } from './verdicts.ts';

// oxlint-disable-next-line no-explicit-any -- replies of the API
type Json = any;

type Read = (path: string) => Promise<Json>;

/** Reads a path of the API, as the platform or as a sub account. @throws when the reply is no success */
export type ReadAs = (path: string, subAccountId?: string) => Promise<Json>;

// The most that a page of any list holds.
const PAGE_ITEMS = 50;
// Payment sessions of today are listed unless a start is given.
const SINCE_EVER = '&startTimestamp=0';

/** Returns what the books of a shop say. */
export type ReadShop = () => { orders: readonly ShopOrder[] } | Promise<{ orders: readonly ShopOrder[] }>;

/** Reads all pages of a list. */
async function all(read: Read, path: string, more = ''): Promise<Json[]> {
  const items: Json[] = [];
  for (let next = ''; ;) {
    const page: Json = await read(`${path}?limit=${PAGE_ITEMS}${more}${next}`);
    items.push(...page.items);
    if (page.paginationToken === null) return items;
    next = `&startsAfter=${encodeURIComponent(page.paginationToken)}`;
  }
}

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
  const busyTerminals: string[] = [];
  for (const { id, type } of items) {
    const facts = await factsOfAccount((path) => read(path, type === 'Sub' ? id : undefined), orderMember);
    payments.push(...facts.payments);
    events.push(...facts.events);
    busyTerminals.push(...facts.busyTerminals);
  }
  return { payments, events, busyTerminals, shop: await shop?.() };
}

async function factsOfAccount(read: Read, orderMember: string): Promise<Omit<HuntFacts, 'shop'>> {
  const recorded = await all(read, '/v1/events');
  const cancelled = new Set(recorded.map(cancelledBy));
  const sessions = await all(read, '/v1/payment-sessions', SINCE_EVER);
  const isRecurring = sessions.some(({ paymentType }) => paymentType === 'Recurring');
  const ofSubscriptions = isRecurring ? await sessionsOfSubscriptions(read) : new Set<string>();
  const payments: HuntedPayment[] = [];
  for (const session of sessions) {
    const { id, status, amount, refundedAmount, currency, metadata } = session;
    payments.push({
      id,
      orderId: metadata?.[orderMember],
      status,
      amount,
      captured: await capturedOf(read, session),
      refundedAmount,
      currency,
      cancelled: cancelled.has(id),
      isOfSubscription: ofSubscriptions.has(id),
    });
  }
  const events: HuntedEvent[] = [];
  for (const event of recorded) events.push({ ...event, endpoints: await endpointsOf(read, event) });
  const terminals = await all(read, '/v1/in-person/terminals');
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
  const transactions = await all(read, `/v1/payment-sessions/${id}/transactions`);
  return transactions
    .filter((one) => one.type === 'Capture' && one.status === 'Succeeded')
    .reduce((sum, one) => sum + one.amount, 0);
}

async function sessionsOfSubscriptions(read: Read): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const { id } of await all(read, '/v1/subscriptions', SINCE_EVER))
    for (const session of await all(read, `/v1/subscriptions/${id}/payment-sessions`)) ids.add(session.id);
  return ids;
}

/** Returns the endpoints of an event, and whether faults dropped each attempt at one that did not acknowledge it. */
async function endpointsOf(read: Read, { id, endpoints }: Json): Promise<HuntedEvent['endpoints']> {
  const judged: HuntedEvent['endpoints'][number][] = [];
  for (const { webhookId, acknowledged } of endpoints) {
    const asked = acknowledged || (await wasAsked(read, `${id}.${webhookId}`));
    judged.push({ webhookId, acknowledged, asked });
  }
  return judged;
}

async function wasAsked(read: Read, deliveryId: string): Promise<boolean> {
  const { attemptLog } = await read(`/sandbox/deliveries/${deliveryId}`);
  const isDropped =
    attemptLog.length > 0 && attemptLog.every(({ problem }: Json) => problem === DROPPED_BY_FAULT);
  return !isDropped;
}
