import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Answer } from '../kit/api.ts';
import { openTill, type Till } from '../kit/till.ts';
import { startWorld, type World } from '../kit/world.ts';

let world: World;
let till: Till;
beforeEach(async () => {
  world = await startWorld();
  till = openTill(world, await world.addTerminal());
});
afterEach(() => world.close());

const payment = (amount: number) => JSON.stringify({ amounts: { requested: amount }, currency: 'GBP' });

const post = (path: string, body: string, key: string) =>
  world.api.raw('POST', path, body, { 'idempotency-key': key });

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
    const path = `/sandbox/terminals/${till.terminal.terminalId}/present-card`;
    const body = JSON.stringify({ card: 'visa-contactless' });
    // One waits for the simulator; the other is received before that answers. On PostgreSQL either may be the one.
    const both = await Promise.all([post(path, body, 'tap-1'), post(path, body, 'tap-1')]);
    const [answer, refused] = both.toSorted((one, other) => one.status - other.status) as [Answer, Answer];
    expect([answer.status, refused.status, refused.headers['retry-after']]).toEqual([200, 409, '1']);
    const again = await post(path, body, 'tap-1');
    expect([again.status, again.body]).toEqual([answer.status, answer.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
  },
);
