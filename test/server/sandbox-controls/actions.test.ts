import { expect, test } from 'vitest';
import { toTimestamp } from '../../../protocol/clock.ts';
import { sandboxActionRoutes } from '../../../server/sandbox-controls/sandbox-action.resource.ts';
import { START_MS } from '../platform/http/small-server.ts';
import { simulatedServer, insertActionRow } from './simulated-server.ts';

const receipt = {
  merchantCopy: 'MERCHANT COPY\nGBP 17.42',
  customerCopy: 'CUSTOMER COPY\nGBP 17.42',
  fields: { amount: '17.42', last4: '1111' },
};

test('GET /sandbox/actions/{id}: returns the state of the action at the server', async () => {
  const server = await simulatedServer(sandboxActionRoutes);
  const terminalId = await server.register('SIM-1');
  const id = await insertActionRow(server, terminalId);
  const { status, body } = await server.call(`GET /sandbox/actions/${id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id,
    status: 'InProgress',
    phase: 'awaitingCard',
    terminalId,
    accountId: server.platformId,
    deadlineTimestamp: toTimestamp(START_MS) + 60,
    transaction: { type: 'Payment', amounts: { requested: 1742 } },
  });
});

test('GET /sandbox/actions/{id}: returns the receipt once there is one', async () => {
  const server = await simulatedServer(sandboxActionRoutes);
  const terminalId = await server.register('SIM-1');
  const id = await insertActionRow(server, terminalId);
  const none = await server.call(`GET /sandbox/actions/${id}/receipt`);
  expect([none.status, none.body.errors]).toEqual([
    404,
    [{ code: 'not_found', message: 'the action has no receipt yet' }],
  ]);
  await server.services.store.run('UPDATE actions SET receipt = ? WHERE id = ?', JSON.stringify(receipt), id);
  const some = await server.call(`GET /sandbox/actions/${id}/receipt`);
  expect([some.status, some.body]).toEqual([200, receipt]);
});

test('GET /sandbox/actions/{id}: finds actions of sub accounts, not of others', async () => {
  const server = await simulatedServer(sandboxActionRoutes);
  const { subAccountId, call } = server;
  const account = { account: subAccountId };
  const theirs = await insertActionRow(server, await server.register('SIM-1', subAccountId), account);
  const ours = await insertActionRow(server, await server.register('SIM-2'));
  const foreign = await insertActionRow(server, await server.register('SIM-3'), {
    account: 'ac_00000000-0000-4000-8000-000000000000',
  });
  const statusOf = async (id: string, headers = {}) =>
    (await call(`GET /sandbox/actions/${id}`, { headers })).status;
  expect([await statusOf(theirs), await statusOf(theirs, account), await statusOf(ours)]).toEqual([
    200, 200, 200,
  ]);
  expect([await statusOf(ours, account), await statusOf(foreign), await statusOf('nonsense')]).toEqual([
    404, 404, 404,
  ]);
  expect((await call(`GET /sandbox/actions/${foreign}/receipt`)).status).toBe(404);
});
