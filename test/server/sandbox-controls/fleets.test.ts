import { expect, test } from 'vitest';
import { fleetRoutes } from '../../../server/sandbox-controls/fleet.resource.ts';
import { sandboxTerminalRoutes } from '../../../server/sandbox-controls/sandbox-terminal.resource.ts';
import { simulatedServer } from './simulated-server.ts';

const routes = [...fleetRoutes, ...sandboxTerminalRoutes];

interface Item {
  id: string;
  serialNumber: string;
}

test('POST /sandbox/fleets: creates a fleet with its own location, once', async () => {
  const { call, activities, services } = await simulatedServer(routes);
  const first = await call('POST /sandbox/fleets', { body: { terminals: 3 } });
  expect(first.status).toBe(200);
  expect(first.body.items.map(({ serialNumber }: Item) => serialNumber)).toEqual([
    'SIM-FLEET-0001',
    'SIM-FLEET-0002',
    'SIM-FLEET-0003',
  ]);
  expect((await call('POST /sandbox/fleets', { body: { terminals: 3 } })).body).toEqual(first.body);
  const listed = (await call('GET /sandbox/terminals')).body.items;
  expect(listed).toMatchObject([{ name: 'Fleet 0001', simulatedBy: 'fleet' }, {}, {}]);
  expect(await services.store.all('SELECT id FROM locations')).toHaveLength(1);
  const registered = activities.filter((activity) => activity.kind === 'terminal.registered');
  expect(registered.map(({ simulatedBy }) => simulatedBy)).toEqual(['fleet', 'fleet', 'fleet']);
});

test('POST /sandbox/fleets: a larger fleet adds to the smaller at its location; a smaller one is part of it', async () => {
  const { call, services } = await simulatedServer(routes);
  const small = (await call('POST /sandbox/fleets', { body: { terminals: 2 } })).body.items;
  const large = (await call('POST /sandbox/fleets', { body: { terminals: 5, namePrefix: 'Stall' } })).body
    .items;
  expect(large.slice(0, 2)).toEqual(small);
  expect((await call('POST /sandbox/fleets', { body: { terminals: 1 } })).body.items).toEqual(
    small.slice(0, 1),
  );
  const rows = await services.store.all('SELECT name, location_id FROM terminals ORDER BY seq');
  expect(rows.map(({ name }) => name)).toEqual([
    'Fleet 0001',
    'Fleet 0002',
    'Stall 0003',
    'Stall 0004',
    'Stall 0005',
  ]);
  expect(new Set(rows.map((row) => row['location_id'])).size).toBe(1);
});

test('POST /sandbox/fleets: new terminals are at the given location', async () => {
  const { call, register, services, subAccountId } = await simulatedServer(routes);
  await register('1853012345', subAccountId);
  const [location] = await services.store.all<{ id: string }>('SELECT id FROM locations');
  const headers = { account: subAccountId };
  const body = { terminals: 2, locationId: location!.id };
  const { status } = await call('POST /sandbox/fleets', { body, headers });
  expect(status).toBe(200);
  const rows = await services.store.all(
    `SELECT account_id, location_id FROM terminals WHERE simulated_by = 'fleet'`,
  );
  expect(rows).toEqual([1, 2].map(() => ({ account_id: subAccountId, location_id: location!.id })));
  // To the platform this location is somebody else's.
  const refused = await call('POST /sandbox/fleets', { body: { terminals: 9, locationId: location!.id } });
  expect([refused.status, refused.body.errors[0].message]).toEqual([404, 'no such location']);
});

test('POST /sandbox/fleets: a terminal that has such a serial number joins the fleet', async () => {
  const { call, register } = await simulatedServer(routes);
  const id = await register('SIM-FLEET-0002');
  const { body } = await call('POST /sandbox/fleets', { body: { terminals: 2 } });
  expect(body.items[1]).toEqual({ id, serialNumber: 'SIM-FLEET-0002' });
  expect((await call(`GET /sandbox/terminals/${id}`)).body.simulatedBy).toBe('fleet');
});

test('POST /sandbox/fleets: a deleted terminal is created again', async () => {
  const { call } = await simulatedServer(routes);
  const before = (await call('POST /sandbox/fleets', { body: { terminals: 2 } })).body.items;
  await call(`DELETE /v1/in-person/terminals/${before[0].id}`);
  const after = (await call('POST /sandbox/fleets', { body: { terminals: 2 } })).body.items;
  expect(after[0].id).not.toBe(before[0].id);
  expect(after[1]).toEqual(before[1]);
});

test('POST /sandbox/fleets: refuses serial numbers of another account', async () => {
  const { call, subAccountId } = await simulatedServer(routes);
  await call('POST /sandbox/fleets', { body: { terminals: 1 }, headers: { account: subAccountId } });
  const { status, body } = await call('POST /sandbox/fleets', { body: { terminals: 1 } });
  expect([status, body.errors[0].code]).toEqual([409, 'conflict']);
});

test('POST /sandbox/fleets: two concurrent calls create one fleet', async () => {
  const { call, services } = await simulatedServer(routes);
  const answers = await Promise.all(
    [1, 2, 3].map(() => call('POST /sandbox/fleets', { body: { terminals: 20 } })),
  );
  for (const { status, body } of answers) expect([status, body]).toEqual([200, answers[0]!.body]);
  expect(await services.store.all('SELECT id FROM terminals')).toHaveLength(20);
});

test('POST /sandbox/fleets: a large fleet is created in batches, complete and in order', async () => {
  const { call } = await simulatedServer(routes);
  const { body } = await call('POST /sandbox/fleets', { body: { terminals: 1_200 } });
  const serials = body.items.map(({ serialNumber }: Item) => serialNumber);
  expect([serials.length, new Set(serials).size, serials[249], serials[250], serials[1_199]]).toEqual([
    1_200,
    1_200,
    'SIM-FLEET-0250',
    'SIM-FLEET-0251',
    'SIM-FLEET-1200',
  ]);
});

test.each([
  [{}, 'terminals is required'],
  [{ terminals: 0 }, 'terminals must'],
  [{ terminals: 10_001 }, 'terminals must'],
  [{ terminals: 2.5 }, 'terminals must be an integer'],
  [{ terminals: 1, namePrefix: '' }, 'namePrefix must'],
  [{ terminals: 1, namePrefix: 'x'.repeat(41) }, 'namePrefix must'],
])('POST /sandbox/fleets: refuses %j', async (body, message) => {
  const { call } = await simulatedServer(routes);
  const answer = await call('POST /sandbox/fleets', { body });
  expect([answer.status, answer.body.errors[0].code]).toEqual([400, 'invalid_field']);
  expect(answer.body.errors[0].message).toContain(message);
});
