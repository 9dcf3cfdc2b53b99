import { formatMinor } from '../../protocol/money.ts';
import { entriesOf, isKeyOf, keysOf } from '../../protocol/tables.ts';
import type { HuntedPayment, HuntFacts, Verdict } from './hunt-facts.ts';
import {
  feesEqualBooks,
  paidOutOnce,
  payoutsEqualBooks,
  transferredOnce,
  transfersEqualBooks,
} from './marketplace-verdicts.ts';

/** Returns an amount of the currency of a payment, for people. */
const money = ({ currency }: Pick<HuntedPayment, 'currency'>, amount: number) =>
  formatMinor(amount, currency);

const isCaptured = ({ status }: HuntedPayment) => status === 'Captured';
const isKept = (payment: HuntedPayment) => isCaptured(payment) && payment.refundedAmount < payment.captured;
const sum = (payments: readonly HuntedPayment[], of: 'captured' | 'refundedAmount' | 'chargedBack') =>
  payments.reduce((total, payment) => total + payment[of], 0);

const chargedOnce: Verdict = ({ payments, shop }) => {
  // A subscription charges each billing period.
  const kept = payments.filter((payment) => isKept(payment) && !payment.isOfSubscription);
  for (const { orderId } of kept) {
    const charges = kept.filter((payment) => payment.orderId === orderId);
    const { payments: parts = 1 } = shop?.orders.find((order) => order.orderId === orderId) ?? {};
    if (orderId !== undefined && charges.length > parts)
      return `the order ${orderId} was charged ${charges.length} times: ${charges.map(({ id }) => id).join(', ')}`;
  }
  return undefined;
};

const booksEqualLedger: Verdict = ({ payments, shop }) => {
  for (const { orderId, paid, amount, refunded = 0, payments: parts = 1 } of shop?.orders ?? []) {
    const all = payments.filter((payment) => payment.orderId === orderId && isCaptured(payment));
    const [first] = all;
    if (paid && !first) return `the shop says that the order ${orderId} is paid, and no money was taken`;
    if (!first) continue;
    const charges = parts === 1 ? [first] : all;
    const [taken, back] = [sum(charges, 'captured'), sum(charges, 'refundedAmount')];
    if (!paid && back < taken)
      return `${money(first, taken)} were taken for the order ${orderId}, and the shop says that it is not paid`;
    // How many billing periods the books of a subscription count is the shop's affair.
    if (!paid || first.isOfSubscription) continue;
    if (taken !== amount)
      return `the shop has ${money(first, amount)} for the order ${orderId}, and ${money(first, taken)} were taken`;
    if (back !== refunded)
      return `the shop has refunded ${money(first, refunded)} of the order ${orderId}, and ${money(first, back)} went back`;
  }
  return undefined;
};

const chargebacksEqualBooks: Verdict = ({ payments, shop }) => {
  for (const { orderId, chargedBack } of shop?.orders ?? []) {
    const all = payments.filter((payment) => payment.orderId === orderId);
    const taken = sum(all, 'chargedBack');
    if (chargedBack !== undefined && all[0] && taken !== chargedBack)
      return `the shop says that ${money(all[0], chargedBack)} of the order ${orderId} were charged back, and ${money(all[0], taken)} were`;
  }
  return undefined;
};

const everyOrderIsKnown: Verdict = ({ payments, shop }) => {
  const known = new Set(shop?.orders.map(({ orderId }) => orderId));
  const lost = payments.find(
    (payment) => isKept(payment) && payment.orderId !== undefined && !known.has(payment.orderId),
  );
  return (
    shop &&
    lost &&
    `${money(lost, lost.captured)} were taken for the order ${lost.orderId}, which the shop does not know`
  );
};

const cancelledByShop: Verdict = ({ payments, shop }) => {
  const kept = new Set(
    shop?.orders.filter(({ cancelled }) => cancelled === false).map(({ orderId }) => orderId),
  );
  const lost = payments.find(
    ({ orderId, cancelled }) => cancelled && orderId !== undefined && kept.has(orderId),
  );
  return (
    lost &&
    `the payment ${lost.id} of the order ${lost.orderId} was cancelled, and the shop did not cancel it`
  );
};

const nothingInProgress: Verdict = ({ payments, busyTerminals, shop }) => {
  const heldByShop = new Set(shop?.orders.flatMap(({ orderId, held }) => (held ? [orderId] : [])));
  const held = payments.find(
    ({ status, orderId }) =>
      status === 'Processing' ||
      (status === 'Approved' && (orderId === undefined || !heldByShop.has(orderId))),
  );
  if (held) return `the payment ${held.id} is still ${held.status}: it was neither captured nor voided`;
  return busyTerminals[0] && `the terminal ${busyTerminals[0]} still has an action in progress`;
};

const everyEventAcknowledged: Verdict = ({ events }) => {
  for (const { id, eventType, endpoints } of events) {
    const refused = endpoints.find(({ acknowledged, asked }) => asked && !acknowledged);
    if (refused) return `the event ${id} (${eventType}) was never acknowledged by ${refused.webhookId}`;
  }
  return undefined;
};

/** The verdicts of every hunt, by the names by which a hunt leaves them out. */
const VERDICTS = {
  chargedOnce,
  booksEqualLedger,
  chargebacksEqualBooks,
  everyOrderIsKnown,
  cancelledByShop,
  transferredOnce,
  transfersEqualBooks,
  feesEqualBooks,
  paidOutOnce,
  payoutsEqualBooks,
  nothingInProgress,
  everyEventAcknowledged,
} as const satisfies Record<string, Verdict>;

export type VerdictName = keyof typeof VERDICTS;

/** @throws Error for a name that no verdict has, which would leave none out */
export function assertVerdictNames(names: readonly string[]): void {
  const unknown = names.find((name) => !isKeyOf(VERDICTS, name));
  if (unknown !== undefined)
    throw new Error(`no verdict is named '${unknown}': they are ${keysOf(VERDICTS).join(', ')}`);
}

/** Returns how to judge by one verdict alone: that of this name, or those besides those of every hunt. */
export function onlyVerdict(
  name: Wrong['name'],
  verdicts: readonly Verdict[],
): { verdicts: readonly Verdict[]; withoutVerdicts: readonly VerdictName[] } {
  if (name === 'ownVerdict') return { verdicts, withoutVerdicts: keysOf(VERDICTS) };
  return { verdicts: [], withoutVerdicts: keysOf(VERDICTS).filter((each) => each !== name) };
}

/** What is wrong, by which verdict: `ownVerdict` stands for those besides those of every hunt. */
export interface Wrong {
  name: VerdictName | 'ownVerdict';
  sentence: string;
}

/**
 * Returns what the first verdict says that finds something wrong; undefined when none does.
 * @param verdicts besides those of every hunt
 * @param without names of those that are left out
 */
export async function firstWrong(
  facts: HuntFacts,
  verdicts: readonly Verdict[] = [],
  without: readonly VerdictName[] = [],
): Promise<Wrong | undefined> {
  const named = entriesOf(VERDICTS).filter(([name]) => !without.includes(name));
  const own = verdicts.map((verdict) => ['ownVerdict', verdict] as const);
  for (const [name, verdict] of [...named, ...own]) {
    const sentence = await verdict(facts);
    if (sentence !== undefined) return { name, sentence };
  }
  return undefined;
}
