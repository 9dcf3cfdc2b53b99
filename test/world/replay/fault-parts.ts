import { CUT_POINTS, type CutPointName } from '../../../server/platform/faults/cut-points.ts';
import { challengedDispute, customerWithCard, earn, EARNED_MINUTES } from '../../journeys/one-of-each.ts';
import { CARDS, openCheckout } from '../../kit/checkout.ts';
import { openTill } from '../../../testing/world/till.ts';
import type { Part, Shop } from './session-parts.ts';

/** What a session does at the place of a fault. */
interface Struck {
  /** Which occurrences may be struck; the seed of the session chooses one of them. */
  when: object[];
  play: Part;
}

/** Pays with a card at the terminal, where a fault may hold up anything. */
async function payAnyway({ world, till, number }: Shop): Promise<void> {
  const asked = till.pay(number(100, 800));
  await world.advance({ seconds: 2 });
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.advance({ minutes: 30 });
  await asked;
  // Where the terminal never asked for it, the card is still there.
  till.terminal.perform({ act: 'remove-card' });
}

/** Pays at the terminal with a cardholder who presents a card and types its PIN. */
const payByScript: Part = async ({ world, till, number }) => {
  till.terminal.perform({ act: 'cardholder', script: 'contact-pin', delayMs: 1_000 });
  await till.pay(number(100, 800));
  await world.advance({ minutes: 5 });
  till.terminal.perform({ act: 'remove-card' });
  till.terminal.perform({ act: 'cardholder', script: 'none' });
};

/** Pays at a stand-alone payment terminal, whose messages a fault may strike. */
const payAtTwin: Part = async ({ world, number }) => {
  const { terminalId } = await world.addTerminal({ twin: 'nexo' });
  const { pay, terminal } = openTill(world, world.fleet.terminal(terminalId)!);
  await pay(number(100, 800));
  await world.advance({ seconds: 2 });
  terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.advance({ minutes: 15 });
};

const createCustomer: Part = async ({ world, unique }) => {
  const created = world.api
    .post('/v1/customers', { email: `${unique()}@example.com` })
    .catch(() => undefined);
  await world.advance({ seconds: 30 });
  await created;
};

const CREATE = { operation: 'POST /v1/customers' };

const STRUCK: Record<CutPointName, Struck> = {
  'api.request': { when: [CREATE], play: createCustomer },
  'api.reply': { when: [CREATE], play: createCustomer },
  'message.command': {
    when: ['action.start', 'action.decision', 'action.ended'].map((message) => ({ message })),
    play: payAnyway,
  },
  'message.report': {
    when: ['action.accepted', 'action.authorise', 'action.completed'].map((message) => ({ message })),
    play: payAnyway,
  },
  'terminal.state': {
    when: ['reading', 'authorising', 'printing'].map((state) => ({ state })),
    play: payAnyway,
  },
  'terminal.effect': {
    when: ['startReader', 'requestAuthorisation', 'printCustomerCopy'].map((effect) => ({ effect })),
    play: payAnyway,
  },
  'device.message': { when: [{}, { nth: 4 }], play: payAtTwin },
  'device.charged': { when: [{}], play: payAtTwin },
  'server.commit': { when: [{}, { nth: 3 }], play: payAnyway },
  'webhook.attempt': {
    when: [{ eventType: 'PaymentSession.captured' }, { times: 2, percent: 50 }],
    async play({ world }) {
      await openCheckout(world.api).captured();
      await world.advance({ minutes: 60 });
    },
  },
  'bank.authorisation': { when: [{}, { times: 2, percent: 50 }], play: sellAndRefund },
  'bank.renewal': {
    when: [{}],
    async play({ world }) {
      await customerWithCard(world.api);
      await world.advance({ minutes: 32 * 24 * 60 });
    },
  },
  'bank.settlement': {
    when: ['captures', 'refunds'].map((name) => ({
      operation: `POST /v1/payment-sessions/{paymentSessionId}/${name}`,
    })),
    play: sellAndRefund,
  },
  'bank.payout': {
    when: [{}],
    async play({ world }) {
      const { payoutMethodId } = await earn(world, world.subAccountId);
      await world.advance({ minutes: EARNED_MINUTES });
      const payout = { amount: 500, currency: 'GBP', payoutMethodId };
      await world.api.post(`/v1/accounts/${world.subAccountId}/payouts`, payout);
      await world.advance({ minutes: 1 });
    },
  },
  'bank.dispute': {
    when: [{}],
    async play({ world }) {
      await challengedDispute(world.api);
      await world.advance({ minutes: 31 * 24 * 60 });
    },
  },
  'cardholder.card': { when: [{}], play: payByScript },
  'cardholder.pin': { when: [{}, { times: 3 }], play: payByScript },
  'cardholder.challenge': {
    when: [{}],
    async play({ world }) {
      const { session, pay } = openCheckout(world.api);
      const { id } = await pay(await session(), CARDS.challenge);
      await world.api.post(`/sandbox/payment-sessions/${id}/authentication`, { outcome: 'Authenticated' });
      await world.advance({ seconds: 5 });
    },
  },
};

/** Creates, pays and captures a session, and refunds it, where a bank may say no. */
async function sellAndRefund({ world }: Shop): Promise<void> {
  const { session, attempt, move } = openCheckout(world.api);
  const sold = await session({ captureFlow: 'Manual' });
  await attempt(sold);
  await world.advance({ seconds: 5 });
  for (const what of ['captures', 'refunds'] as const) {
    await move(sold, what, {});
    await world.advance({ seconds: 5 });
  }
}

/** Puts a plan of one fault on the sandbox, runs into it, and deletes what is left of the plan. */
function struckBy(at: CutPointName, what: string): Part {
  const { when, play } = STRUCK[at];
  return async (shop) => {
    const { world, number, unique } = shop;
    const fault = { at, what, when: when[number(0, when.length - 1)], delayMs: number(1, 20) * 500 };
    const { body } = await world.api.post('/sandbox/faults', { seed: unique(), faults: [fault] });
    await play(shop);
    await world.api.delete(`/sandbox/faults/${body.id}`);
  };
}

/** A part for each fault but those that kill the server. */
export const FAULTS: Record<string, Part> = Object.fromEntries(
  Object.entries(CUT_POINTS).flatMap(([at, { faults }]) =>
    Object.keys(faults)
      .filter((what) => !what.startsWith('kill-'))
      .map((what) => [`fault: ${at} ${what}`, struckBy(at as CutPointName, what)]),
  ),
);
