import { expect, test } from 'vitest';
import { DAY, START, subscriptionServer, type SubscriptionServer } from './subscription-server.ts';

const stamp = (time: string) => Date.parse(`${time}Z`) / 1000;

async function active(server: SubscriptionServer): Promise<string> {
  return (await server.subscribe({ paymentMethod: { id: await server.card() } })).id;
}

async function refused(answer: Promise<{ status: number; body: { errors: { code: string }[] } }>) {
  const { status, body } = await answer;
  return [status, body.errors[0]!.code];
}

test(
  'PATCH pause: takes effect when the next cycle is due, and lasts until it is resumed',
  {
    tags: [
      'spec:4.8/PATCH/subscriptions/{subscriptionId}/pause',
      'spec:4.8/PATCH/subscriptions/{subscriptionId}/resume',
      'spec:3/resume',
      'spec:3/pause-when-due',
    ],
  },
  async () => {
    const server = await subscriptionServer();
    const id = await active(server);
    await server.clock.advance(5 * DAY * 1000);
    const scheduled = await server.call(`PATCH /subscriptions/${id}/pause`, { reason: 'on holiday' });
    expect(scheduled.body).toMatchObject({
      status: 'Active',
      pausePaymentDetail: { reason: 'on holiday', pausedAtTimestamp: START + 5 * DAY },
      billingDetail: { nextBillingTimestamp: stamp('2026-02-28T09:30') },
    });
    await server.until('2026-02-28T09:30');
    const paused = await server.look(id);
    expect(paused).toMatchObject({
      status: 'Paused',
      pausePaymentDetail: { reason: 'on holiday', pausedAtTimestamp: stamp('2026-02-28T09:30') },
      billingDetail: { currentCycle: 1 },
    });
    expect(paused.billingDetail.nextBillingTimestamp).toBeUndefined();
    await server.until('2026-07-10T12:00');
    expect(await server.sessions(id)).toHaveLength(1);

    const resumed = (await server.call(`PATCH /subscriptions/${id}/resume`)).body;
    expect(resumed).toMatchObject({
      status: 'Active',
      billingDetail: {
        currentCycle: 2,
        currentCycleStartTimestamp: stamp('2026-07-10T12:00'),
        billingCycleTimestamp: stamp('2026-07-10T12:00'),
        nextBillingTimestamp: stamp('2026-08-10T12:00'),
      },
    });
    expect(resumed.pausePaymentDetail).toBeUndefined();
    expect(await server.sessions(id)).toHaveLength(2);
    expect(await server.events()).toEqual(['created', 'updated', 'paused', 'updated', 'resumed', 'updated']);
    await server.until('2026-08-10T12:00');
    expect(await server.sessions(id)).toHaveLength(3);
  },
);

test.each(['resumeAtTimestamp', 'resumeTimestamp'])('PATCH pause: %s ends the pause', async (name) => {
  const server = await subscriptionServer();
  const id = await active(server);
  const until = { [name]: stamp('2026-04-01T00:00') };
  const { body } = await server.call(`PATCH /subscriptions/${id}/pause`, until);
  expect(body.pausePaymentDetail.resumeAtTimestamp).toBe(stamp('2026-04-01T00:00'));
  await server.until('2026-03-31T23:59');
  expect((await server.look(id)).status).toBe('Paused');
  await server.until('2026-04-01T00:00');
  expect(await server.look(id)).toMatchObject({
    status: 'Active',
    billingDetail: { currentCycle: 2, nextBillingTimestamp: stamp('2026-05-01T00:00') },
  });
  expect(await server.sessions(id)).toHaveLength(2);
});

test('PATCH pause: edits a pause that has begun', { tags: ['spec:3/pause-edited'] }, async () => {
  const server = await subscriptionServer();
  const id = await active(server);
  const pause = async (body: object) => (await server.call(`PATCH /subscriptions/${id}/pause`, body)).body;
  await pause({ reason: 'on holiday' });
  const edited = await pause({ resumeAtTimestamp: stamp('2026-09-01T00:00') });
  expect(edited.pausePaymentDetail).toEqual({
    reason: 'on holiday',
    resumeAtTimestamp: stamp('2026-09-01T00:00'),
    pausedAtTimestamp: START,
  });
  await server.until('2026-03-01T00:00');
  const again = await pause({ reason: 'long holiday', resumeAtTimestamp: stamp('2026-03-02T00:00') });
  expect(again).toMatchObject({
    status: 'Paused',
    pausePaymentDetail: { reason: 'long holiday', pausedAtTimestamp: stamp('2026-02-28T09:30') },
  });
  await server.until('2026-03-02T00:00');
  expect((await server.look(id)).status).toBe('Active');
});

test(
  'PATCH pause: a scheduled pause is removed, and the cycle is billed',
  { tags: ['spec:3/pause-unscheduled'] },
  async () => {
    const server = await subscriptionServer();
    const id = await active(server);
    await server.call(`PATCH /subscriptions/${id}/pause`, {});
    const { body } = await server.call(`PATCH /subscriptions/${id}/pause`, { unschedule: true });
    expect(body.status).toBe('Active');
    expect(body.pausePaymentDetail).toBeUndefined();
    await server.until('2026-02-28T09:30');
    expect(await server.look(id)).toMatchObject({ status: 'Active', billingDetail: { currentCycle: 2 } });
  },
);

test('PATCH pause: refuses a pause that would end before it begins', async () => {
  const server = await subscriptionServer();
  const id = await active(server);
  await server.call(`PATCH /subscriptions/${id}/pause`, { resumeAtTimestamp: START + DAY });
  await server.clock.advance(DAY * 1000);
  expect((await server.look(id)).pausePaymentDetail).toBeUndefined();
  await server.until('2026-02-28T09:30');
  expect((await server.look(id)).billingDetail.currentCycle).toBe(2);
  expect(await server.events()).toEqual(['created', 'updated', 'updated', 'updated']);
});

test('PATCH pause: a pause that ends when it would begin bills the cycle', async () => {
  const server = await subscriptionServer();
  const id = await active(server);
  const until = { resumeAtTimestamp: stamp('2026-02-28T09:30') };
  await server.call(`PATCH /subscriptions/${id}/pause`, until);
  await server.until('2026-02-28T09:30');
  expect(await server.look(id)).toMatchObject({ status: 'Active', billingDetail: { currentCycle: 2 } });
});

test('PATCH resume: keeps a billing time that was moved during the pause', async () => {
  const server = await subscriptionServer();
  const id = await active(server);
  await server.call(`PATCH /subscriptions/${id}/pause`);
  await server.until('2026-03-05T00:00');
  const later = { billingCycleTimestamp: stamp('2026-03-20T00:00') };
  await server.call(`PATCH /subscriptions/${id}`, later);
  const { body } = await server.call(`PATCH /subscriptions/${id}/resume`);
  expect(body.billingDetail).toMatchObject({
    currentCycle: 1,
    nextBillingTimestamp: stamp('2026-03-20T00:00'),
  });
  expect(await server.sessions(id)).toHaveLength(1);
  await server.until('2026-03-20T00:00');
  expect(await server.sessions(id)).toHaveLength(2);
});

test('PATCH resume: a subscription whose card is declined is past due', async () => {
  const server = await subscriptionServer();
  const paymentMethod = { id: await server.card({ expiryMonth: '02', expiryYear: '2026' }) };
  const { id } = await server.subscribe({ paymentMethod });
  await server.call(`PATCH /subscriptions/${id}/pause`);
  await server.until('2026-03-05T00:00');
  expect((await server.call(`PATCH /subscriptions/${id}/resume`)).body.status).toBe('PastDue');
  expect((await server.events()).slice(-2)).toEqual(['resumed', 'past_due']);
});

test('PATCH pause, resume: refused in other states, with the reason', async () => {
  const server = await subscriptionServer();
  const id = await active(server);
  const pause = (of: string, body: object = {}) => server.call(`PATCH /subscriptions/${of}/pause`, body);
  const resume = (of: string) => server.call(`PATCH /subscriptions/${of}/resume`);
  const notNow = [400, 'bad_request'];
  expect(await refused(resume(id))).toEqual(notNow);
  expect(await refused(pause(id, { unschedule: true }))).toEqual(notNow);
  expect(await refused(pause(id, { resumeAtTimestamp: START }))).toEqual([400, 'invalid_field']);
  expect(await refused(pause(id, { reason: '' }))).toEqual([400, 'invalid_field']);
  await pause(id);
  expect(await refused(resume(id))).toEqual(notNow);
  await server.until('2026-03-01T00:00');
  expect(await refused(pause(id, { unschedule: true }))).toEqual(notNow);

  const pending = (await server.subscribe()).id;
  expect(await refused(pause(pending))).toEqual(notNow);
  expect(await refused(resume(pending))).toEqual(notNow);
  const expired = { paymentMethod: { id: await server.card({ expiryYear: '2025' }) } };
  const behind = (await server.subscribe(expired)).id;
  expect(await refused(pause(behind))).toEqual(notNow);
  await server.call(`DELETE /subscriptions/${id}`);
  expect(await refused(pause(id))).toEqual(notNow);
  expect(await refused(resume(id))).toEqual(notNow);
});
