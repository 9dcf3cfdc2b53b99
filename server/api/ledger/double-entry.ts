import { Fault } from '../../../protocol/failures.ts';
import type { BalanceTransactionType, Entry, EntryLine, ExternalParty } from './ledger.ts';

/** One posting of an entry: an amount credited to a holder, or debited when negative, in one currency. */
export interface Posting {
  /** The id of an account, or an external party. */
  holder: string;
  currency: string;
  amountMinor: number;
}

function outside(place: ExternalParty): string {
  return `outside:${place}`;
}

/** Returns the amount of a line without its fee, minor units. */
export function netAmountOf({ amountMinor, feeMinor = 0 }: EntryLine): number {
  return amountMinor - feeMinor;
}

/**
 * Returns the postings of an entry, one for each holder and currency; fees are credited to the processor, and the
 * external party balances the rest.
 * @throws Fault `internal` when the entry has no line or a fractional amount, or does not balance to zero in each
 *   currency.
 */
export function createPostings(entry: Entry): Posting[] {
  const legs = new Map<string, Posting>();
  const add = (holder: string, currency: string, amountMinor: number) => {
    const key = `${holder} ${currency}`;
    const leg = legs.get(key) ?? { holder, currency, amountMinor: 0 };
    legs.set(key, { ...leg, amountMinor: leg.amountMinor + amountMinor });
  };
  if (entry.lines.length === 0) throw new Fault('internal', 'a ledger entry without a line');
  for (const line of entry.lines) {
    const { accountId, currency, amountMinor, feeMinor = 0 } = line;
    if (!Number.isSafeInteger(amountMinor) || !Number.isSafeInteger(feeMinor) || feeMinor < 0) {
      throw new Fault('internal', `a ${line.type} of ${amountMinor}, fee ${feeMinor}, is no money`);
    }
    add(accountId, currency, netAmountOf(line));
    if (feeMinor > 0) add(outside('processor'), currency, feeMinor);
    if (entry.outside) add(outside(entry.outside), currency, -amountMinor);
  }
  refuseUnbalanced([...legs.values()]);
  return [...legs.values()].filter(({ amountMinor }) => amountMinor !== 0);
}

function refuseUnbalanced(postings: readonly Posting[]): void {
  const sums = new Map<string, number>();
  for (const { currency, amountMinor } of postings)
    sums.set(currency, (sums.get(currency) ?? 0) + amountMinor);
  for (const [currency, sum] of sums) {
    if (sum !== 0) throw new Fault('internal', `a ledger entry is off balance by ${sum} ${currency}`);
  }
}

/** Returns the debit and the credit line of a transfer between two accounts; `type` is one for both or one for each. */
export function transferLines(
  type: BalanceTransactionType | { out: BalanceTransactionType; in: BalanceTransactionType },
  { from, to, amountMinor, originId, ...rest }: TransferBetween,
): [EntryLine, EntryLine] {
  const types = typeof type === 'string' ? { out: type, in: type } : type;
  const side = (accountId: string, other: string, minor: number) => ({
    ...rest,
    accountId,
    amountMinor: minor,
    origin: { id: originId, amountMinor, accountId: other },
  });
  return [
    { type: types.out, ...side(from, to, -amountMinor) },
    { type: types.in, ...side(to, from, amountMinor) },
  ];
}

interface TransferBetween extends Pick<EntryLine, 'currency' | 'availableMs' | 'description'> {
  from: string;
  to: string;
  amountMinor: number;
  originId: string;
}
