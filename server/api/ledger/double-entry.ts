import { Fault } from '../../../protocol/failures.ts';
import type { BalanceTransactionType, Entry, Movement, Outside } from './ledger.ts';

/** One leg of an entry: so much to a holder, or from it when negative, in one currency. */
export interface Posting {
  /** An account's id, or a place outside. */
  holder: string;
  currency: string;
  amountMinor: number;
}

function outside(place: Outside): string {
  return `outside:${place}`;
}

/** What a movement leaves on its account: its amount without the fee. */
export function netOf({ amountMinor, feeMinor = 0 }: Movement): number {
  return amountMinor - feeMinor;
}

/**
 * The legs of an entry, one for each holder and currency; fees go to the processor, and the entry's outside
 * makes up the rest.
 * @throws Fault `internal` when the entry has no movement, one that is no whole number of minor units, or does
 * not come to zero in each currency.
 */
export function postingsOf(entry: Entry): Posting[] {
  const legs = new Map<string, Posting>();
  const add = (holder: string, currency: string, amountMinor: number) => {
    const key = `${holder} ${currency}`;
    const leg = legs.get(key) ?? { holder, currency, amountMinor: 0 };
    legs.set(key, { ...leg, amountMinor: leg.amountMinor + amountMinor });
  };
  if (entry.movements.length === 0) throw new Fault('internal', 'a ledger entry without a movement');
  for (const movement of entry.movements) {
    const { accountId, currency, amountMinor, feeMinor = 0 } = movement;
    if (!Number.isSafeInteger(amountMinor) || !Number.isSafeInteger(feeMinor) || feeMinor < 0) {
      throw new Fault('internal', `a ${movement.type} of ${amountMinor}, fee ${feeMinor}, is no money`);
    }
    add(accountId, currency, netOf(movement));
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

/** What goes from one account to another, seen from both; `type` is one for both or one for each. */
export function between(
  type: BalanceTransactionType | { out: BalanceTransactionType; in: BalanceTransactionType },
  { from, to, amountMinor, originId, ...rest }: Passage,
): [Movement, Movement] {
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

interface Passage extends Pick<Movement, 'currency' | 'availableMs' | 'description'> {
  from: string;
  to: string;
  amountMinor: number;
  originId: string;
}
