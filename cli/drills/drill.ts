import type { DrillGroup } from '../../server/dashboard/drills/drill-view.ts';
import type { PlannedFault } from '../../server/platform/faults/fault-plan.schema.ts';
import type { Provider } from './provider.ts';
import type { Json, Teller } from './stage.ts';
import { formatMinor } from '../../protocol/money.ts';
import type { ShopOrder } from '../../world/verdicts/hunt-facts.ts';

/** A named plan of faults, what happens to a shop under it, and how not to lose money by it. */
export interface Drill {
  title: string;
  group: DrillGroup;
  /** Whether it sells on a terminal; otherwise online. */
  onTerminal: boolean;
  /** The language of the stand-alone payment terminal beside the terminal, such as `nexo`; none by default. */
  twin?: string;
  /** What a payment is settled as whose outcome stays unknown at the payment terminal, by somebody who looks it up there. */
  settledAs?: 'Charged';
  /** What happens in the shop, in the words of somebody who works there. */
  story: string;
  faults: readonly PlannedFault[];
  /** What the integration does that loses money. */
  wrong: string;
  /** What it does instead. */
  right: string;
  /** Page of the documentation that explains it, in `docs/`. */
  page: string;
  /** What one's own integration is asked to do in `--wait`. */
  task: string;
  /** How many days of the sandbox pass in it; none by default. */
  days?: number;
  /** Plays the built-in integration, as the wrong or the right one. */
  play(scene: Scene): Promise<void>;
}

/** What a play has: the sandbox of its drill, and the shop that sells in it. */
export interface Scene {
  isRight: boolean;
  /** Path of the terminal in the API. */
  terminal: string;
  provider: Provider;
  books: Books;
  tell(who: Teller, text: string): void;
  /** Waits; what happens meanwhile is told. */
  sleep(ms: number): Promise<void>;
  /** Advances the clock of the sandbox. */
  advance(seconds: number): Promise<void>;
  /** Calls `/sandbox`, for what people do and see besides the API. */
  control(method: 'GET' | 'POST', path: string, body?: object): Promise<Json>;
  /** Sets what the cardholder does, and after how long. */
  cardholder(script: string, delayMs: number): Promise<void>;
  /** Registers a webhook endpoint for these event types, and gives each event with a true signature to `handle`. */
  listen(eventTypes: readonly string[], handle: (event: Json) => unknown): Promise<void>;
}

/** What the shop of a drill believes. */
interface Books {
  orders(): ShopOrder[];
  /** Notes how an order stands; what is not given stays as it was. */
  note(orderId: string, changes: Partial<Omit<ShopOrder, 'orderId'>>): void;
  order(orderId: string): ShopOrder | undefined;
}

export const CURRENCY = 'GBP';

/** @param onNote called with all orders at each change */
export function openBooks(
  tell: (who: Teller, text: string) => void,
  onNote: (orders: readonly ShopOrder[]) => void = () => {},
): Books {
  const orders = new Map<string, ShopOrder>();
  return {
    orders: () => [...orders.values()],
    order: (orderId) => orders.get(orderId),
    note(orderId, changes) {
      const before = orders.get(orderId);
      const after = { orderId, paid: false, amount: 0, ...before, ...changes };
      orders.set(orderId, after);
      onNote([...orders.values()]);
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
