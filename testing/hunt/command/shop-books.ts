import { delay, type Clock } from '../../../protocol/clock.ts';
import { messageOf } from '../../../protocol/failures.ts';
import type { Static } from '../../../protocol/schema.ts';
import type { Books } from '../../../world/verdicts/hunt-facts.ts';
import { fetchBooks, parseBooks } from '../../../world/verdicts/read-books.ts';
import { startShop } from './shop-process.ts';

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
