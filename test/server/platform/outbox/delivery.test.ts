import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { VERSION } from '../../../../protocol/version.ts';
import { DELIVERIES_AT_ONCE } from '../../../../server/platform/outbox/delivery.ts';
import { LANES_PER_ENDPOINT } from '../../../../server/platform/outbox/delivery-jobs.ts';
import { raise } from '../../../../server/api/webhooks/event-log.ts';
import type { Event } from '../../../../server/api/webhooks/event.schema.ts';
import { signatureOf } from '../../../../server/platform/outbox/signature.ts';
import { migrate } from '../../../../server/platform/store/migrations/migrate.ts';
import { openSqlite } from '../../../../server/platform/store/sqlite.ts';
import type { Store } from '../../../../server/platform/store/store.ts';
import { webhooks } from '../../../../server/api/webhooks/webhook.records.ts';
import { START_MS, startEventServer, type EventServer } from './event-server.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** When each attempt at a path was made, in seconds from the start. */
function attemptsAt({ outgoing }: EventServer, path: string): number[] {
  return outgoing.sent.filter((sent) => sent.path === path).map(({ atMs }) => (atMs - START_MS) / 1000);
}

async function eventOf({ call }: EventServer, id: string): Promise<Event> {
  return (await call<Event>(`GET /events/${id}`)).body;
}

async function jobsLeft({ services }: EventServer): Promise<unknown[]> {
  return services.store.all(`SELECT kind FROM jobs`);
}

test(
  'delivery: sends the recorded bytes, signed with the whole secret',
  { tags: ['spec:5/signed-deliveries', 'spec:6/endpoint-secret'] },
  async () => {
    const server = await startEventServer();
    const { secret, id: webhookId } = await server.register('/hook', ['Terminal.action_updated']);
    const data = {
      id: 'tml_1',
      name: 'Café №5',
      metadata: { 'naïve key': '日本 😀 \ud83d', note: '"\\/\u2028' },
    };
    const id = await server.record('Terminal.action_updated', data);
    await server.settled();

    const [sent] = server.outgoing.sent;
    expect(sent!.url).toBe('http://shop.test/hook');
    expect(sent!.headers).toEqual({
      'content-type': 'application/json',
      'user-agent': `tapbench/${VERSION}`,
      Signature: signatureOf(secret, Buffer.from(sent!.body, 'utf8')),
    });
    expect(sent!.timeoutMs).toBe(10_000);
    expect(JSON.parse(sent!.body)).toEqual({
      id,
      eventType: 'Terminal.action_updated',
      data,
      endpoints: [{ webhookId, acknowledged: false, attempts: 0 }],
      createdTimestamp: START_MS / 1000,
      lastUpdatedTimestamp: START_MS / 1000,
      deliveryStatus: 'Pending',
    });
  },
);

test(
  'delivery: a failing endpoint is tried seven times: at once, then after 0, 1, 5, 10, 10 and 10 minutes',
  { tags: ['spec:6/retries'] },
  async () => {
    const server = await startEventServer();
    const { id: webhookId } = await server.register('/hook', ['Customer.created']);
    server.outgoing.answers('/hook', 500, 'refuse', 302, 404, 199, 400, 503);
    const id = await server.record('Customer.created');
    await server.settled();
    expect(attemptsAt(server, '/hook')).toEqual([0, 0]);

    const later = [60, 360, 960, 1560, 2160];
    for (const [index, at] of later.entries()) {
      const waitMs = START_MS + at * SECOND_MS - server.clock.nowMs();
      await server.clock.advance(waitMs - 1);
      expect(attemptsAt(server, '/hook')).toEqual([0, 0, ...later.slice(0, index)]);
      expect((await eventOf(server, id)).deliveryStatus).toBe('Pending');
      await server.clock.advance(1);
      expect(attemptsAt(server, '/hook')).toEqual([0, 0, ...later.slice(0, index + 1)]);
    }

    expect(await eventOf(server, id)).toMatchObject({
      endpoints: [{ webhookId, acknowledged: false, attempts: 7 }],
      deliveryStatus: 'Failed',
      createdTimestamp: START_MS / 1000,
      lastUpdatedTimestamp: START_MS / 1000 + 2160,
    });
    expect(await jobsLeft(server)).toEqual([]);
    await server.clock.advance(24 * 60 * MINUTE_MS);
    expect(server.outgoing.sent).toHaveLength(7);
    expect(new Set(server.outgoing.sent.map(({ body }) => body)).size).toBe(1);
  },
);

test('delivery: each delay starts when the attempt before it has ended', async () => {
  const server = await startEventServer();
  await server.register('/hook', ['Customer.created']);
  server.outgoing.answers('/hook', 'hang');
  await server.record('Customer.created');
  await server.settled();
  const timeOut = async () => {
    await server.clock.advance(10 * SECOND_MS);
    server.outgoing.releaseAll();
    await server.settled();
  };
  await timeOut();
  expect(attemptsAt(server, '/hook')).toEqual([0, 10]);
  await timeOut();
  await server.clock.advance(MINUTE_MS);
  expect(attemptsAt(server, '/hook')).toEqual([0, 10, 80]);
  await timeOut();
  await server.clock.advance(5 * MINUTE_MS);
  expect(attemptsAt(server, '/hook')).toEqual([0, 10, 80, 390]);
});

test('delivery: any 2xx ends it, and its attempts are listed without secrets', async () => {
  const server = await startEventServer();
  const { secret, id: webhookId } = await server.register('/hook?token=t0ken', ['Customer.created']);
  server.outgoing.answers('/hook', 'refuse', 500, 204);
  const beganMs = server.clock.nowMs();
  const id = await server.record('Customer.created');
  await server.clock.advance(MINUTE_MS);
  expect(await eventOf(server, id)).toMatchObject({
    endpoints: [{ acknowledged: true, attempts: 3 }],
    deliveryStatus: 'Success',
  });
  await server.clock.advance(60 * MINUTE_MS);
  expect(attemptsAt(server, '/hook')).toEqual([0, 0, 60]);
  expect(await jobsLeft(server)).toEqual([]);

  const told = server.activities.filter(({ kind }) => kind === 'webhook.attempted');
  const common = { kind: 'webhook.attempted', eventId: id, webhookId, eventType: 'Customer.created' };
  expect(told).toEqual(
    [
      { answer: 'no answer (connect ECONNREFUSED)', attempt: 1, acknowledged: false, nextMs: beganMs },
      { answer: '500', attempt: 2, acknowledged: false, nextMs: beganMs + MINUTE_MS },
      { answer: '204', attempt: 3, acknowledged: true, nextMs: null },
    ].map((attempt) => ({ ...common, url: 'http://shop.test/hook', ...attempt })),
  );
  expect(JSON.stringify(server.activities)).not.toContain(secret);
  expect(server.outgoing.sent[0]!.url).toBe('http://shop.test/hook?token=t0ken');
});

test.each([
  ['made inactive', 'PATCH', { active: false }],
  ['deleted', 'DELETE', undefined],
] as const)('delivery: an endpoint that is %s meanwhile is sent nothing more', async (_how, method, body) => {
  const server = await startEventServer();
  const { id: webhookId } = await server.register('/hook', ['Customer.created']);
  server.outgoing.answers('/hook', 500);
  const id = await server.record('Customer.created');
  await server.settled();
  expect((await server.call(`${method} /webhooks/${webhookId}`, { body })).status).toBe(200);
  await server.clock.advance(60 * MINUTE_MS);
  expect(attemptsAt(server, '/hook')).toEqual([0, 0]);
  expect(await eventOf(server, id)).toMatchObject({
    endpoints: [{ webhookId, acknowledged: false, attempts: 2 }],
    deliveryStatus: 'Failed',
  });
  expect(await jobsLeft(server)).toEqual([]);
  expect(await server.services.store.get('SELECT last_status FROM deliveries')).toEqual({
    last_status: 'not sent: the endpoint is inactive',
  });
});

test('delivery: a changed url applies from the next attempt, changed event types from the next event', async () => {
  const server = await startEventServer();
  const { id } = await server.register('/old', ['Customer.created']);
  server.outgoing.answers('/old', 500);
  await server.record('Customer.created');
  await server.settled();
  const change = { url: 'http://shop.test/new', eventTypes: ['Customer.deleted'] };
  await server.call(`PATCH /webhooks/${id}`, { body: change });
  await server.record('Customer.created');
  await server.clock.advance(MINUTE_MS);
  expect(attemptsAt(server, '/old')).toEqual([0, 0]);
  expect(attemptsAt(server, '/new')).toEqual([60]);
});

test(
  'delivery: when one endpoint acknowledges and the other fails for good the event has failed',
  { tags: ['spec:6/every-endpoint'] },
  async () => {
    const server = await startEventServer();
    const { id: good } = await server.register('/good', ['Customer.created']);
    const { id: bad } = await server.register('/bad', ['Customer.created', 'Customer.deleted']);
    server.outgoing.answers('/bad', 500);
    const id = await server.record('Customer.created');
    await server.settled();
    expect((await eventOf(server, id)).deliveryStatus).toBe('Pending');
    await server.clock.advance(36 * MINUTE_MS);
    expect(await eventOf(server, id)).toMatchObject({
      endpoints: [
        { webhookId: good, acknowledged: true, attempts: 1 },
        { webhookId: bad, acknowledged: false, attempts: 7 },
      ],
      deliveryStatus: 'Failed',
    });
  },
);

test('delivery: a receiver that hangs does not delay another, however much waits for it', async () => {
  const server = await startEventServer();
  await server.register('/hangs', ['Customer.created']);
  await server.register('/well', ['Customer.created']);
  server.outgoing.answers('/hangs', 'hang');
  for (let n = 0; n < 300; n += 1) await server.record('Customer.created', { id: `cus_${n}` });
  await server.clock.advance(3 * SECOND_MS);
  expect(attemptsAt(server, '/well')).toHaveLength(300);
  expect(attemptsAt(server, '/hangs')).toHaveLength(LANES_PER_ENDPOINT);

  server.outgoing.answers('/hangs', 200);
  server.outgoing.releaseAll();
  await server.clock.advance(10 * SECOND_MS);
  expect(server.outgoing.hanging).toBe(0);
  expect(new Set(server.outgoing.sent.map(({ path, body }) => path + body)).size).toBe(600);
  expect(await jobsLeft(server)).toEqual([]);
});

/** Registers endpoints at once, more than one platform may have. */
async function registerMany({ services, platformId }: EventServer, paths: string[]): Promise<void> {
  const { store, ids } = services;
  await store.transaction(async (tx) => {
    for (const path of paths) {
      const url = `http://shop.test${path}`;
      const webhook = { id: ids.make('webhook'), accountId: platformId, url, active: true, secret: 'whsec' };
      await webhooks.insert(tx, { ...webhook, eventTypes: ['Customer.created'] }, START_MS);
    }
  });
}

test.each([8, 64, 300])(
  'delivery: with %i endpoints that hang, another gets all its events at once and in order',
  async (hanging) => {
    const server = await startEventServer();
    const paths = Array.from({ length: hanging }, (_, n) => `/hangs/${n}`);
    await registerMany(server, [...paths, '/well']);
    for (const path of paths) server.outgoing.answers(path, 'hang');
    const events = 40;
    for (let n = 0; n < events; n += 1) await server.record('Customer.created', { id: `cus_${n % 16}` });
    for (let round = 0; round < events; round += 1) await server.settled();
    const arrived = server.outgoing.sent.filter(({ path }) => path === '/well');
    expect(arrived).toHaveLength(events);
    expect(new Set(arrived.map(({ atMs }) => atMs))).toEqual(new Set([START_MS]));
    for (const id of ['cus_0', 'cus_1', 'cus_15']) {
      const ofObject = arrived.filter(({ body }) => body.includes(`"${id}"`));
      const ids = ofObject.map(({ body }) => (JSON.parse(body) as Event).id);
      expect(ids).toEqual([...ids].sort());
    }
    // Connections and their texts are bounded, whatever hangs.
    expect(server.outgoing.hanging).toBeLessThanOrEqual(DELIVERIES_AT_ONCE);
    for (const path of paths) expect(attemptsAt(server, path).length).toBeGreaterThan(0);
  },
);

test('delivery: events of one object arrive one after another, in order', async () => {
  const server = await startEventServer();
  await server.register('/hook', ['PaymentSession.approved', 'PaymentSession.captured']);
  server.outgoing.answers('/hook', 'hang', 200);
  const approved = await server.record('PaymentSession.approved', { id: 'ps_1' });
  const captured = await server.record('PaymentSession.captured', { id: 'ps_1' });
  const arrived = () => server.outgoing.sent.map(({ body }) => (JSON.parse(body) as Event).id);
  await server.settled();
  expect(arrived()).toEqual([approved]);
  server.outgoing.releaseAll();
  await server.settled();
  // The first retry is at once, so it still comes before the next event.
  expect(arrived()).toEqual([approved, approved, captured]);
});

/** Records two events of one payment session in one transaction, and returns their ids. */
async function recordTwo({ services, platformId }: EventServer): Promise<string[]> {
  const types = ['PaymentSession.approved', 'PaymentSession.captured'] as const;
  await services.store.transaction(async (tx) => {
    for (const type of types) raise(tx, services, { type, accountId: platformId, data: { id: 'ps_1' } });
  });
  const rows = await services.store.all<{ id: string }>(`SELECT id FROM events ORDER BY seq`);
  return rows.map(({ id }) => id);
}

function arrivedAt({ outgoing }: EventServer): string[] {
  return outgoing.sent.map(({ body }) => (JSON.parse(body) as Event).id);
}

test('delivery: events of one transaction and one object share a job, and each is acknowledged by itself', async () => {
  const server = await startEventServer();
  await server.register('/hook', ['PaymentSession.approved', 'PaymentSession.captured']);
  server.outgoing.answers('/hook', 200, 'hang', 200);
  const ids = await recordTwo(server);
  await server.settled();
  expect(arrivedAt(server)).toEqual(ids);
  expect(await jobsLeft(server)).toHaveLength(1);
  expect((await eventOf(server, ids[0]!)).deliveryStatus).toBe('Success');
  expect((await eventOf(server, ids[1]!)).deliveryStatus).toBe('Pending');

  await server.restart();
  expect(arrivedAt(server)).toEqual([...ids, ids[1]]);
  expect((await eventOf(server, ids[1]!)).deliveryStatus).toBe('Success');
  server.outgoing.releaseAll();
  await server.settled();
  expect(await jobsLeft(server)).toEqual([]);
});

test('delivery: an event that fails is tried again alone, and the events after it do not wait for it', async () => {
  const server = await startEventServer();
  await server.register('/hook', ['PaymentSession.approved', 'PaymentSession.captured']);
  server.outgoing.answers('/hook', 500, 500, 200, 200);
  const [approved, captured] = await recordTwo(server);
  await server.settled();
  expect(arrivedAt(server)).toEqual([approved, approved, captured]);
  expect((await eventOf(server, captured!)).deliveryStatus).toBe('Success');
  await server.clock.advance(MINUTE_MS);
  expect(arrivedAt(server)).toEqual([approved, approved, captured, approved]);
  expect(await eventOf(server, approved!)).toMatchObject({
    endpoints: [{ acknowledged: true, attempts: 3 }],
    deliveryStatus: 'Success',
  });
  expect(await jobsLeft(server)).toEqual([]);
});

test('delivery: does a job of an earlier version, which names one event', async () => {
  const server = await startEventServer();
  const { id: webhookId } = await server.register('/hook', ['Customer.created']);
  const { jobs, store } = server.services;
  await jobs.stop();
  const id = await server.record('Customer.created');
  await store.run(`UPDATE jobs SET payload = ?`, JSON.stringify({ eventId: id, webhookId }));
  await server.restart();
  expect(arrivedAt(server)).toEqual([id]);
  expect(await jobsLeft(server)).toEqual([]);
});

test('delivery: a fault of the server is no attempt; the attempt is repeated', async () => {
  const server = await startEventServer();
  await server.register('/hook', ['Customer.created']);
  server.outgoing.answers('/hook', 'closed', 200);
  const id = await server.record('Customer.created');
  await server.settled();
  expect((await eventOf(server, id)).endpoints).toMatchObject([{ acknowledged: false, attempts: 0 }]);
  await server.clock.advance(10 * MINUTE_MS);
  expect((await eventOf(server, id)).endpoints).toMatchObject([{ acknowledged: true, attempts: 1 }]);
});

test('delivery: a restart between two attempts does not change the later ones', async () => {
  const server = await startEventServer();
  await server.register('/hook', ['Customer.created']);
  server.outgoing.answers('/hook', 500);
  const id = await server.record('Customer.created');
  await server.clock.advance(2 * MINUTE_MS);
  await server.restart();
  await server.clock.advance(60 * MINUTE_MS);
  expect(attemptsAt(server, '/hook')).toEqual([0, 0, 60, 360, 960, 1560, 2160]);
  expect((await eventOf(server, id)).deliveryStatus).toBe('Failed');
});

test('delivery: a restart during an attempt repeats it, counted once', async () => {
  const server = await startEventServer();
  await server.register('/hook', ['Customer.created']);
  server.outgoing.answers('/hook', 'hang', 200);
  const id = await server.record('Customer.created');
  await server.settled();
  expect(server.outgoing.hanging).toBe(1);
  await server.restart();
  await server.clock.advance(5 * MINUTE_MS);
  expect(server.outgoing.sent).toHaveLength(2);
  expect(server.outgoing.sent[1]!.body).toBe(server.outgoing.sent[0]!.body);
  expect((await eventOf(server, id)).endpoints).toMatchObject([{ acknowledged: true, attempts: 1 }]);

  server.outgoing.releaseAll();
  await server.settled();
  expect((await eventOf(server, id)).endpoints).toMatchObject([{ acknowledged: true, attempts: 1 }]);
  expect(await jobsLeft(server)).toEqual([]);
});

/** A store in a file, whose syncs are counted. */
async function countingStore(): Promise<{ store: Store; syncs: () => number }> {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let syncs = 0;
  const sync = async () => void (syncs += 1);
  const store = await openSqlite({ path: join(folder, 'store.db'), log: silentLog, sync });
  await migrate(store, silentLog);
  return { store, syncs: () => syncs };
}

test('delivery: an event waits for the disk, what came of its delivery does not', async () => {
  const { store, syncs } = await countingStore();
  const server = await startEventServer({ store });
  await server.register('/hook', ['Customer.created']);
  const before = syncs();
  const id = await server.record('Customer.created');
  await server.settled();

  expect((await eventOf(server, id)).deliveryStatus).toBe('Success');
  expect(await jobsLeft(server)).toEqual([]);
  expect(syncs() - before).toBe(1);
});
