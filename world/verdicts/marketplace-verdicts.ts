import { formatMinor } from '../../protocol/money.ts';
import type { HuntedPayout, HuntedTransfer, ShopOrder, Verdict } from './hunt-facts.ts';

type Moved = Pick<HuntedTransfer | HuntedPayout, 'orderId' | 'amount' | 'currency'>;

/** Returns those that an order names. */
const ofOrder = <T extends { orderId: string | undefined }>(all: readonly T[], { orderId }: ShopOrder): T[] =>
  all.filter((one) => one.orderId === orderId);

const idsOf = (all: readonly { id: string }[]) => all.map(({ id }) => id).join(', ');

/** Returns the first two or more of one order that are alike; undefined when each is made once. */
function firstRepeated<T extends Moved>(
  all: readonly T[],
  isAlike: (one: T, other: T) => boolean,
): T[] | undefined {
  for (const one of all) {
    const alike = all.filter(
      (other) => other.orderId === one.orderId && other.amount === one.amount && isAlike(one, other),
    );
    if (one.orderId !== undefined && alike.length > 1) return alike;
  }
  return undefined;
}

/** Returns the orders whose books say nothing of a member: only their repeats are looked for. */
function withoutBooks<T extends { orderId: string | undefined }>(
  all: readonly T[],
  orders: readonly ShopOrder[] | undefined,
  member: 'transferred' | 'paidOut',
): T[] {
  const said = new Set(orders?.flatMap((order) => (order[member] === undefined ? [] : [order.orderId])));
  return all.filter(({ orderId }) => orderId === undefined || !said.has(orderId));
}

/** Two transfers of one order, to or from one sub account, of the same amount. */
export const transferredOnce: Verdict = ({ transfers, shop }) => {
  const twice = firstRepeated(
    withoutBooks(transfers, shop?.orders, 'transferred'),
    (one, other) => one.accountId === other.accountId && one.toSubAccount === other.toSubAccount,
  );
  const [first] = twice ?? [];
  if (!twice || !first) return undefined;
  const to = first.toSubAccount ? 'to' : 'from';
  return `${formatMinor(first.amount, first.currency)} of the order ${first.orderId} were transferred ${to} ${first.accountId} ${twice.length} times: ${idsOf(twice)}`;
};

/** Two payouts of one order, to one account, of the same amount. */
export const paidOutOnce: Verdict = ({ payouts, shop }) => {
  const twice = firstRepeated(
    withoutBooks(payouts, shop?.orders, 'paidOut'),
    (one, other) => one.accountId === other.accountId,
  );
  const [first] = twice ?? [];
  if (!twice || !first) return undefined;
  return `${formatMinor(first.amount, first.currency)} of the order ${first.orderId} were paid out to ${first.accountId} ${twice.length} times: ${idsOf(twice)}`;
};

/** What went to sub accounts for an order, less what came back. */
export const transfersEqualBooks: Verdict = ({ transfers, payments, shop }) => {
  for (const order of shop?.orders ?? []) {
    if (order.transferred === undefined) continue;
    const all = ofOrder(transfers, order);
    const moved = all.reduce((sum, { amount, toSubAccount }) => sum + (toSubAccount ? amount : -amount), 0);
    const currency = (all[0] ?? ofOrder(payments, order)[0])?.currency;
    if (moved !== order.transferred)
      return `the shop has transferred ${text(order.transferred, currency)} for the order ${order.orderId}, and ${text(moved, currency)} were`;
  }
  return undefined;
};

/** What the platform keeps of the payments of an order. */
export const feesEqualBooks: Verdict = ({ payments, shop }) => {
  for (const order of shop?.orders ?? []) {
    if (order.platformFee === undefined) continue;
    const all = ofOrder(payments, order);
    const kept = all.reduce((sum, { platformFee }) => sum + platformFee, 0);
    const currency = all[0]?.currency;
    if (kept !== order.platformFee)
      return `the shop has a platform fee of ${text(order.platformFee, currency)} for the order ${order.orderId}, and ${text(kept, currency)} were collected`;
  }
  return undefined;
};

/** What was paid out for an order. */
export const payoutsEqualBooks: Verdict = ({ payouts, payments, shop }) => {
  for (const order of shop?.orders ?? []) {
    if (order.paidOut === undefined) continue;
    const all = ofOrder(payouts, order);
    const paid = all.reduce((sum, { amount }) => sum + amount, 0);
    const currency = (all[0] ?? ofOrder(payments, order)[0])?.currency;
    if (paid !== order.paidOut)
      return `the shop has paid out ${text(order.paidOut, currency)} for the order ${order.orderId}, and ${text(paid, currency)} were`;
  }
  return undefined;
};

/** Returns an amount for people: in minor units where no money of the order tells its currency. */
const text = (amount: number, currency: string | undefined) =>
  currency === undefined ? `${amount} minor units` : formatMinor(amount, currency);
