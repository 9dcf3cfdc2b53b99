import { delay, type Clock } from '../../../protocol/clock.ts';
import { messageOf } from '../../../protocol/failures.ts';
import type { Static } from '../../../protocol/schema.ts';
import type { Books } from '../../../world/verdicts/hunt-facts.ts';
import { fetchBooks, parseBooks } from '../../../world/verdicts/read-books.ts';
import { startShop } from './shop-process.ts';

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

type ReadBooks = Static<typeof Books> | { problem: string } | undefined;

interface BooksParts {
  /** The port on which the process of the shop listens. */
  port: number;
  env: Record<string, string | undefined>;
  clock: Clock;
}

const LIMIT_MS = 10_000;

/**
 * Returns what the books of a shop say; undefined without any.
 * @param from a path that its process serves, such as `/books`, or a command line that prints them
 */
export async function readBooks(
  from: string | undefined,
  { port, env, clock }: BooksParts,
): Promise<ReadBooks> {
  if (from === undefined) return undefined;
  try {
    const url = `http://127.0.0.1:${port}${from}`;
    return parseBooks(await (from.startsWith('/') ? fetchBooks(url) : printedBy(from, env, clock)));
  } catch (thrown) {
    return { problem: `the books cannot be read from ${from}: ${messageOf(thrown)}` };
  }
}

async function printedBy(commandLine: string, env: BooksParts['env'], clock: Clock): Promise<string> {
  const printing = startShop(commandLine, env, clock);
  await Promise.race([printing.ended, delay(clock, LIMIT_MS)]);
  if (printing.code === 0) return printing.out;
  await printing.kill();
  throw new Error(`exit code ${printing.code ?? 'none in time'}: ${printing.lastOutput.trim()}`);
}
