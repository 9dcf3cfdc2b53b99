import type { CommandTrial } from '../../../testing/hunt/command/command-trial.ts';
import type { HuntFacts } from '../../../world/verdicts/hunt-facts.ts';
import type { Wrong } from '../../../world/verdicts/verdicts.ts';
import type { CaseOutcome, CaseResult, MoneyTally } from '../certificate.ts';

/** A way in which shops lose money, as a rule that all runs of a till are judged by. */
interface MoneyRule {
  rule: string;
  /** Verdicts that say that it is broken; `books` stands for books that cannot be read. */
  verdicts: readonly (Wrong['name'] | 'books')[];
  /** Whether a run had something to which the rule applies. */
  applies(facts: HuntFacts): boolean;
  /** What a till must do so that it does, for people. */
  needs: string;
}

const isCaptured = ({ captured }: HuntFacts['payments'][number]) => captured > 0;

/** By the id of its case, without `till.money.`. */
export const MONEY_RULES = {
  'charged-once': {
    rule: 'A customer is charged once for an order.',
    verdicts: ['chargedOnce'],
    applies: ({ payments }) => payments.some((one) => isCaptured(one) && one.orderId !== undefined),
    needs: 'a payment whose metadata names its order',
  },
  books: {
    rule: 'The books have what was taken, and nothing that was not.',
    verdicts: ['booksEqualLedger', 'everyOrderIsKnown', 'books'],
    applies: ({ payments, shop }) =>
      shop !== undefined && (payments.some(isCaptured) || shop.orders.some(({ paid }) => paid)),
    needs: '--books, and a payment',
  },
  refunds: {
    rule: 'The books have what was refunded, and nothing that was not.',
    verdicts: ['booksEqualLedger'],
    applies: ({ payments, shop }) =>
      shop !== undefined &&
      (payments.some(({ refundedAmount }) => refundedAmount > 0) ||
        shop.orders.some(({ refunded = 0 }) => refunded > 0)),
    needs: '--books, and --calls with a refund',
  },
  'nothing-held': {
    rule: 'No approved payment is left neither captured nor voided.',
    verdicts: ['nothingInProgress'],
    applies: ({ payments }) => payments.length > 0,
    needs: 'a payment',
  },
  cancelled: {
    rule: 'A cancel ends no payment but the one that it is for.',
    verdicts: ['cancelledByShop'],
    applies: ({ payments, shop }) =>
      payments.some(({ cancelled }) => cancelled) && (shop?.orders ?? []).some((one) => 'cancelled' in one),
    needs: 'books with `cancelled`, and --calls with a cancel',
  },
  chargebacks: {
    rule: 'The books have what was charged back.',
    verdicts: ['chargebacksEqualBooks'],
    applies: ({ payments, shop }) =>
      payments.some(({ chargedBack }) => chargedBack > 0) &&
      (shop?.orders ?? []).some((one) => 'chargedBack' in one),
    needs: 'books with `chargedBack`, and a dispute that is lost',
  },
  transfers: {
    rule: 'Sub accounts get what the books say, once, and the platform its fee.',
    verdicts: ['transferredOnce', 'transfersEqualBooks', 'feesEqualBooks'],
    applies: ({ transfers, payments }) =>
      transfers.length > 0 || payments.some(({ platformFee }) => platformFee > 0),
    needs: 'a transfer or a platform fee',
  },
  payouts: {
    rule: 'What the books pay out is paid out, once.',
    verdicts: ['paidOutOnce', 'payoutsEqualBooks'],
    applies: ({ payouts }) => payouts.length > 0,
    needs: 'a payout',
  },
  acknowledged: {
    rule: 'Every event is acknowledged in the end.',
    verdicts: ['everyEventAcknowledged'],
    applies: ({ events }) => events.some(({ endpoints }) => endpoints.some(({ asked }) => asked)),
    needs: '--webhooks',
  },
} as const satisfies Record<string, MoneyRule>;

const RULES: Readonly<Record<string, MoneyRule>> = MONEY_RULES;

/** Returns in how many runs each money rule was kept and broken, by the names of `MONEY_RULES`. */
export function moneyOf(
  trials: readonly Pick<CommandTrial, 'facts' | 'verdict' | 'verdictName'>[],
): MoneyTally {
  const tally: MoneyTally = {};
  for (const [name, { verdicts, applies }] of Object.entries(RULES)) {
    const counts = { kept: 0, broken: 0 };
    for (const { facts, verdict, verdictName } of trials) {
      const isBroken = verdict !== undefined && verdicts.includes(verdictName ?? 'books');
      if (isBroken && (verdictName === undefined || applies(facts))) counts.broken += 1;
      // The first verdict that is wrong is the only one that is known.
      else if (verdict === undefined && applies(facts)) counts.kept += 1;
    }
    if (counts.kept + counts.broken > 0) tally[name] = counts;
  }
  return tally;
}

/** Says what the runs of all other cases show about a money rule. */
export function moneyVerdict(name: keyof typeof MONEY_RULES, results: readonly CaseResult[]): CaseOutcome {
  const tallies = results.flatMap(({ money }) => money?.[name] ?? []);
  const kept = tallies.reduce((sum, one) => sum + one.kept, 0);
  const broken = tallies.reduce((sum, one) => sum + one.broken, 0);
  if (broken > 0) {
    const cases = results.filter(({ money }) => (money?.[name]?.broken ?? 0) > 0).map(({ id }) => id);
    return { verdict: 'failed', reason: `broken in ${runs(broken)}: ${cases.join(', ')}` };
  }
  if (kept === 0) return { verdict: 'not shown', reason: `no run had what it needs: ${RULES[name]!.needs}` };
  return { verdict: 'passed', reason: `kept in ${runs(kept)}` };
}

const runs = (count: number) => (count === 1 ? 'one run' : `${count} runs`);
