import { readFile } from 'node:fs/promises';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { fetchBooks, parseBooks } from '../../world/verdicts/read-books.ts';
import type { ShopOrder } from '../../world/verdicts/hunt-facts.ts';
import { shopVariables } from '../../world/shop-variables.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { CURRENCY } from './drill.ts';
import { ORDER } from './plays/shop.ts';
import type { RunningDrill } from './run-drill.ts';
import type { DrillSandbox } from './drill-sandbox.ts';

/** The sandbox of a drill in words, for a person or a program that sells in it. The key opens this sandbox alone. */
export function describeSandbox({ stage, terminalId }: DrillSandbox): Record<string, string> {
  const { url, secretKey } = stage;
  return shopVariables({ url, secretKey, terminalId, order: ORDER, currency: CURRENCY });
}

const POLL_MS = 500;

/**
 * Resolves when somebody presses Enter, or when nothing has happened for `quietSeconds` since a fault struck.
 * @throws Fault `timed_out` when no fault strikes within `timeoutSeconds`
 */
export async function untilSold(
  { keyboard }: Pick<CommandContext, 'keyboard'>,
  { sleep, strikes }: RunningDrill,
  steps: () => number,
  { quietSeconds, timeoutSeconds }: { quietSeconds: number; timeoutSeconds: number },
): Promise<void> {
  let isEntered = false;
  const stop = keyboard.onLine(() => (isEntered = true));
  try {
    let told = steps();
    let quietMs = 0;
    for (let waitedMs = 0; !isEntered && quietMs < quietSeconds * 1_000; waitedMs += POLL_MS) {
      if (strikes.length === 0 && waitedMs >= timeoutSeconds * 1_000)
        throw new Fault('timed_out', `no fault of the drill struck anything within ${timeoutSeconds} s`);
      await sleep(POLL_MS);
      quietMs = strikes.length > 0 && steps() === told ? quietMs + POLL_MS : 0;
      told = steps();
    }
  } finally {
    stop();
  }
}

/**
 * Reads what the books of a shop say from a file or a URL.
 * @throws Fault `bad_setting` when they cannot be read, or are no books
 */
export async function readShopBooks(
  { fetch }: Pick<CommandContext, 'fetch'>,
  from: string,
): Promise<readonly ShopOrder[]> {
  try {
    const text = await (/^https?:/.test(from) ? fetchBooks(from, fetch) : readFile(from, 'utf8'));
    return parseBooks(text).orders;
  } catch (thrown) {
    throw new Fault('bad_setting', `--books: the books cannot be read from ${from}: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
}
