import { formatMinor } from '../../../protocol/money.ts';
import type { CaseOutcome, CertificateCase } from '../certificate.ts';
import { APPROVED, type EndpointBench } from './endpoint-bench.ts';
import { isAccepted, replyText, type SeenDelivery } from './seen-delivery.ts';

type EndpointCase = CertificateCase<EndpointBench>;

const passed = (reason: string): CaseOutcome => ({ verdict: 'passed', reason });
const failed = (reason: string): CaseOutcome => ({ verdict: 'failed', reason });

const SECONDS_MAX = 10;
const NO_BOOKS: CaseOutcome = {
  verdict: 'not shown',
  reason: 'what it booked was not read: give --books',
};

/** Says whether the books have an order once, and paid. */
function bookedOnce({ books, amount }: SeenDelivery): CaseOutcome {
  if (!books) return NO_BOOKS;
  const { later } = books;
  if (!later) return failed('acknowledged it, and its books do not have the order');
  const [inBooks, taken] = [later.amount, amount].map((minor) => formatMinor(minor, 'GBP'));
  if (later.amount !== amount) return failed(`its books have ${inBooks} for an order of ${taken}`);
  if (!later.paid) return failed('its books say that the order is not paid');
  return passed(`its books have ${inBooks} for the order, once`);
}

function acceptedAtFirst({ attempts: [first] }: SeenDelivery): CaseOutcome {
  return isAccepted(first!) ? passed(replyText(first!)) : failed(replyText(first!));
}

function acceptedAndBooked(seen: SeenDelivery): CaseOutcome {
  const accepted = acceptedAtFirst(seen);
  return accepted.verdict === 'passed' ? bookedOnce(seen) : accepted;
}

/** Refused at the first attempt, and accepted at a later one. */
function refusedAtFirst({ attempts: [first], isDelivered }: SeenDelivery): CaseOutcome {
  if (isAccepted(first!)) return failed(`${replyText(first!)}: it accepted what anybody could have sent`);
  if (!isDelivered) return failed(`${replyText(first!)}, and did not take the event that came afterwards`);
  return passed(`${replyText(first!)}, and took the event that came afterwards`);
}

/** A case that sends one event with a fault. */
function withFault(
  id: string,
  rule: string,
  sale: Parameters<EndpointBench['sell']>[0],
  judge: (seen: SeenDelivery) => CaseOutcome,
): EndpointCase {
  return {
    id: `endpoint.${id}`,
    rule,
    needs: ['endpoint.first-attempt'],
    run: async (bench) => judge(await bench.sell(sale)),
  };
}

const REFUSALS: EndpointCase[] = [
  withFault(
    'unsigned',
    'An event without a signature is refused.',
    { fault: { what: 'unsigned' } },
    refusedAtFirst,
  ),
  withFault(
    'wrong-secret',
    'An event that is signed with another secret is refused.',
    { fault: { what: 'wrong-secret' } },
    refusedAtFirst,
  ),
  withFault(
    'altered-body',
    'An event that was altered after it was signed is refused.',
    { fault: { what: 'altered-body' } },
    refusedAtFirst,
  ),
  withFault(
    'cut-body',
    'An event of which the end is missing is refused.',
    { fault: { what: 'cut-body' } },
    refusedAtFirst,
  ),
];

const BODIES: EndpointCase[] = [
  withFault(
    'raw-body',
    'The signature is compared with the bytes that arrived, not with JSON that was written again.',
    { fault: { what: 'spaced-body' } },
    acceptedAtFirst,
  ),
  withFault(
    'large-body',
    'An event of 200 kB is accepted.',
    { fault: { what: 'large-body' } },
    acceptedAtFirst,
  ),
  withFault(
    'slow-body',
    'An event whose body takes two seconds to arrive is accepted.',
    { fault: { what: 'slow-body', delayMs: 2_000 } },
    acceptedAtFirst,
  ),
  withFault(
    'unknown-type',
    'An event of a type that the endpoint does not know is accepted.',
    { fault: { what: 'unknown-type' }, attempts: 2 },
    acceptedAtFirst,
  ),
];

const AGAIN: EndpointCase[] = [
  withFault(
    'twice',
    'An event that comes twice is booked once.',
    { fault: { what: 'twice' }, attempts: 2 },
    acceptedTwice,
  ),
  withFault(
    'twice-at-once',
    'An event that comes twice at the same moment is booked once.',
    { fault: { what: 'twice-at-once' }, attempts: 2 },
    acceptedTwice,
  ),
  withFault(
    'beside',
    'Two events of one payment at the same moment book it once.',
    { fault: { what: 'beside' }, struck: APPROVED },
    acceptedAndBooked,
  ),
  withFault(
    'out-of-order',
    'An event that comes after a later one does not take its payment back.',
    { fault: { what: 'out-of-order' }, struck: APPROVED },
    acceptedAndBooked,
  ),
  withFault(
    'late',
    'An event that arrives at its fourth attempt, some minutes late, is accepted and booked.',
    { fault: { what: 'dropped', when: { untilAttempt: 4, times: 3 } }, attempts: 4 },
    (seen) => {
      const last = seen.attempts.at(-1)!;
      return isAccepted(last) ? bookedOnce(seen) : failed(replyText(last));
    },
  ),
].map((one) => ({ ...one, needs: ['endpoint.books'] }));

function acceptedTwice(seen: SeenDelivery): CaseOutcome {
  const refused = seen.attempts.find((attempt) => !isAccepted(attempt));
  return refused ? failed(`${replyText(refused)} to one of two deliveries of an event`) : bookedOnce(seen);
}

/** The cases of `tapbench certify endpoint`, in their order. */
export const ENDPOINT_CASES: readonly EndpointCase[] = [
  {
    id: 'endpoint.in-time',
    rule: `The endpoint replies within ${SECONDS_MAX} seconds.`,
    needs: [],
    async run(bench) {
      const { attempts } = await bench.sell({ onlyFirst: true });
      const { reply, problem, elapsedMs } = attempts[0]!;
      if (reply) return passed(replyText(attempts[0]!));
      const isSlow = elapsedMs >= SECONDS_MAX * 1_000;
      return isSlow
        ? failed(replyText(attempts[0]!))
        : { verdict: 'not shown', reason: `it cannot be reached: ${problem}` };
    },
  },
  {
    id: 'endpoint.acknowledges',
    rule: 'The endpoint replies 2xx to an event that is signed by its secret.',
    needs: ['endpoint.in-time'],
    async run(bench) {
      const { attempts } = await bench.sell();
      const accepted = attempts.find(isAccepted);
      return accepted ? passed(replyText(accepted)) : failed(replyText(attempts[0]!));
    },
  },
  {
    id: 'endpoint.first-attempt',
    rule: 'The endpoint replies 2xx to the first attempt.',
    needs: ['endpoint.acknowledges'],
    async run(bench) {
      const { attempts } = await bench.sell();
      const [first] = attempts;
      if (isAccepted(first!)) return passed(replyText(first!));
      const number = attempts.findIndex(isAccepted) + 1;
      return failed(
        `${replyText(first!)} to the first attempt${number > 0 ? `, and 2xx to attempt ${number}` : ''}`,
      );
    },
  },
  {
    id: 'endpoint.books',
    rule: 'A payment that was captured is in the books of the shop.',
    needs: ['endpoint.first-attempt'],
    run: async (bench) => bookedOnce(await bench.sell()),
  },
  {
    id: 'endpoint.stores-first',
    rule: 'A payment is in the books before its event is acknowledged.',
    needs: ['endpoint.books'],
    async run(bench) {
      const seen = await bench.sell();
      const once = bookedOnce(seen);
      if (once.verdict !== 'passed') return once;
      return seen.books?.atReply?.paid
        ? passed('the order was in the books when the event was acknowledged')
        : failed(
            'it acknowledged the event first, and wrote the order to its books afterwards: a stop in between loses it',
          );
    },
  },
  ...REFUSALS,
  ...BODIES,
  ...AGAIN,
];
