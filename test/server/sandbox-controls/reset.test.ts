import { expect, test } from 'vitest';
import { CLEARED_TABLES, PRESERVED_TABLES } from '../../../server/sandbox-controls/reset.resource.ts';
import { auditLedger } from '../../../server/api/ledger/audit.ts';
import { openCheckout } from '../../kit/checkout.ts';
import { startWorld } from '../../../testing/world/world.ts';

test('POST /sandbox/reset: deletes all but the keys and the first two accounts, which are as at the start', async () => {
  const world = await startWorld();
  const { api, platformId, subAccountId } = world;
  const before = (await api.get(`/v1/accounts/${subAccountId}`)).body;
  const added = (await api.post('/v1/accounts', { email: 'ana@corner.example' })).body.id;
  const { terminalId } = await world.addTerminal();
  await world.listen('shop', ['PaymentSession.captured']);
  const shop = openCheckout(api.as(added));
  const session = await shop.captured({ amount: 5_000 });
  await api.patch(`/v1/accounts/${subAccountId}`, {
    settings: { payouts: { schedule: { type: 'Manual' } } },
  });

  expect((await api.post('/sandbox/reset')).body).toEqual({ platformId, subAccountId });
  // As a simulator does that knows of the reset: left there it would try to connect for days.
  await world.fleet.remove(terminalId);
  await world.settled();
  expect((await api.get(`/v1/payment-sessions/${session.id}`)).status).toBe(404);
  for (const list of ['payment-sessions', 'events', 'webhooks', 'in-person/terminals', 'customers']) {
    expect([list, (await api.get(`/v1/${list}`)).body.items]).toEqual([list, []]);
  }
  // Also the account that had been acted for a moment ago.
  expect((await api.as(added).get('/v1/payment-sessions')).status).toBe(403);
  expect((await api.get(`/v1/accounts/${added}`)).status).toBe(404);
  const after = (await api.get(`/v1/accounts/${subAccountId}`)).body;
  expect(after).toEqual({ ...before, createdTimestamp: after.createdTimestamp });
  expect((await api.get('/v1/in-person/products')).body.items).toHaveLength(2);

  // It goes on from there, and what was due before comes to nothing.
  await openCheckout(api).captured({ amount: 700 });
  await world.advance({ minutes: 8 * 24 * 60 });
  const { store } = world.server.services;
  expect(await store.transaction((tx) => auditLedger(tx, world.clock.nowMs()))).toEqual([]);
  await world.close();
});

test('POST /sandbox/reset: every table is either deleted or kept', async () => {
  const world = await startWorld();
  const rows = await world.server.services.store.all<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual([...CLEARED_TABLES, ...PRESERVED_TABLES].sort());
  await world.close();
});
