import { formatMinor } from '../../protocol/money.ts';
import type { ShopOrder } from '../../world/verdicts/verdicts.ts';
import type { Teller } from './story.ts';

/** What the shop of a drill believes. */
export interface Books {
  orders(): ShopOrder[];
  /** Notes how an order stands; what is not given stays as it was. */
  note(orderId: string, changes: Partial<Omit<ShopOrder, 'orderId'>>): void;
  order(orderId: string): ShopOrder | undefined;
}

export const CURRENCY = 'GBP';

export function openBooks(tell: (who: Teller, text: string) => void): Books {
  const orders = new Map<string, ShopOrder>();
  return {
    orders: () => [...orders.values()],
    order: (orderId) => orders.get(orderId),
    note(orderId, changes) {
      const before = orders.get(orderId);
      const after = { orderId, paid: false, amount: 0, ...before, ...changes };
      orders.set(orderId, after);
      const text = describeOrder(after);
      if (!before || text !== describeOrder(before)) tell('books', text);
    },
  };
}

/** Returns an order in words: `order-1: 17.42 GBP, paid`. */
export function describeOrder({ orderId, paid, amount, refunded }: ShopOrder): string {
  const back = refunded ? `, ${formatMinor(refunded, CURRENCY)} refunded` : '';
  return `${orderId}: ${formatMinor(amount, CURRENCY)}, ${paid ? 'paid' : 'not paid'}${back}`;
}
