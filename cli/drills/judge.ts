import { formatMinor } from '../../protocol/money.ts';
import { readFacts, type ReadAs } from '../../world/verdicts/read-facts.ts';
import type { HuntFacts, ShopOrder } from '../../world/verdicts/hunt-facts.ts';
import { firstWrong } from '../../world/verdicts/verdicts.ts';
import { CURRENCY } from './drill.ts';
import type { Json, Backstage } from './stage.ts';

/** What a sandbox had before its drill, which is not judged. */
export type Known = ReadonlySet<string>;

/** What the money and the books say at the end of a drill. */
export interface Judgement {
  payments: HuntFacts['payments'];
  /** Minor units, of all payments of the drill. */
  taken: number;
  refunded: number;
  /** In dispute, and not won. */
  disputed: number;
  /** What is wrong; null when nothing is. */
  verdict: string | null;
}

const NO_BOOKS = undefined;

/** Returns the ids of the payments and events that a sandbox has. */
export async function knownIn(backstage: Backstage): Promise<Known> {
  const { payments, transfers, payouts, events, busyTerminals } = await factsOf(backstage, NO_BOOKS);
  return new Set(
    [...payments, ...transfers, ...payouts, ...events].map(({ id }) => id).concat(busyTerminals),
  );
}

/**
 * Compares the books with the money. Also says whether everything that was under way has ended.
 * @param orders what the books say; undefined when nobody says
 */
export async function judge(
  backstage: Backstage,
  known: Known,
  orders: readonly ShopOrder[] | undefined,
): Promise<Judgement & { isSettled: boolean }> {
  const all = await factsOf(backstage, orders);
  const isNew = ({ id }: { id: string }) => !known.has(id);
  const facts: HuntFacts = {
    ...all,
    payments: all.payments.filter(isNew),
    transfers: all.transfers.filter(isNew),
    payouts: all.payouts.filter(isNew),
    events: all.events.filter(isNew),
    busyTerminals: all.busyTerminals.filter((id) => !known.has(id)),
  };
  const disputed = await lostDisputes(backstage, known);
  const wrong = await firstWrong(facts);
  const captured = facts.payments.filter(({ status }) => status === 'Captured');
  return {
    payments: facts.payments,
    taken: captured.reduce((sum, payment) => sum + payment.captured, 0),
    refunded: captured.reduce((sum, { refundedAmount }) => sum + refundedAmount, 0),
    disputed,
    isSettled:
      facts.busyTerminals.length === 0 &&
      facts.events.every(({ endpoints }) => endpoints.every(({ acknowledged }) => acknowledged)),
    verdict: wrong?.sentence ?? (disputed > 0 ? disputeVerdict(disputed) : null),
  };
}

function factsOf(backstage: Backstage, orders: readonly ShopOrder[] | undefined): Promise<HuntFacts> {
  const read: ReadAs = (path, subAccountId) => backstage('GET', path, undefined, subAccountId);
  return readFacts(read, 'orderId', orders && (() => ({ orders })));
}

async function lostDisputes(backstage: Backstage, known: Known): Promise<number> {
  const { items } = await backstage('GET', '/v1/disputes?limit=50&startTimestamp=0');
  return items
    .filter(
      ({ status, paymentSession }: Json) =>
        ['Expired', 'Lost'].includes(status) && !known.has(paymentSession.id),
    )
    .reduce((sum: number, { amount }: Json) => sum + amount, 0);
}

const disputeVerdict = (amount: number) =>
  `a dispute was lost because nobody answered it in time: ${formatMinor(amount, CURRENCY)} went back to the cardholder`;
