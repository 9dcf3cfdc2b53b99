import { BANK_ACCOUNT } from '../../../cli/trigger/account-paths.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transitionsTaken } from '../../../server/dashboard/chart/marks.ts';
import type { LaidOutMachine } from '../../../server/dashboard/machine-charts.ts';
import type { TimelineEntry } from '../../../server/dashboard/view.ts';
import { CARDS, openCheckout, type Checkout } from '../../kit/checkout.ts';
import { openTill, type Till } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';
import { openPage } from './open-page.ts';

let world: World;
let shop: Checkout;
let till: Till;
beforeEach(async () => {
  world = await startWorld();
  shop = openCheckout(world.api);
  till = openTill(world, await world.addTerminal());
});
afterEach(() => world.close());

type Step = NonNullable<TimelineEntry['step']>;

/** The steps of an object, each by its machine's chart, and the machine that its page is shown. */
async function lifeOf(id: string): Promise<{ machine: string | undefined; steps: string[] }> {
  const page = await openPage(world, { kind: id.startsWith('tmlact_') ? 'action' : 'object', id });
  const { machine, entries } = page.last('timeline')!;
  const { body } = await world.api.get('/dashboard/machines');
  const charts = new Map<string, LaidOutMachine>(
    body.machines.map((laidOut: LaidOutMachine) => [laidOut.shape.machineId, laidOut]),
  );
  const steps = entries.flatMap(({ step }) => (step ? [step] : []));
  for (const step of steps) expectOnChart(charts, step);
  const own = steps.filter(({ machineId }) => machineId === machine?.machineId);
  return { machine: machine?.machineId, steps: own.map(({ event, state }) => `${event} → ${state}`) };
}

/** A step that no chart knows would leave its states dark. */
function expectOnChart(charts: Map<string, LaidOutMachine>, step: Step): void {
  const { states, transitions } = charts.get(step.machineId)!.layout;
  expect(states.map(({ path }) => path)).toContain(step.state);
  if (step.from === null) return;
  expect([step, transitionsTaken(transitions, step).length > 0]).toEqual([step, true]);
}

test("machine steps: an action shows the machine of its terminal beside the server's", async () => {
  const { body } = await till.pay(1742, { receipts: 'PointOfSale' });
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await till.reaches('awaitingMerchantReceipt');
  await till.confirm({ merchantCopy: { status: 'Succeeded' } });
  await till.confirm({ customerCopy: { status: 'Failed' } });
  await world.settled();
  expect(await lifeOf(body.action.id)).toEqual({
    machine: 'action',
    steps: [
      'action.started → awaitingCard',
      'card.presented → reading',
      'card.read → authorising',
      'issuer.approved → approved.awaitingMerchantReceipt',
      'receipt.confirmed → approved.awaitingCustomerReceipt',
      'action.ended → failed',
    ],
  });
  expect((await lifeOf(body.action.transaction.paymentSessionId)).steps).toEqual([
    'payment.approved → approved',
    'payment.voided → voided',
  ]);
});

test.each([
  ['declined', 90_901, 'visa-contactless'],
  ['nobody there', 1742, undefined],
  ['lost in transit', 90_921, undefined],
])('machine steps: an action that ends otherwise: %s', async (_how, amountMinor, card) => {
  const { body } = await till.pay(amountMinor);
  await world.settled();
  if (card) till.terminal.perform({ act: 'present-card', card });
  await world.advance({ minutes: 4 });
  const page = await openPage(world, { kind: 'action', id: body.action.id });
  const last = page.last('timeline')!.entries.findLast(({ step }) => step?.machineId === 'serverAction');
  expect(last).toMatchObject({ tone: 'bad', step: { state: 'failed' } });
  expect((await lifeOf(body.action.id)).machine).toBe('action');
});

test('machine steps: an online payment, its challenge and its refund', async () => {
  const session = await shop.session();
  await shop.pay(session, CARDS.challenge);
  await shop.goOn(session, { challengeResult: Buffer.from('{"transStatus":"Y"}').toString('base64') });
  await shop.move(session, 'refunds', { amount: 100 });
  await world.settled();
  const { machine, steps } = await lifeOf(session.id);
  expect(machine).toBe('paymentSession');
  expect(steps).toEqual([
    'challenge.required → challenging',
    'payment.approved → approved',
    'amount.captured → captured',
    'amount.refunded → captured',
  ]);
});

test('machine steps: a dispute that is accepted', async () => {
  const session = await shop.captured();
  const { body } = await world.api.post(`/sandbox/payment-sessions/${session.id}/disputes`);
  await world.api.post(`/v1/disputes/${body.id}/accept`);
  expect(await lifeOf(body.id)).toEqual({
    machine: 'dispute',
    steps: [expect.stringMatching(/ → accepted$/)],
  });
});

test('machine steps: a payout that the bank pays', async () => {
  const path = `/v1/accounts/${world.platformId}`;
  await world.api.post(`${path}/payout-methods`, BANK_ACCOUNT);
  await shop.captured({ amount: 50_000 });
  await world.advance({ minutes: 6 * 24 * 60 });
  const [payout] = (await world.api.get(`${path}/payouts`)).body.payouts;
  expect(await lifeOf(payout.id)).toEqual({ machine: 'payout', steps: ['bank.paid → completed'] });
});

test('machine steps: a subscription that is paid at the front end', async () => {
  const customer = await world.api.post('/v1/customers', { email: 'sam@example.com' });
  const { body } = await world.api.post('/v1/subscriptions', {
    customer: { id: customer.body.id },
    price: { amount: 1500, currency: 'GBP', interval: { unit: 'Months', count: 1, times: 2 } },
  });
  await shop.pay(body.paymentSessions.initial);
  expect(await lifeOf(body.id)).toEqual({
    machine: 'subscription',
    steps: ['cycle.due → pending', 'payment.succeeded → active'],
  });
});
