import { expect, test } from 'vitest';
import { hunt } from '../../testing/hunt/hunt.ts';
import { describeOrderMoney, orderMoney } from '../../testing/hunt/story/order-money.ts';
import { shortStory } from '../../testing/hunt/story/short-story.ts';
import { describeStory } from '../../testing/hunt/story/story-text.ts';
import type { RecordedStep } from '../../testing/hunt/story/story-step.ts';
import { chargedAgain } from './tills/charged-again.ts';
import { chargedThoughCancelled } from './tills/charged-though-cancelled.ts';
import { resultLost } from './tills/result-lost.ts';

const step = (kind: string, more: Partial<RecordedStep> = {}): RecordedStep => ({
  atMs: 0,
  who: 'shop',
  text: `${kind}: 200`,
  kind,
  isRead: kind.startsWith('GET'),
  ...more,
});
const texts = (steps: readonly RecordedStep[], calm: readonly RecordedStep[] = steps) =>
  shortStory(steps, calm).map(({ who, text }) => `${who} ${text}`);

/** Returns what is true the first time: in the run without faults. */
function onlyFirst(): () => boolean {
  let calls = 0;
  return () => (calls += 1) === 1;
}

test('a story joins the looks of a shop that waits, and says what the shop sends there without faults', () => {
  const pay = step('POST /payment');
  const look = step('GET /payment');
  const lost = step('POST /payment', { text: 'POST /payment: no reply' });
  expect(texts([lost, pay, look], [pay, look, look, look])).toEqual([
    'shop POST /payment: no reply',
    'shop POST /payment: 200',
    'shop GET /payment: 200',
  ]);
  expect(texts([pay, step('POST /cancel'), look], [pay, look, look, look])).toEqual([
    'shop POST /payment: 200',
    'calm without faults: GET /payment',
    'shop POST /cancel: 200',
    'shop GET /payment: 200',
  ]);
  expect(texts([pay, look, look, look])).toEqual([
    'shop POST /payment: 200',
    'shop GET /payment: 200 (3 times)',
  ]);
});

test('a story says what a shop no longer does under the faults', () => {
  const [pay, capture] = [step('POST /payment'), step('POST /captures')];
  expect(texts([pay], [pay, capture])).toEqual([
    'shop POST /payment: 200',
    'calm without faults: POST /captures',
  ]);
  expect(texts([pay, capture], [pay])).toEqual([
    'shop POST /payment: 200',
    'calm without faults the shop sends nothing more',
    'shop POST /captures: 200',
  ]);
});

test('a story has ten steps at most: reads are left out first, and faults last', () => {
  const looks = Array.from({ length: 9 }, (_, index) => step(`GET /payment/${index}`));
  const events = Array.from({ length: 9 }, (_, index) =>
    step(`Event ${index}`, { who: 'webhook', isRead: false }),
  );
  const fault = step('reset', { who: 'fault', text: 'the connection is closed' });
  const told = texts([...looks, fault, ...events]);
  expect(told).toHaveLength(10);
  expect(told[0]).toBe('fault the connection is closed');
});

test.each([
  ['charges again', 's3', chargedAgain, /no reply +at test\/hunt\/tills\/charged-again\.ts:\d+/],
  ['loses a result', 's6', resultLost, /no reply +at test\/hunt\/tills\/result-lost\.ts:\d+/],
  [
    'believes its cancel',
    's4',
    chargedThoughCancelled,
    /cancel-action\).* at test\/hunt\/tills\/charged-though-cancelled\.ts:\d+/,
  ],
])('hunt: the story of a till that %s names the line of its code', async (_, seed, till, line) => {
  const { found } = await hunt({ ...till(false), seed });
  const told = describeStory(found!);
  expect(told.join('\n')).toMatch(line);
  expect(found!.story.some(({ who }) => who === 'fault')).toBe(true);
  expect(found!.story.length).toBeLessThanOrEqual(10);
  expect(told.at(-1)).toMatch(/^order-1: \d+\.\d\d GBP taken/);
  expect(found!.confirmed).toEqual({ runs: 2, wrong: 2 });
});

test('hunt: a plan that goes wrong only once is found, and said not to be confirmed', async () => {
  let judged = 0;
  const till = chargedAgain(true);
  const { found } = await hunt({
    ...till,
    // Of the first plan with a fault, and of no run after it.
    verdicts: [() => (++judged === 2 ? 'the till is closed' : undefined)],
    plans: 1,
  });
  expect(found).toMatchObject({ verdict: 'the till is closed', confirmed: { runs: 4, wrong: 1 } });
});

test('describeOrderMoney: says that an order is not in the books only where there are books', () => {
  const payment = { id: 'ps_1', accountId: 'ac_1', orderId: 'order-1', status: 'Captured', currency: 'GBP' };
  const paid = {
    ...payment,
    amount: 1742,
    captured: 1742,
    refundedAmount: 0,
    chargedBack: 0,
    platformFee: 0,
  };
  const payments = [{ ...paid, cancelled: false, isOfSubscription: false }];
  const textOf = (shop: Parameters<typeof orderMoney>[0]['shop']) =>
    orderMoney({ payments, shop }).map(describeOrderMoney);
  expect(textOf(undefined)).toEqual(['order-1: 17.42 GBP taken']);
  expect(textOf({ orders: [] })).toEqual(['order-1: 17.42 GBP taken; not in the books']);
});

test('hunt: tells the story of a shop that asks for an address that is none', async () => {
  const { found } = await hunt({
    scenario: ({ fetch }) => fetch('payments').catch(() => {}),
    verdicts: [() => 'the till is closed'],
  });
  expect(found!.story).toMatchObject([
    { who: 'shop', text: 'GET payments: no reply' },
    { who: 'shop', text: 'the scenario returns' },
  ]);
});

test.each([
  ['throws', () => Promise.reject(new Error('no such order')), 'the scenario throws: no such order'],
  ['waits for what never comes', () => new Promise(() => {}), 'the scenario has not ended'],
])('hunt: the story of a scenario that %s under a fault says so', async (_how, go, ending) => {
  const isCalm = onlyFirst();
  const { found } = await hunt({
    async scenario({ world, fetch }) {
      const headers = { authorization: world.secretKey };
      await fetch(`${world.url}/v1/customers`, { headers }).catch(go);
    },
    plan: [{ at: 'api.request', what: 'reset', when: { nth: 1 } }],
    verdicts: [() => (isCalm() ? undefined : 'the till is closed')],
  });
  expect(found!.story.at(-1)).toEqual({ atMs: expect.any(Number), who: 'shop', text: ending });
});

test('hunt: a story says how long a fault delays', async () => {
  const isCalm = onlyFirst();
  const { found } = await hunt({
    scenario: ({ world, fetch }) =>
      fetch(`${world.url}/v1/customers`, { headers: { authorization: world.secretKey } }),
    plan: [{ at: 'api.reply', what: 'delay', delayMs: 120_000, when: { nth: 1 } }],
    verdicts: [() => (isCalm() ? undefined : 'the till is closed')],
  });
  expect(found!.story.map(({ text }) => text)).toContainEqual(expect.stringContaining('after 2 min'));
});
