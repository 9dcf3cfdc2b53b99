import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTill, type Till } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

let world: World;
let till: Till;
beforeEach(async () => {
  world = await startWorld({ settings: { idempotencyKeys: 'on' } });
  till = openTill(world, await world.addTerminal());
});
afterEach(() => world.close());

const payment = (amount: number) => JSON.stringify({ amounts: { requested: amount }, currency: 'GBP' });

const jsonHeaders = { 'content-type': 'application/json' };

const post = (path: string, body: string, key: string) =>
  world.api.raw('POST', path, body, { ...jsonHeaders, 'idempotency-key': key });

test('idempotency key: a terminal payment that is sent twice is taken once, and both get the same answer', async () => {
  const path = `/v1/in-person/terminals/${till.terminal.terminalId}/payment`;
  const first = await post(path, payment(1000), 'order-1');
  const again = await post(path, payment(1000), 'order-1');
  expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([200, 'true', first.body]);
  expect((await post(path, payment(2000), 'order-1')).status).toBe(422);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.until('the payment is captured', async () => (await till.action()).status === 'Succeeded');
  // The answer to the request stays as it was, whatever the payment's status is now.
  expect((await post(path, payment(1000), 'order-1')).body).toEqual(first.body);
  const { items } = (await world.api.get('/v1/payment-sessions')).body;
  expect(items.map(({ status }: { status: string }) => status)).toEqual(['Captured']);
});

test(
  'idempotency key: while a request is under way, its repetition is refused with Retry-After',
  { tags: ['refusal:idempotency_key_in_use'] },
  async () => {
    // Without its simulator the first waits five seconds for a reply. On PostgreSQL either may be the first.
    await world.fleet.close();
    const path = `/sandbox/terminals/${till.terminal.terminalId}/present-card`;
    const body = JSON.stringify({ card: 'visa-contactless' });
    // Not by the client of the world, which is not idle while a call of it is open.
    const { http, services } = world.server;
    const headers = {
      ...jsonHeaders,
      authorization: services.settings.secretKey,
      'idempotency-key': 'tap-1',
    };
    const inject = () => http.inject({ method: 'POST', url: path, headers, payload: body });
    const both = [inject(), inject()];
    const refused = await Promise.race(both);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([409, '1']);
    expect(refused.body).toContain('is under way');

    await world.advance({ seconds: 5 });
    const answer = (await Promise.all(both)).find((one) => one !== refused)!;
    expect(answer.body).toContain('its simulator is not connected');
    const again = await post(path, body, 'tap-1');
    expect([again.status, again.body]).toEqual([answer.statusCode, JSON.parse(answer.body)]);
    expect(again.headers['idempotent-replayed']).toBe('true');
  },
);
