import { expect } from 'vitest';
import type { Store } from '../../../server/platform/store/store.ts';
import type { Race } from './race.ts';
import type { RacingShop } from './racing-shop.ts';

/** Runs rounds of a race, and prints what was counted. @throws when no two requests of the race were under way at once */
export async function runRounds(
  shop: RacingShop,
  race: Race,
  { rounds, requests }: { rounds: number; requests: number },
): Promise<void> {
  const replies = new Map<string, number>();
  const before = await undone(shop.database);
  const watch = watchTransactions(shop.database);
  let leastAtOnce = Infinity;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const counts = await race.run(shop, requests);
      leastAtOnce = Math.min(leastAtOnce, counts.atOnce);
      for (const [reply, count] of counts.replies) replies.set(reply, (replies.get(reply) ?? 0) + count);
    }
  } finally {
    await watch.stop();
  }
  const mostTransactions = await watch.stop();
  const total = [...replies.values()].reduce((sum, count) => sum + count, 0);
  const rollbacks = (await undone(shop.database)) - before;
  process.stdout.write(
    [
      `${race.name}: ${rounds} rounds, ${total} requests, at least ${leastAtOnce} at once`,
      ...(shop.database ? [`, up to ${mostTransactions} transactions at once, ${rollbacks} rollbacks`] : []),
      ...[...replies].map(([reply, count]) => `\n  ${count} × ${reply}`),
      '\n',
    ].join(''),
  );
  expect(total).toBe(rounds * requests);
  expect(leastAtOnce).toBeGreaterThan(1);
  if (shop.database) expect(mostTransactions).toBeGreaterThan(1);
}

/** Returns how many transactions of a database were undone so far, as PostgreSQL counts them. */
async function undone(database: Store | undefined): Promise<number> {
  const row = await database?.get<{ n: number }>(
    'SELECT xact_rollback AS n FROM pg_stat_database WHERE datname = current_database()',
  );
  return row?.n ?? 0;
}

/** Counts again and again how many transactions of the servers are open at the same instant. */
function watchTransactions(database: Store | undefined): { stop(): Promise<number> } {
  let stopped = false;
  let most = 0;
  const watching = (async () => {
    while (database && !stopped) {
      const row = await database.get<{ n: number }>(
        `SELECT COUNT(*) AS n FROM pg_stat_activity
         WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`,
      );
      most = Math.max(most, row!.n);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await watching;
      return most;
    },
  };
}
