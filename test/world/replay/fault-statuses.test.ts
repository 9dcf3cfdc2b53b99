import { afterAll, expect, onTestFinished, test } from 'vitest';
import { idsInText } from '../../../protocol/ids.ts';
import { CUT_POINTS, takesTime, type CutPointName } from '../../../server/platform/faults/cut-points.ts';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';
import { describeDivergence } from '../../../world/replay/describe-divergence.ts';
import { replayTrace } from '../../../world/replay/replay-trace.ts';
import { EVENT_TYPE_NAMES } from '../../../server/api/webhooks/event-types.ts';
import { challengedDispute, customerWithCard, earn, EARNED_MINUTES } from '../../journeys/one-of-each.ts';
import { CARDS, openCheckout } from '../../kit/checkout.ts';
import { countFrom } from '../../kit/count-from.ts';
import { prepareWorlds } from '../../kit/prepared-worlds.ts';
import { openTill } from '../../../testing/world/till.ts';
import type { World } from '../../../testing/world/world.ts';

const worlds = prepareWorlds(async (world) => {
  await earn(world, world.subAccountId);
  await world.advance({ minutes: EARNED_MINUTES });
  const { terminalId } = await world.addTerminal();
  await world.addTerminal({ twin: 'nexo' });
  await world.listen('shop', [...EVENT_TYPE_NAMES]);
  await world.advance({ minutes: 1 });
  return { terminalId };
});
afterAll(() => worlds.close());

/** Runs into the place of a fault. Returns what waits for the end of it. */
type Begin = (world: World, terminalId: string) => Promise<() => Promise<unknown>>;

const pay: Begin = async (world, terminalId) => {
  const { pay: start, terminal } = openTill(world, world.fleet.terminal(terminalId)!);
  const asked = start(500);
  await world.advance({ seconds: 2 });
  terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.advance({ seconds: 1 });
  return async () => {
    await world.advance({ minutes: 4 });
    await asked;
    // Where the terminal never asked for it, the card is still there.
    terminal.perform({ act: 'remove-card' });
  };
};

/** Pays at the stand-alone payment terminal. */
const payAtTwin: Begin = (world) =>
  pay(world, world.fleet.terminals().find(({ language }) => language)!.terminalId);

let customers = 0;
const createCustomer: Begin = async (world) => {
  const email = `ana${(customers += 1)}@example.com`;
  const created = world.api.post('/v1/customers', { email }).catch(() => undefined);
  await world.settled();
  return async () => {
    await world.advance({ minutes: 4 });
    await created;
  };
};

const capture: Begin = async (world) => {
  await openCheckout(world.api).captured();
  await world.settled();
  return () => world.advance({ minutes: 10 });
};

const attempt: Begin = async (world) => {
  const checkout = openCheckout(world.api);
  await checkout.attempt(await checkout.session());
  return () => world.advance({ minutes: 10 });
};

const refund: Begin = async (world) => {
  const { captured, move } = openCheckout(world.api);
  await move(await captured(), 'refunds', {});
  return () => world.advance({ minutes: 10 });
};

const renew: Begin = async ({ api, advance }) => {
  await customerWithCard(api);
  await advance({ minutes: 32 * 24 * 60 });
  return () => advance({ minutes: 10 });
};

const payOut: Begin = async ({ api, subAccountId, advance }) => {
  const path = `/v1/accounts/${subAccountId}`;
  const { items } = (await api.get(`${path}/payout-methods`)).body;
  await api.post(`${path}/payouts`, { amount: 500, currency: 'GBP', payoutMethodId: items[0].id });
  return () => advance({ minutes: 10 });
};

const decide: Begin = async ({ api, advance }) => {
  const disputeId = await challengedDispute(api);
  await api.post(`/sandbox/disputes/${disputeId}/outcome`, { status: 'Won' });
  return () => advance({ minutes: 10 });
};

const payByScript: Begin = async (world, terminalId) => {
  const { pay: start, terminal } = openTill(world, world.fleet.terminal(terminalId)!);
  terminal.perform({ act: 'cardholder', script: 'contact-pin', delayMs: 500 });
  await start(500);
  await world.advance({ seconds: 1 });
  return async () => {
    await world.advance({ minutes: 4 });
    terminal.perform({ act: 'remove-card' });
  };
};

const challenge: Begin = async ({ api, advance }) => {
  const { session, pay: attemptWith } = openCheckout(api);
  const { id } = await attemptWith(await session(), CARDS.challenge);
  await api.post(`/sandbox/payment-sessions/${id}/authentication`, { outcome: 'Authenticated' });
  return () => advance({ minutes: 10 });
};

const CREATE = { operation: 'POST /v1/customers' };

const PLACES: Record<CutPointName, { when: object; begin: Begin }> = {
  'api.request': { when: CREATE, begin: createCustomer },
  'api.reply': { when: CREATE, begin: createCustomer },
  'message.command': { when: { message: 'action.decision' }, begin: pay },
  'message.report': { when: { message: 'action.authorise' }, begin: pay },
  'terminal.state': { when: { state: 'authorising' }, begin: pay },
  'terminal.effect': { when: { effect: 'requestAuthorisation' }, begin: pay },
  'device.message': { when: {}, begin: payAtTwin },
  'device.charged': { when: {}, begin: payAtTwin },
  'server.commit': { when: {}, begin: pay },
  'webhook.attempt': { when: { eventType: 'PaymentSession.captured' }, begin: capture },
  'bank.authorisation': { when: {}, begin: attempt },
  'bank.renewal': { when: {}, begin: renew },
  'bank.settlement': {
    when: { operation: 'POST /v1/payment-sessions/{paymentSessionId}/refunds' },
    begin: refund,
  },
  'bank.payout': { when: {}, begin: payOut },
  'bank.dispute': { when: {}, begin: decide },
  'cardholder.card': { when: {}, begin: payByScript },
  'cardholder.pin': { when: {}, begin: payByScript },
  'cardholder.challenge': { when: {}, begin: challenge },
};

interface Status {
  when?: object;
  /** Whether the fault lasts when the copy is made; else it is over. */
  lasts?: true;
  isDeleted?: true;
}

const STATUSES: Record<string, Status> = {
  'waits for a later occurrence': { when: { nth: 2 } },
  'has struck once of three times': { when: { times: 3 } },
  'strikes by chance': { when: { times: 3, percent: 50 } },
  'has ended': {},
  'has ended and lasts': { lasts: true },
  'is deleted': { isDeleted: true },
  'is deleted and lasts': { lasts: true, isDeleted: true },
};

const FAULTS = Object.entries(CUT_POINTS).flatMap(([at, { faults }]) =>
  Object.keys(faults)
    .filter((what) => !what.startsWith('kill-'))
    .map((what) => [at as CutPointName, what] as const),
);

/** How many statuses each fault is tried in, in turn from one fault to the next: `npm run prove:replays` tries all. */
const STATUSES_OF_EACH = countFrom('FAULT_STATUSES', 2);

const CASES = FAULTS.flatMap(([at, what], index) => {
  const statuses = Object.keys(STATUSES).filter((status) => !STATUSES[status]!.lasts || takesTime(at, what));
  const first = (index * STATUSES_OF_EACH) % statuses.length;
  return [...statuses.slice(first), ...statuses.slice(0, first)]
    .slice(0, STATUSES_OF_EACH)
    .map((status) => [at, what, status] as const);
});

test('replay: each fault is tried, and each status', () => {
  const tried = new Set(CASES.flat());
  const named = [...FAULTS.flat(), ...Object.keys(STATUSES)];
  expect(named.filter((name) => !tried.has(name))).toEqual([]);
});

/** What a fault holds up when the recording begins, so that a copy of the sandbox does not go on as it does. */
const HELD_BACK: Record<string, string> = {
  'api.request delay': 'a request',
  'message.command lost': 'a message',
  'message.command delay': 'a message',
  'message.command out-of-order': 'a message',
  'message.command broker-away': 'the broker',
  'message.report lost': 'a message',
  'message.report delay': 'a message',
  'message.report out-of-order': 'a message',
  'device.message delay': 'a message',
  'device.charged delay': 'a message',
  'message.report broker-away': 'the broker',
  'terminal.state power-cut': 'the power of a terminal',
  'terminal.effect power-cut-before': 'the power of a terminal',
  'terminal.effect power-cut-after': 'the power of a terminal',
  'server.commit delay': 'a transaction of the store',
  'webhook.attempt beside': 'an event',
};

async function recorded(world: World, session: () => Promise<unknown>): Promise<Trace> {
  const recording = await world.server.services.recordings!.startUnlisted('later');
  await session();
  return recording.stop();
}

async function resultOf(trace: Trace) {
  const result = await replayTrace(trace);
  if (result.outcome === 'notReplayable') return result.reasons;
  return result.outcome === 'diverged' ? describeDivergence(trace, result.divergence) : 'identical';
}

function inRealTime(trace: Trace): Trace {
  const header = { ...trace.header };
  delete header.virtualTime;
  return { ...trace, header };
}

const titlesOf = ({ items }: Trace) =>
  items
    .flatMap((item) => (item.kind === 'output' ? [`${item.entry.kind} ${item.entry.title}`] : []))
    .map((title) => title.replaceAll(idsInText(), 'id').replaceAll(/\b[0-9A-F]{6}\b/g, 'code'))
    .toSorted();

/** Runs into a fault as its status says. Returns what waits for the end of that. */
async function runInto(world: World, terminalId: string, [at, what, status]: (typeof CASES)[number]) {
  const { when, begin } = PLACES[at];
  const { when: occurrences, lasts, isDeleted } = STATUSES[status]!;
  await world.advance({ seconds: 1 });
  const fault = { at, what, when: { ...when, ...occurrences }, delayMs: lasts ? 60_000 : 2_000 };
  const { body } = await world.api.post('/sandbox/faults', { seed: '7', faults: [fault] });
  const end = await begin(world, terminalId);
  if (!lasts) await end();
  // A transaction that waits begins when its plan is deleted.
  if (isDeleted) await world.api.delete(`/sandbox/faults/${body.id}`);
  return lasts ? end : () => world.advance({ minutes: 1 });
}

test.each(CASES)(
  'replay: with %s %s, a plan that %s, it is identical, and a fork goes on the same',
  async (...fault) => {
    const [at, what, status] = fault;
    const { lasts, isDeleted } = STATUSES[status]!;
    const { world, prepared } = await worlds.start();
    onTestFinished(() => world.close());
    const end = await runInto(world, prepared.terminalId, fault);
    const fork = await world.fork();
    onTestFinished(() => fork.close());
    const again = async (one: World) => (await PLACES[at].begin(one, prepared.terminalId))();
    let later: Trace | undefined;
    const trace = await recorded(world, async () => {
      await end();
      later = await recorded(world, () => again(world));
    });
    await fork.advance({ minutes: 5 });
    fork.fleet.terminal(prepared.terminalId)!.perform({ act: 'remove-card' });
    expect(titlesOf(await recorded(fork, () => again(fork)))).toEqual(titlesOf(later!));

    const isHeldBack = lasts && !(isDeleted && at === 'server.commit');
    const heldBack = isHeldBack ? HELD_BACK[`${at} ${what}`] : undefined;
    const result =
      heldBack === undefined ? 'identical' : [`a fault held back ${heldBack} when the recording began`];
    expect(await resultOf(trace)).toEqual(result);
    expect(await resultOf(inRealTime(trace))).toEqual(result);
  },
);
