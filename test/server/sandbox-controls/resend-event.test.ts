import { expect, test } from 'vitest';
import { deliveryJobs } from '../../../server/platform/outbox/delivery-jobs.ts';
import { raise } from '../../../server/api/webhooks/event-log.ts';
import { webhookRoutes } from '../../../server/api/webhooks/webhook.resource.ts';
import { deliveryRoutes } from '../../../server/sandbox-controls/delivery.resource.ts';
import { fakeJobs } from '../platform/http/fake-jobs.ts';
import { smallServer, type SmallServer } from '../platform/http/small-server.ts';

const byKey = (a: { key: string }, b: { key: string }) => a.key.localeCompare(b.key);

const ROUTES = [...webhookRoutes, ...deliveryRoutes];

/** A small server on which events are recorded and their delivery jobs are kept, not done. */
async function eventServer() {
  const jobs = fakeJobs();
  const server = await smallServer(ROUTES, {}, { jobs });
  return { ...server, jobs };
}

async function listen({ call }: SmallServer): Promise<string> {
  const webhook = { url: 'https://shop.example/hook', active: true, eventTypes: ['Terminal.action_updated'] };
  return (await call('POST /v1/webhooks', { body: webhook })).body.id;
}

async function happen({ services, platformId }: SmallServer, accountId = platformId): Promise<string> {
  await services.store.transaction(async (tx) =>
    raise(tx, services, { type: 'Terminal.action_updated', accountId, data: { id: 'tml_1' } }),
  );
  const row = await services.store.get<{ id: string }>('SELECT id FROM events ORDER BY seq DESC LIMIT 1');
  return row!.id;
}

test('POST /sandbox/events/{eventId}/deliver: delivers an event again to the endpoints that listened for it', async () => {
  const server = await eventServer();
  const webhooks = [await listen(server), await listen(server)];
  const eventId = await happen(server);
  const settle = `UPDATE deliveries SET state = ?, attempts = ? WHERE webhook_id = ?`;
  await server.services.store.run(settle, 'Acknowledged', 1, webhooks[0]!);
  await server.services.store.run(settle, 'Failed', 7, webhooks[1]!);
  server.jobs.added.length = 0;

  const { status, body } = await server.call(`POST /sandbox/events/${eventId}/deliver`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: eventId,
    deliveryStatus: 'Pending',
    endpoints: [
      { webhookId: webhooks[0], acknowledged: false, attempts: 1 },
      { webhookId: webhooks[1], acknowledged: false, attempts: 7 },
    ],
  });
  const dueMs = server.clock.nowMs();
  const expected = deliveryJobs([{ eventId, webhookIds: webhooks, inOrderOf: 'tml_1' }], dueMs);
  expect(server.jobs.added.toSorted(byKey)).toEqual(expected.toSorted(byKey));
});

test('POST /sandbox/events/{eventId}/deliver: an event without endpoints is delivered to none', async () => {
  const server = await eventServer();
  const eventId = await happen(server);
  await listen(server);
  const { status, body } = await server.call(`POST /sandbox/events/${eventId}/deliver`);
  expect([status, body.endpoints, body.deliveryStatus]).toEqual([200, [], 'None']);
  expect(server.jobs.added).toEqual([]);
});

test('POST /sandbox/events/{eventId}/deliver: finds events of sub accounts, not unknown ones', async () => {
  const server = await eventServer();
  const theirs = await happen(server, server.subAccountId);
  const ours = await happen(server);
  const deliver = async (id: string, account?: string) =>
    (await server.call(`POST /sandbox/events/${id}/deliver`, { headers: { account } })).status;
  expect([await deliver(theirs), await deliver(theirs, server.subAccountId)]).toEqual([200, 200]);
  expect([await deliver(ours, server.subAccountId), await deliver('nonsense')]).toEqual([404, 404]);
});
