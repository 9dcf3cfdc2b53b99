import type { Transaction } from '../../platform/store/store.ts';
import { addToBalances, nextStripe, type BalanceChange } from './balance.records.ts';
import { insertBalanceTransactions } from './balance-transaction.records.ts';
import { netAmountOf, createPostings, type Posting } from './double-entry.ts';
import type { Entry, PostEntry } from './ledger.ts';

/**
 * Writes an entry: its postings, its balance transactions and the balances, a statement each, in the caller's
 * transaction.
 * @throws Fault `internal` when it does not balance to zero in each currency, which undoes the transaction.
 */
export const postEntry: PostEntry = async (tx, services, entry) => {
  const postings = createPostings(entry);
  const nowMs = services.clock.nowMs();
  const transactions = entry.lines.map((line) => ({
    ...line,
    id: services.ids.make('balanceTransaction'),
    availableMs: Math.max(line.availableMs, nowMs),
  }));
  const entryId = transactions[0]!.id;
  if (postings.length > 0) insertPostings(tx, entryId, postings, nowMs);
  await insertBalanceTransactions(tx, entryId, transactions, nowMs);
  await addToBalances(tx, changesOf(entry, nowMs), nextStripe(services), nowMs);
  tx.afterCommit(() => services.activities.emit({ kind: 'ledger.posted', lines: transactions }));
};

function insertPostings(tx: Transaction, entryId: string, postings: readonly Posting[], nowMs: number): void {
  tx.send(
    `INSERT INTO postings (entry_id, holder, currency, amount_minor, created_ms)
     VALUES ${postings.map(() => '(?, ?, ?, ?, ?)').join(', ')}`,
    ...postings.flatMap(({ holder, currency, amountMinor }) => [
      entryId,
      holder,
      currency,
      amountMinor,
      nowMs,
    ]),
  );
}

/** Returns the balance changes of an entry, one for each row, in a fixed order so that transactions never deadlock. */
function changesOf({ lines }: Entry, nowMs: number): BalanceChange[] {
  const changes = new Map<string, BalanceChange>();
  for (const line of lines) {
    const { accountId, currency } = line;
    const availableMs = line.availableMs > nowMs ? line.availableMs : 0;
    const key = `${accountId} ${currency} ${availableMs}`;
    const change = changes.get(key) ?? {
      accountId,
      currency,
      availableMs,
      amountMinor: 0,
      transactions: 0,
    };
    change.amountMinor += netAmountOf(line);
    change.transactions += 1;
    changes.set(key, change);
  }
  return [...changes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change);
}
