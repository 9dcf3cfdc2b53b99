import { formatMinor } from '../../../protocol/money.ts';
import type { HuntFacts, ShopOrder } from '../../../world/verdicts/hunt-facts.ts';

/** What was taken for an order, beside what the books say. Amounts in minor units. */
export interface OrderMoney {
  orderId: string;
  /** Currency of its payments; undefined when there are none. */
  currency: string | undefined;
  /** Number of payments of which something was captured. */
  payments: number;
  captured: number;
  refunded: number;
  /** Null where the books do not have it, undefined where none were read. */
  books: ShopOrder | null | undefined;
}

/** Returns the money and the books of each order, those that the books have first. */
export function orderMoney({ payments, shop }: Pick<HuntFacts, 'payments' | 'shop'>): OrderMoney[] {
  const orders = new Map(shop?.orders.map((order) => [order.orderId, order]));
  const paid = payments.flatMap(({ orderId }) => (orderId === undefined ? [] : [orderId]));
  return [...new Set([...orders.keys(), ...paid])].map((orderId) => {
    const taken = payments.filter((payment) => payment.orderId === orderId && payment.captured > 0);
    return {
      orderId,
      currency: taken[0]?.currency,
      payments: taken.length,
      captured: taken.reduce((sum, { captured }) => sum + captured, 0),
      refunded: taken.reduce((sum, { refundedAmount }) => sum + refundedAmount, 0),
      books: shop && (orders.get(orderId) ?? null),
    };
  });
}

/** Returns the money of an order beside its books, in words. */
export function describeOrderMoney({
  orderId,
  currency,
  payments,
  captured,
  refunded,
  books,
}: OrderMoney): string {
  const money = (amount: number) =>
    currency === undefined ? `${amount} minor units` : formatMinor(amount, currency);
  const times = payments > 1 ? ` in ${payments} payments` : '';
  const back = refunded > 0 ? `, ${money(refunded)} went back` : '';
  const taken = payments > 0 ? `${money(captured)} taken${times}${back}` : 'nothing taken';
  if (books === undefined) return `${orderId}: ${taken}`;
  return `${orderId}: ${taken}; ${books ? booksText(books, money) : 'not in the books'}`;
}

function booksText({ paid, amount, refunded = 0 }: ShopOrder, money: (amount: number) => string): string {
  const back = refunded > 0 ? `, ${money(refunded)} refunded` : '';
  return paid ? `the books have ${money(amount)}, paid${back}` : `in the books it is not paid${back}`;
}
