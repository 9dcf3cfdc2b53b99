import { formatMinor } from '../../protocol/money.ts';
import { Type } from '../../protocol/schema.ts';

/** A payment session, as a verdict sees it. */
export interface HuntedPayment {
  id: string;
  /** Value of the metadata member that names the order; undefined without it. */
  orderId: string | undefined;
  /** Status of the session (docs/openapi.json, PaymentSession). */
  status: string;
  amount: number;
  refundedAmount: number;
  currency: string;
  /** Whether it was cancelled while it was in progress at a terminal. */
  cancelled: boolean;
}

/** An order in the books of the integrator; amounts in minor units. */
export interface ShopOrder {
  orderId: string;
  paid: boolean;
  amount: number;
  refunded?: number;
  /** Whether the shop has sent a cancel for it. Leave it out where the books do not say so. */
  cancelled?: boolean;
}

/** A recorded event, with what its webhook endpoints said. */
export interface HuntedEvent {
  id: string;
  eventType: string;
  endpoints: readonly { webhookId: string; acknowledged: boolean }[];
}

/** What there is once everything that was due has happened. */
export interface HuntFacts {
  payments: readonly HuntedPayment[];
  events: readonly HuntedEvent[];
  /** Terminals with an action in progress. */
  busyTerminals: readonly string[];
  shop: { orders: readonly ShopOrder[] } | undefined;
}

/** Returns a sentence about what is wrong; undefined when nothing is. */
export type Verdict = (facts: HuntFacts) => string | undefined;

const money = ({ amount, currency }: Pick<HuntedPayment, 'amount' | 'currency'>) =>
  formatMinor(amount, currency);

const isCaptured = ({ status }: HuntedPayment) => status === 'Captured';

const chargedOnce: Verdict = ({ payments }) => {
  const kept = payments.filter((payment) => isCaptured(payment) && payment.refundedAmount < payment.amount);
  for (const { orderId } of kept) {
    const charges = kept.filter((payment) => payment.orderId === orderId);
    if (orderId !== undefined && charges.length > 1)
      return `the order ${orderId} was charged ${charges.length} times: ${charges.map(({ id }) => id).join(', ')}`;
  }
  return undefined;
};

const booksEqualLedger: Verdict = ({ payments, shop }) => {
  for (const order of shop?.orders ?? []) {
    const first = payments.find((payment) => payment.orderId === order.orderId && isCaptured(payment));
    const { orderId, paid, amount, refunded = 0 } = order;
    if (paid && !first) return `the shop says that the order ${orderId} is paid, and no money was taken`;
    if (!paid && first && first.refundedAmount < first.amount)
      return `${money(first)} were taken for the order ${orderId}, and the shop says that it is not paid`;
    if (paid && first && first.amount !== amount)
      return `the shop has ${money({ ...first, amount })} for the order ${orderId}, and ${money(first)} were taken`;
    if (paid && first && first.refundedAmount !== refunded)
      return `the shop has refunded ${money({ ...first, amount: refunded })} of the order ${orderId}, and ${money({ ...first, amount: first.refundedAmount })} went back`;
  }
  return undefined;
};

const everyOrderIsKnown: Verdict = ({ payments, shop }) => {
  const known = new Set(shop?.orders.map(({ orderId }) => orderId));
  const lost = payments.find(
    (payment) =>
      isCaptured(payment) &&
      payment.refundedAmount < payment.amount &&
      payment.orderId !== undefined &&
      !known.has(payment.orderId),
  );
  return (
    shop && lost && `${money(lost)} were taken for the order ${lost.orderId}, which the shop does not know`
  );
};

const cancelledByShop: Verdict = ({ payments, shop }) => {
  const kept = new Set(
    shop?.orders.filter(({ cancelled }) => cancelled === false).map(({ orderId }) => orderId),
  );
  const lost = payments.find(
    ({ orderId, cancelled }) => cancelled && orderId !== undefined && kept.has(orderId),
  );
  return (
    lost &&
    `the payment ${lost.id} of the order ${lost.orderId} was cancelled, and the shop did not cancel it`
  );
};

const nothingInProgress: Verdict = ({ payments, busyTerminals }) => {
  const held = payments.find(({ status }) => status === 'Approved' || status === 'Processing');
  if (held) return `the payment ${held.id} is still ${held.status}: it was neither captured nor voided`;
  return busyTerminals[0] && `the terminal ${busyTerminals[0]} still has an action in progress`;
};

const everyEventAcknowledged: Verdict = ({ events }) => {
  for (const { id, eventType, endpoints } of events) {
    const refused = endpoints.find(({ acknowledged }) => !acknowledged);
    if (refused) return `the event ${id} (${eventType}) was never acknowledged by ${refused.webhookId}`;
  }
  return undefined;
};

/** The verdicts of every hunt. */
export const VERDICTS: readonly Verdict[] = [
  chargedOnce,
  booksEqualLedger,
  everyOrderIsKnown,
  cancelledByShop,
  nothingInProgress,
  everyEventAcknowledged,
];

// oxlint-disable-next-line no-explicit-any -- replies of the API
type Json = any;

/** Reads a path of the API, as the platform or as a sub account. @throws when the reply is no success */
export type ReadAs = (path: string, subAccountId?: string) => Promise<Json>;

// The most that a page of any list holds.
const PAGE_ITEMS = 50;
// Payment sessions of today are listed unless told otherwise.
const SINCE_EVER = '&startTimestamp=0';

/** Reads all pages of a list. */
async function all(read: (path: string) => Promise<Json>, path: string, more = ''): Promise<Json[]> {
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
  shop: (() => { orders: readonly ShopOrder[] }) | undefined,
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
  return { payments, events, busyTerminals, shop: shop?.() };
}

async function factsOfAccount(
  read: (path: string) => Promise<Json>,
  orderMember: string,
): Promise<Omit<HuntFacts, 'shop'>> {
  const events = await all(read, '/v1/events');
  const cancelled = new Set(events.map(cancelledBy));
  const sessions = await all(read, '/v1/payment-sessions', SINCE_EVER);
  const payments = sessions.map(
    ({ id, status, amount, refundedAmount, currency, metadata }): HuntedPayment => ({
      id,
      orderId: metadata?.[orderMember],
      status,
      amount,
      refundedAmount,
      currency,
      cancelled: cancelled.has(id),
    }),
  );
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

/** What the books of a shop say, as it prints or serves them. */
export const Books = Type.Object({
  orders: Type.Array(
    Type.Object({
      orderId: Type.String(),
      paid: Type.Boolean(),
      amount: Type.Integer(),
      refunded: Type.Optional(Type.Integer()),
      cancelled: Type.Optional(Type.Boolean()),
    }),
  ),
});
