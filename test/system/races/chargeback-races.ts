import { expect } from 'vitest';
import { callOf, setAvailable } from './balance-races.ts';
import { race, type Race, type RacedRequest } from './race.ts';
import type { RacingShop } from './racing-shop.ts';
import { replay, type Rules } from './rules.ts';

/** Each chargeback and each payout. */
const AMOUNT = 1_000;
/** What the account keeps of a payment whose platform fee is the rest. */
const KEPT = 100;

interface Held {
  available: number;
  /** With what is not available yet. */
  total: number;
}

type Take = { what: 'payout' | 'chargeback' };

const PLATFORM_PAYS = 'the platform pays it';

/** By docs/choices/money.md: a payout takes what is available; a chargeback whatever is there, or the platform pays it. */
const chargebackRules: Rules<Held, Take> = ({ available, total }, { what }) => {
  if (what === 'payout' && available < AMOUNT) {
    const pounds = `${(available / 100).toFixed(2)} GBP`;
    return { refused: `400 the balance is too low: ${pounds} is available` };
  }
  if (what === 'chargeback' && total < AMOUNT) return { refused: PLATFORM_PAYS };
  return { after: { available: available - AMOUNT, total: total - AMOUNT } };
};

/** A race of disputes, each of another payment of one account. @param payouts how many of the requests are payouts of it */
function chargebackRace(name: string, payouts: (count: number) => number): Race {
  return race<RacedRequest & { wants: Take }>(name, async (shop, count) => {
    const account = shop.subAccountId;
    const payoutMethodId = await shop.payoutMethod();
    const terms = { amount: AMOUNT, platformFee: AMOUNT - KEPT };
    const sessions = await Promise.all(
      Array.from({ length: count - payouts(count) }, () => shop.paid(terms, account)),
    );
    await setAvailable(shop, AMOUNT);
    const start = await shop.balance(account);
    const known = (await shop.all('/v1/balance-transactions', account)).length;
    const disputes = sessions.map(({ id }) => ({
      method: 'POST' as const,
      path: `/sandbox/payment-sessions/${id}/disputes`,
      body: {},
      wants: { what: 'chargeback' as const },
    }));
    const paidOut = Array.from({ length: payouts(count) }, () => ({
      ...callOf(shop, { what: 'payout', amount: AMOUNT }, payoutMethodId),
      wants: { what: 'payout' as const },
    }));
    return {
      requests: [...disputes, ...paidOut],
      async check(raced) {
        const refused = raced.flatMap(({ request, refusal }) =>
          refusal === undefined ? [] : [{ request: request.wants, refusal }],
        );
        expect(refused.map(({ request }) => request.what)).not.toContain('chargeback');
        const taken = await takenFrom(shop, account, known);
        const own = taken.filter(({ what }) => what === 'chargeback').length;
        const paidByPlatform = Array.from({ length: disputes.length - own }, () => ({
          request: { what: 'chargeback' as const },
          refusal: PLATFORM_PAYS,
        }));
        expect(taken.length - own).toBe(paidOut.length - refused.length);
        const { end, wrong } = replay(chargebackRules, start, taken, [...refused, ...paidByPlatform]);
        expect(wrong).toEqual([]);
        expect(await shop.balance(account)).toEqual(end);
      },
    };
  });
}

/** Returns what was taken from a balance since so many balance transactions, the oldest first. */
async function takenFrom(shop: RacingShop, account: string, known: number): Promise<Take[]> {
  const lines = (await shop.all('/v1/balance-transactions', account)).slice(known);
  const types = { TransactionChargeback: 'chargeback', Payout: 'payout' } as const;
  return lines
    .map(({ type }) => types[type as keyof typeof types])
    .filter((what) => what !== undefined)
    .map((what) => ({ what }));
}

export const CHARGEBACK_RACES: readonly Race[] = [
  chargebackRace('chargebacks of payments of one account, which suffices for few', () => 0),
  chargebackRace('chargebacks against payouts of one account', (count) => Math.floor(count / 2)),
];
