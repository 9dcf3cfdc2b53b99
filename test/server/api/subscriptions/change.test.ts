import { describe, expect, test } from 'vitest';
import { DAY, START, subscriptionServer, type SubscriptionServer } from './subscription-server.ts';

const stamp = (time: string) => Date.parse(`${time}Z`) / 1000;

async function active(server: SubscriptionServer, more: object = {}): Promise<string> {
  return (await server.subscribe({ paymentMethod: { id: await server.card() }, ...more })).id;
}

async function refused(answer: Promise<{ status: number; body: { errors: { code: string }[] } }>) {
  const { status, body } = await answer;
  return [status, body.errors[0]!.code];
}

describe('PATCH /subscriptions/{subscriptionId}', () => {
  test(
    'changes the fields that are sent',
    { tags: ['spec:4.8/PATCH/subscriptions/{subscriptionId}'] },
    async () => {
      const server = await subscriptionServer();
      const id = await active(server, { description: 'Coffee', metadata: { a: '1' } });
      const before = await server.look(id);
      const change = {
        description: 'Tea',
        metadata: { b: '2' },
        shippingDetails: { address: { country: 'GB', postalCode: 'LS1 1AA' } },
        paymentSettings: { statementDescriptor: { descriptor: 'Leaves Ltd', city: 'Leeds' } },
      };
      const { body } = await server.call(`PATCH /subscriptions/${id}`, change);
      expect(body).toEqual({ ...before, ...change });
      const untouched = await server.call(`PATCH /subscriptions/${id}`, {});
      expect(untouched.body).toEqual(body);
      expect(await server.events()).toEqual(['created', 'updated', 'updated']);
    },
  );

  test('a new price applies from the next cycle', async () => {
    const server = await subscriptionServer();
    const id = await active(server);
    const interval = { unit: 'Months', count: 3 };
    const { body } = await server.call(`PATCH /subscriptions/${id}`, { price: { amount: 2500, interval } });
    expect(body).toMatchObject({
      price: { amount: 2500, currency: 'GBP', interval },
      billingDetail: { nextBillingTimestamp: stamp('2026-02-28T09:30') },
    });
    await server.until('2026-02-28T09:30');
    expect(await server.sessions(id)).toMatchObject([{ amount: 900 }, { amount: 2500 }]);
    expect((await server.look(id)).billingDetail.nextBillingTimestamp).toBe(stamp('2026-05-31T09:30'));
  });

  test('a change from days to months counts from the day of the change', async () => {
    const server = await subscriptionServer();
    const days = { amount: 900, currency: 'GBP', interval: { unit: 'Days', count: 14 } };
    const id = await active(server, { price: days });
    const price = { interval: { unit: 'Months', count: 1 } };
    await server.call(`PATCH /subscriptions/${id}`, { price });
    await server.until('2026-02-14T09:30');
    expect((await server.look(id)).billingDetail).toMatchObject({
      currentCycle: 2,
      nextBillingTimestamp: stamp('2026-03-14T09:30'),
    });
  });

  test('a new price applies to a first payment that is not made yet', async () => {
    const server = await subscriptionServer();
    const pending = await server.subscribe();
    await server.call(`PATCH /subscriptions/${pending.id}`, { price: { amount: 1200 } });
    expect(await server.sessions(pending.id)).toMatchObject([{ amount: 1200, status: 'PendingPayment' }]);
  });

  test('keeps the balance due', async () => {
    const server = await subscriptionServer();
    const expired = { paymentMethod: { id: await server.card({ expiryYear: '2025' }) } };
    const { id } = await server.subscribe(expired);
    await server.call(`PATCH /subscriptions/${id}`, { price: { amount: 1200 } });
    const { body } = await server.call(`PATCH /subscriptions/${id}`, {
      paymentMethod: { id: await server.card() },
    });
    expect(body).toMatchObject({ status: 'Active', price: { amount: 1200 } });
    expect(await server.sessions(id)).toMatchObject([{ amount: 900, status: 'Captured' }]);
  });

  test('moves the next billing time, and the day of the month with it', async () => {
    const server = await subscriptionServer();
    const id = await active(server);
    const moved = { billingCycleTimestamp: stamp('2026-02-10T00:00') };
    const { body } = await server.call(`PATCH /subscriptions/${id}`, moved);
    expect(body.billingDetail).toMatchObject({
      billingCycleTimestamp: stamp('2026-02-10T00:00'),
      currentCycleEndTimestamp: stamp('2026-02-10T00:00'),
      nextBillingTimestamp: stamp('2026-02-10T00:00'),
    });
    await server.until('2026-02-10T00:00');
    expect((await server.look(id)).billingDetail).toMatchObject({
      currentCycle: 2,
      nextBillingTimestamp: stamp('2026-03-10T00:00'),
    });
  });

  test('moves a start in the future', async () => {
    const server = await subscriptionServer();
    const id = await active(server, { billingCycleTimestamp: START + 5 * DAY });
    await server.call(`PATCH /subscriptions/${id}`, { billingCycleTimestamp: START + 2 * DAY });
    await server.clock.advance(2 * DAY * 1000);
    expect(await server.look(id)).toMatchObject({ status: 'Active', billingDetail: { currentCycle: 1 } });
  });

  test('charges a first card at once when the start has passed', async () => {
    const server = await subscriptionServer();
    const pending = await server.subscribe();
    const paymentMethod = { id: await server.card() };
    const { body } = await server.call(`PATCH /subscriptions/${pending.id}`, { paymentMethod });
    expect(body).toMatchObject({ status: 'Active', paymentMethod, billingDetail: { currentCycle: 1 } });
    expect(await server.sessions(pending.id)).toMatchObject([
      { id: pending.paymentSessions.initial.id, status: 'Captured' },
    ]);
  });

  test('ends it earlier or later, but not before the current cycle', async () => {
    const server = await subscriptionServer();
    const id = await active(server);
    await server.until('2026-03-31T09:30');
    const times = (count: number) =>
      server.call(`PATCH /subscriptions/${id}`, {
        price: { interval: { unit: 'Months', count: 1, times: count } },
      });
    expect(await refused(times(3))).toEqual([400, 'invalid_field']);
    expect((await times(4)).body.billingDetail.totalCycles).toBe(4);
    await server.until('2026-04-30T09:30');
    expect((await server.look(id)).status).toBe('Ended');
  });

  test('refuses what a new subscription cannot have', async () => {
    const server = await subscriptionServer();
    const id = await active(server);
    const patch = (body: object) => refused(server.call(`PATCH /subscriptions/${id}`, body));
    expect(await patch({ price: { amount: 1 } })).toEqual([400, 'invalid_field']);
    expect(await patch({ price: { interval: { unit: 'Days' } } })).toEqual([400, 'invalid_field']);
    expect(await patch({ billingCycleTimestamp: START - 1 })).toEqual([400, 'invalid_field']);
    expect(await patch({ paymentMethod: { id: 'pmt_01J9Z5WAF2V3W4X5Y6Z7A8B9C0' } })).toEqual([
      404,
      'not_found',
    ]);
    const other = (await server.call('POST /customers', { email: 'kim@example.com' })).body.id;
    const theirs = await server.card({ customerId: other });
    expect(await patch({ paymentMethod: { id: theirs } })).toEqual([404, 'not_found']);
  });
});

describe.each(['', '/cancel'])('DELETE /subscriptions/{subscriptionId}%s', (end) => {
  test(
    'cancels at once and for good',
    { tags: ['spec:4.8/DELETE/subscriptions/{subscriptionId}/cancel', 'spec:3/cancelled-for-good'] },
    async () => {
      const server = await subscriptionServer();
      const id = await active(server);
      await server.clock.advance(DAY * 1000);
      const { status, body } = await server.call(`DELETE /subscriptions/${id}${end}`, {
        reason: 'moved away',
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        id,
        status: 'Cancelled',
        cancelDetail: { reason: 'moved away', cancelledAtTimestamp: START + DAY },
      });
      expect(body.billingDetail.nextBillingTimestamp).toBeUndefined();
      await server.until('2026-06-01T00:00');
      expect(await server.sessions(id)).toHaveLength(1);
      expect(await server.look(id)).toEqual(body);
      expect(await server.events()).toEqual(['created', 'cancelled']);
      expect(await refused(server.call(`DELETE /subscriptions/${id}${end}`))).toEqual([400, 'bad_request']);
      expect(await refused(server.call(`PATCH /subscriptions/${id}`, {}))).toEqual([400, 'bad_request']);
    },
  );

  test('needs no reason and no body', async () => {
    const server = await subscriptionServer();
    const { body } = await server.call(`DELETE /subscriptions/${await active(server)}${end}`);
    expect(body.cancelDetail).toEqual({ cancelledAtTimestamp: START });
    const { status } = await server.call(`DELETE /subscriptions/${await active(server)}${end}`, []);
    expect(status).toBe(200);
  });

  test('cancels a pending, paused or past-due subscription', async () => {
    const server = await subscriptionServer();
    const paused = await active(server);
    await server.call(`PATCH /subscriptions/${paused}/pause`);
    await server.until('2026-03-01T00:00');
    const pending = (await server.subscribe()).id;
    const expired = { paymentMethod: { id: await server.card({ expiryYear: '2025' }) } };
    const behind = (await server.subscribe(expired)).id;
    for (const id of [pending, behind, paused]) {
      expect((await server.call(`DELETE /subscriptions/${id}${end}`)).body.status).toBe('Cancelled');
    }
    const sessions = (await server.sessions(behind)).length;
    await server.clock.advance(10 * DAY * 1000);
    expect(await server.sessions(behind)).toHaveLength(sessions);
  });
});

test('subscription: an ended one cannot be changed', async () => {
  const server = await subscriptionServer();
  const price = { amount: 900, currency: 'GBP', interval: { unit: 'Days', count: 1, times: 1 } };
  const id = await active(server, { price });
  for (const call of [`PATCH /subscriptions/${id}`, `DELETE /subscriptions/${id}`]) {
    expect(await refused(server.call(call, {}))).toEqual([400, 'bad_request']);
  }
});

describe('DELETE /customers/{customerId}', () => {
  test('refused while a subscription bills', async () => {
    const server = await subscriptionServer();
    const remove = () => server.call(`DELETE /customers/${server.customerId}`);
    const id = await active(server);
    expect(await refused(remove())).toEqual([400, 'bad_request']);
    await server.call(`PATCH /subscriptions/${id}/pause`);
    await server.until('2026-03-01T00:00');
    expect(await refused(remove())).toEqual([400, 'bad_request']);
    await server.call(`DELETE /subscriptions/${id}`);
    const expired = { paymentMethod: { id: await server.card({ expiryYear: '2025' }) } };
    const behind = await server.subscribe(expired);
    expect(await refused(remove())).toEqual([400, 'bad_request']);
    await server.call(`DELETE /subscriptions/${behind.id}`);
    expect((await remove()).status).toBe(200);
  });

  test('cancels subscriptions that have not begun', async () => {
    const server = await subscriptionServer();
    const pending = await server.subscribe();
    const { status } = await server.call(`DELETE /customers/${server.customerId}`);
    expect(status).toBe(200);
    expect(await server.look(pending.id)).toMatchObject({
      status: 'Cancelled',
      cancelDetail: { cancelledAtTimestamp: START },
    });
    expect(await server.events()).toEqual(['created', 'cancelled']);
  });
});

describe('GET /subscriptions', () => {
  test(
    'returns the subscriptions of today by default, newest first',
    { tags: ['spec:4.8/GET/subscriptions'] },
    async () => {
      const server = await subscriptionServer();
      const first = await server.subscribe();
      await server.until('2026-02-01T00:00');
      const [second, third] = [await server.subscribe(), await server.subscribe()];
      const listed = async (query = '') => {
        const { body } = await server.call(`GET /subscriptions${query}`);
        return body.items.map((item: { id: string }) => item.id);
      };
      expect(await listed()).toEqual([third.id, second.id]);
      expect(await listed('?startTimestamp=0')).toEqual([third.id, second.id, first.id]);
      expect(await listed('?startTimestamp=0&ascending=True&limit=1')).toEqual([first.id]);
      expect(await refused(server.call('GET /subscriptions?startTimestamp=9&endTimestamp=8'))).toEqual([
        400,
        'invalid_field',
      ]);
      const { body } = await server.call('GET /subscriptions');
      expect(body.items).toEqual([third, second]);
    },
  );

  test(
    'returns the sessions of one subscription from its start',
    { tags: ['spec:4.8/GET/subscriptions/{subscriptionId}/payment-sessions'] },
    async () => {
      const server = await subscriptionServer();
      const id = await active(server);
      await active(server);
      await server.until('2026-04-30T09:30');
      const page = await server.call(`GET /subscriptions/${id}/payment-sessions?limit=3`);
      expect(page.body.items).toHaveLength(3);
      const rest = await server.call(
        `GET /subscriptions/${id}/payment-sessions?limit=3&startsAfter=${page.body.paginationToken}`,
      );
      expect(rest.body.items).toHaveLength(1);
      expect(rest.body.paginationToken).toBeNull();
      const early = await server.call(`GET /subscriptions/${id}/payment-sessions?endTimestamp=${START}`);
      expect(early.body.items).toHaveLength(1);
    },
  );

  test('returns those of the account only', async () => {
    const server = await subscriptionServer();
    const id = await active(server);
    const calls = ['GET', 'PATCH', 'DELETE'].map((method) => `${method} /subscriptions/${id}`);
    const more = ['PATCH pause', 'PATCH resume', 'DELETE cancel', 'GET payment-sessions'].map((call) =>
      call.replace(' ', ` /subscriptions/${id}/`),
    );
    for (const call of [...calls, ...more]) {
      expect([call, (await server.call(call, {}, server.subAccountId)).status]).toEqual([call, 404]);
    }
    const { body } = await server.call('GET /subscriptions', undefined, server.subAccountId);
    expect(body.items).toEqual([]);
  });
});
