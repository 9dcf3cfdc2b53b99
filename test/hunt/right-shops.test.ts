import { expect, onTestFinished, test } from 'vitest';
import type { HuntedFault, HuntScene } from '../../testing/hunt/hunt.ts';
import { tryPlan, type HuntSetUp } from '../../testing/hunt/tried-plan.ts';
import { startWorld } from '../../testing/world/world.ts';
import type { Provider } from '../../cli/drills/provider.ts';
import { attemptPayment, createSession, SESSION } from './tills/online-payment.ts';
import { openProvider } from './tills/provider.ts';

const metadata = { orderId: 'order-1' };

/** Sells the order by one payment of an amount, and returns its session. */
async function pay(provider: Provider, amount: number, more: object = {}) {
  const session = await createSession(provider, { ...SESSION, metadata, amount, ...more });
  return attemptPayment(provider, session);
}

/** What is said of a shop that does this without any fault, with these books. */
async function verdictOf(
  scenario: (provider: Provider, scene: HuntScene) => unknown,
  more: Partial<HuntSetUp> = {},
): Promise<string | undefined> {
  const world = await startWorld();
  onTestFinished(() => world.close());
  const setUp = {
    scenario: (scene: HuntScene) => scenario(openProvider(scene), scene),
    shop: undefined,
    verdicts: [],
    withoutVerdicts: [],
    orderMember: 'orderId',
    terminalId: undefined,
    ...more,
  };
  const { verdict, problem } = await tryPlan(world, setUp, undefined);
  if (problem !== undefined) throw problem;
  return verdict;
}

const booksOf = (order: object) => ({
  shop: () => ({ orders: [{ orderId: 'order-1', paid: true, amount: 1742, ...order }] }),
});

async function captureLess(provider: Provider) {
  const { id } = await pay(provider, 1742, { captureFlow: 'Manual' });
  const call = { method: 'POST', path: `/payment-sessions/${id}/captures`, body: { amount: 1000 } } as const;
  await provider.untilDone(call, async () => {
    const session = await provider.read(`/payment-sessions/${id}`);
    return session.status === 'Captured' ? session : undefined;
  });
}

test('verdicts: what a shop takes of a hold is what it captures', async () => {
  expect(await verdictOf(captureLess, booksOf({ amount: 1000 }))).toBeUndefined();
  expect(await verdictOf(captureLess, booksOf({ amount: 1742 }))).toBe(
    'the shop has 17.42 GBP for the order order-1, and 10.00 GBP were taken',
  );
});

test('verdicts: an order may be paid with two cards where the books say so', async () => {
  const split = async (provider: Provider) => {
    await pay(provider, 1000);
    await pay(provider, 742);
  };
  expect(await verdictOf(split, booksOf({ payments: 2 }))).toBeUndefined();
  expect(await verdictOf(split, booksOf({}))).toMatch(/^the order order-1 was charged 2 times/);
  expect(await verdictOf(split, booksOf({ payments: 2, amount: 2000 }))).toBe(
    'the shop has 20.00 GBP for the order order-1, and 17.42 GBP were taken',
  );
});

test('verdicts: an amount may stay held where the books say so', async () => {
  const hold = (provider: Provider) => pay(provider, 1742, { captureFlow: 'Manual' });
  expect(await verdictOf(hold, booksOf({ paid: false, held: true }))).toBeUndefined();
  expect(await verdictOf(hold, booksOf({ paid: false }))).toContain('is still Approved');
});

test('verdicts: a subscription charges its order each billing period', async () => {
  const subscribe = async (provider: Provider, { sleep }: HuntScene) => {
    const { id } = await provider.untilDone(
      { method: 'POST', path: '/customers', body: { email: 'ana@corner.example' } },
      async () => (await provider.read('/customers')).items[0],
    );
    const price = { amount: 500, currency: 'GBP', interval: { unit: 'Days', count: 1 } };
    const made = await provider.untilDone(
      { method: 'POST', path: '/subscriptions', body: { customer: { id }, price, metadata } },
      async () => (await provider.read('/subscriptions')).items[0],
    );
    await attemptPayment(provider, made.paymentSessions.initial);
    await sleep(3 * 24 * 3_600_000);
  };
  const renewals: number[] = [];
  const verdict = await verdictOf(subscribe, {
    ...booksOf({}),
    verdicts: [({ payments }) => void renewals.push(payments.filter(({ captured }) => captured > 0).length)],
  });
  expect(verdict).toBeUndefined();
  expect(renewals[0]).toBeGreaterThan(2);
});

test('verdicts: an endpoint that the last attempt did not reach has refused nothing; one that refused each has', async () => {
  const trial = async (plan: HuntedFault[], status: number) => {
    const world = await startWorld();
    onTestFinished(() => world.close());
    const receiver = await world.listen('shop', ['PaymentSession.captured']);
    receiver.behaviour = status;
    const scenario = (scene: HuntScene) => pay(openProvider(scene), 1742);
    const judged = { verdicts: [], withoutVerdicts: [], orderMember: 'orderId', shop: undefined };
    return tryPlan(world, { ...judged, scenario, terminalId: undefined }, plan);
  };
  const outage: HuntedFault = { at: 'webhook.attempt', what: 'dropped', when: { times: 100 } };
  expect(await trial([outage], 200)).toMatchObject({ verdict: undefined, unstruck: [] });
  const later: HuntedFault = { at: 'webhook.attempt', what: 'dropped', when: { nth: 3, forMs: 7_200_000 } };
  expect(await trial([later], 500)).toMatchObject({ verdict: undefined, unstruck: [] });
  const healed: HuntedFault = { at: 'webhook.attempt', what: 'dropped', when: { forMs: 600_000 } };
  for (const plan of [[], [healed]])
    expect((await trial(plan, 500)).verdict).toContain('was never acknowledged');
});

test('verdicts: one of them can be left out, and verdicts and books may be asynchronous', async () => {
  const twice = async (provider: Provider) => {
    await pay(provider, 1742);
    await pay(provider, 1742);
  };
  expect(await verdictOf(twice)).toContain('was charged 2 times');
  expect(await verdictOf(twice, { withoutVerdicts: ['chargedOnce'] })).toBeUndefined();
  const sold = (provider: Provider) => pay(provider, 1742);
  const orders = Promise.resolve({ orders: [{ orderId: 'order-1', paid: false, amount: 1742 }] });
  expect(await verdictOf(sold, { shop: () => orders })).toContain('the shop says that it is not paid');
  expect(await verdictOf(sold, { verdicts: [() => Promise.resolve('the till is closed')] })).toBe(
    'the till is closed',
  );
});
