import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';
import { rested, runningServer, type RunningServer } from '../../../contract/running-server.ts';
import { card, openCheckout } from '../../../kit/checkout.ts';

const DAY = 86_400;

async function shop() {
  const store = await openStore({ path: ':memory:', log: silentLog });
  onTestFinished(() => store.close());
  return runningServer(store);
}

/** Subscribes a customer by the week, with a card that is charged at once. */
async function subscribe({ api }: RunningServer) {
  const { body: customer } = await api.post('/v1/customers', { email: 'sam@example.com' });
  const price = { amount: 900, currency: 'GBP', interval: { unit: 'Days', count: 7 } };
  const { body } = await api.post('/v1/subscriptions', { customer: { id: customer.id }, price });
  const { clientSecret } = body.paymentSessions.initial;
  await api.post('/v1/payment-sessions/attempt-payment', { clientSecret, cardDetails: card() });
  return async () => (await api.get(`/v1/subscriptions/${body.id}`)).body.billingDetail.currentCycle;
}

/** Opens an endpoint that is sent the events of subscriptions. */
async function listen({ api, receivers }: RunningServer) {
  const receiver = receivers.open('shop');
  const eventTypes = ['Subscription.updated'];
  await api.post('/v1/webhooks', { url: receiver.url, active: true, eventTypes });
  return receiver;
}

const advance = ({ api }: RunningServer, seconds: number) => api.post('/sandbox/clock/advance', { seconds });

test('advance: the reply comes when what is due is done, and its webhooks are delivered', async () => {
  const server = await shop();
  const receiver = await listen(server);
  const currentCycle = await subscribe(server);
  const { body } = await advance(server, 7 * DAY + 1);
  expect(body).toMatchObject({ offsetSeconds: 7 * DAY + 1, pending: { jobs: 0, deliveries: 0 } });
  expect(receiver.deliveries).toHaveLength(2);
  expect(await currentCycle()).toBe(2);
});

test('advance: the endpoint of a webhook sees the time at which the event happened, and what it does counts', async () => {
  const server = await shop();
  const receiver = await listen(server);
  const currentCycle = await subscribe(server);
  const times: number[] = [];
  receiver.behaviour = async ({ event }) => {
    times.push((await server.api.get('/sandbox/clock')).body.nowTimestamp);
    if (event.data.billingDetail.currentCycle === 3)
      await server.api.delete(`/v1/subscriptions/${event.data.id}`);
    return 200;
  };
  await advance(server, 100 * DAY);
  const start = Date.UTC(2026, 0, 31, 9) / 1000;
  expect(times).toEqual([start + 7 * DAY, start + 14 * DAY]);
  expect(await currentCycle()).toBe(3);
});

test('advance: an endpoint that advances the clock itself gets its reply after a second, and both advances count', async () => {
  const server = await shop();
  const receiver = await listen(server);
  await subscribe(server);
  const replies: number[] = [];
  receiver.behaviour = async () => {
    if (replies.length < 1) {
      replies.push(0);
      replies[0] = (await advance(server, DAY)).status;
    }
    return 200;
  };
  const { realClock } = server;
  const begunMs = realClock.nowMs();
  const answer = advance(server, 7 * DAY);
  await realClock.advanceUntil(answer.then(() => undefined));
  expect((await answer).body).toMatchObject({ offsetSeconds: 8 * DAY, pending: { jobs: 0, deliveries: 0 } });
  expect(replies).toEqual([200]);
  expect(realClock.nowMs() - begunMs).toBeLessThan(3_000);
});

test('advance: for an endpoint that never answers it waits ten seconds in all, and says what is not done', async () => {
  const server = await shop();
  const receiver = await listen(server);
  const currentCycle = await subscribe(server);
  receiver.behaviour = 'hang';
  const { realClock } = server;
  const begunMs = realClock.nowMs();
  const answer = advance(server, 30 * DAY);
  await realClock.advanceUntil(answer.then(() => undefined));
  const { body } = await answer;
  expect(body.pending.jobs).toBe(0);
  expect(body.pending.deliveries).toBeGreaterThan(0);
  expect(body.offsetSeconds).toBe(30 * DAY);
  expect(realClock.nowMs() - begunMs).toBeLessThanOrEqual(11_000);
  expect(await currentCycle()).toBe(5);
});

test('advance: two at once add up, and each reply has a time that was asked for', async () => {
  const server = await shop();
  const currentCycle = await subscribe(server);
  const answers = await Promise.all([advance(server, 10 * DAY), advance(server, 20 * DAY)]);
  for (const { body } of answers)
    expect(body).toMatchObject({ offsetSeconds: 30 * DAY, pending: { jobs: 0 } });
  expect(await currentCycle()).toBe(5);
});

test('advance: a server that is stopped on the way goes on with it when it starts again', async () => {
  const store = await openStore({ path: ':memory:', log: silentLog });
  onTestFinished(() => store.close());
  const first = await runningServer(store);
  const receiver = await listen(first);
  await subscribe(first);
  receiver.behaviour = 'hang';
  const answer = advance(first, 30 * DAY).catch(() => undefined);
  await rested();
  const stoodMs = first.server.services.clock.nowMs();
  expect(stoodMs).toBe(Date.UTC(2026, 0, 31, 9) + 7 * DAY * 1000);
  await first.stop();
  await answer;
  const second = await runningServer(store, { startMs: first.realClock.nowMs() });
  expect(second.server.services.clock.nowMs()).toBeGreaterThanOrEqual(stoodMs);
  for (let times = 0; times < 20; times += 1) await second.realClock.advance(1_000);
  const { body } = await second.api.get('/sandbox/clock');
  expect(body).toMatchObject({ offsetSeconds: 30 * DAY, pending: { jobs: 0 } });
  const cycles = await store.all<{ created_ms: number }>(
    'SELECT created_ms FROM payment_sessions ORDER BY seq',
  );
  expect(
    cycles.map(({ created_ms: ms }) => Math.round((ms - Date.UTC(2026, 0, 31, 9)) / 1000 / DAY)),
  ).toEqual([0, 7, 14, 21, 28]);
});

test('advance: a commit that a fault delays delays the reply, for ten seconds at most', async () => {
  const server = await shop();
  const currentCycle = await subscribe(server);
  const { api, realClock } = server;
  const fault = { at: 'server.commit', what: 'delay', when: { nth: 3 }, delayMs: 60_000 };
  await api.post('/sandbox/faults', { faults: [fault] });
  const begunMs = realClock.nowMs();
  const answer = advance(server, 8 * DAY);
  await realClock.advanceUntil(answer.then(() => undefined));
  expect((await answer).body.pending.jobs).toBe(1);
  expect(realClock.nowMs() - begunMs).toBeLessThanOrEqual(11_000);
  await realClock.advance(60_000);
  expect((await api.get('/sandbox/clock')).body).toMatchObject({
    offsetSeconds: 8 * DAY,
    pending: { jobs: 0 },
  });
  expect(await currentCycle()).toBe(2);
});

test('advance: a webhook that a fault delays arrives as the clock passes its time', async () => {
  const server = await shop();
  const receiver = await listen(server);
  const checkout = openCheckout(server.api);
  await checkout.session();
  const fault = { at: 'webhook.attempt', what: 'delay', delayMs: 3_600_000 };
  await server.api.post('/sandbox/faults', { faults: [fault] });
  await subscribe(server);
  await rested();
  expect(receiver.deliveries).toHaveLength(0);
  await advance(server, 3_600);
  expect(receiver.deliveries).toHaveLength(1);
});
