import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RENEW_MS } from '../../../server/platform/instance-lease.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { realTime, waitFor } from '../kit/wait-for.ts';
import { startTwoServers, type TwoServers } from './two-servers.ts';

const SET_CLOCK = fileURLToPath(new URL('./set-clock.mjs', import.meta.url));
const FIVE_MINUTES_MS = 300_000;
const OBJECTS = 20;
const UPDATES = 6;

const clockAhead = (ms: number) => ({
  NODE_OPTIONS: `--import=${SET_CLOCK}`,
  CLOCK_AHEAD_MS: String(ms),
});

const fixture = createSystemFixture();
let servers: TwoServers;
beforeAll(async () => {
  servers = await startTwoServers(fixture, {}, [clockAhead(FIVE_MINUTES_MS), clockAhead(-FIVE_MINUTES_MS)]);
}, 120_000);
afterAll(() => fixture.cleanUp());

let customers = 0;
const newCustomer = () => ({ email: `customer${(customers += 1)}@corner.example` });

async function done({ api }: Tapbench, method: string, path: string, body?: object) {
  const answer = await api(method, path, body);
  expect([method, path, answer.status]).toEqual([method, path, 200]);
  return answer.body;
}

test('servers whose clocks are ten minutes apart: each says so, and both go by the clock of the database', async () => {
  const { first, second } = servers;
  for (const server of [first, second])
    await waitFor('the server to warn', () =>
      server.child.stderr.includes('the clock of this machine differs from that of the database'),
    );
  const fromS = Math.floor(realTime.nowMs() / 1000) - 1;
  const made = [];
  for (const server of [first, second, first, second])
    made.push((await done(server, 'POST', '/v1/customers', newCustomer())).createdTimestamp as number);
  expect(made).toEqual(made.toSorted((a, b) => a - b));
  expect(made[0]).toBeGreaterThanOrEqual(fromS);
  expect(made.at(-1)).toBeLessThanOrEqual(Math.ceil(realTime.nowMs() / 1000) + 1);
});

test('servers whose clocks are ten minutes apart: the events of each object arrive once and in order, whichever server changed it', async () => {
  const { first, second, rows } = servers;
  const receiver = await fixture.receiver();
  const eventTypes = ['Customer.created', 'Customer.updated'];
  const webhook = await done(first, 'POST', '/v1/webhooks', { url: receiver.url, active: true, eventTypes });
  const ids = await Promise.all(
    Array.from({ length: OBJECTS }, async (_, index) => {
      const turns = index % 2 === 0 ? [first, second] : [second, first];
      const { id } = await done(turns[0]!, 'POST', '/v1/customers', { ...newCustomer(), name: '0' });
      for (let update = 1; update <= UPDATES; update += 1)
        await done(turns[update % 2]!, 'PATCH', `/v1/customers/${id}`, { name: String(update) });
      return id as string;
    }),
  );
  const total = OBJECTS * (UPDATES + 1);
  await waitFor('every event', () => receiver.deliveries.length >= total);
  const eventIds = async (id: string) =>
    (await rows<{ id: string }>('SELECT id FROM events WHERE object_id = $1 ORDER BY seq', id)).map(
      (row) => row.id,
    );
  const arrived = (id: string) =>
    receiver.deliveries.flatMap(({ event }) => (event.data.id === id ? [event.id as string] : []));
  expect(ids.map(arrived)).toEqual(await Promise.all(ids.map(eventIds)));
  expect(receiver.deliveries).toHaveLength(total);
  await done(first, 'PATCH', `/v1/webhooks/${webhook.id}`, { active: false });
}, 60_000);

test('servers whose clocks are ten minutes apart: neither takes what the other has begun', async () => {
  const { first, second, rows } = servers;
  const receiver = await fixture.receiver();
  receiver.reply = () => 'hang';
  await done(second, 'POST', '/v1/webhooks', {
    url: receiver.url,
    active: true,
    eventTypes: ['Customer.created'],
  });
  await done(second, 'POST', '/v1/customers', newCustomer());
  await waitFor('the delivery to begin', () => receiver.deliveries.length === 1);
  const claims = () =>
    rows<{ claimed_by: string; claimed_until_ms: string }>(
      `SELECT claimed_by, claimed_until_ms FROM jobs WHERE kind = 'webhook.deliver' AND claimed_by IS NOT NULL`,
    );
  const [begun] = await claims();
  // Until it is renewed once for sure, the other server has looked for claims that it may take.
  const renewed = await waitFor('the claim to be renewed', async () => {
    const [now] = await claims();
    return Number(now?.claimed_until_ms) >= Number(begun!.claimed_until_ms) + RENEW_MS ? now : undefined;
  });
  expect(renewed.claimed_by).toBe(begun!.claimed_by);
  expect(receiver.deliveries).toHaveLength(1);
  expect(await rows('SELECT id FROM instances')).toHaveLength(2);
  expect((await first.api('GET', '/healthz')).status).toBe(200);
}, 60_000);
