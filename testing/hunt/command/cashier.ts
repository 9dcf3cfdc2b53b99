import { delay, type Clock } from '../../../protocol/clock.ts';

/** What is posted to the process of a shop, so that it sells. */
export interface Sale {
  path: string;
  order: { orderId: string; amount: number };
}

const PAUSE_MS = 50;
const REPLY_MS_MAX = 30_000;

/** Creates who sells at the till of a shop: once, and again while there is no reply. */
export function createCashier(sale: Sale | undefined, port: number, clock: Clock) {
  let hasSold = sale === undefined;
  let problem: string | undefined;

  async function post({ path, order }: Sale): Promise<void> {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
      signal: AbortSignal.timeout(REPLY_MS_MAX),
    });
    hasSold = true;
    problem = reply.ok ? undefined : `POST ${path} got ${reply.status}: ${await reply.text()}`;
  }

  return {
    /** Whether the shop has replied. */
    get hasSold() {
      return hasSold;
    },
    /** Why it did not sell. */
    get problem() {
      return problem;
    },
    async sell(goesOn: () => boolean): Promise<void> {
      if (sale) problem = `nothing replied to POST ${sale.path}`;
      while (sale && !hasSold && goesOn()) await post(sale).catch(() => delay(clock, PAUSE_MS));
    },
  };
}
