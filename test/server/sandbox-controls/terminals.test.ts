import { expect, test } from 'vitest';
import { MachineStepped } from '../../../protocol/messages/inspection.messages.ts';
import { sandboxTerminalRoutes } from '../../../server/sandbox-controls/sandbox-terminal.resource.ts';
import { simulatedServer, insertActionRow } from './simulated-server.ts';

test('GET /sandbox/terminals: returns the terminals of every account, in the order of registration', async () => {
  const server = await simulatedServer(sandboxTerminalRoutes);
  const { platformId, subAccountId, call } = server;
  const ids = [
    await server.register('SIM-1'),
    await server.register('SIM-2', subAccountId),
    await server.register('1853012345'),
  ];
  await call(`DELETE /v1/in-person/terminals/${await server.register('SIM-GONE')}`);
  const { status, body } = await call('GET /sandbox/terminals');
  expect(status).toBe(200);
  const nothing = { online: false, simulatedBy: null, action: null, state: null };
  expect(body.items).toMatchObject([
    { id: ids[0], serialNumber: 'SIM-1', accountId: platformId, ...nothing },
    { id: ids[1], serialNumber: 'SIM-2', accountId: subAccountId, ...nothing },
    { id: ids[2], serialNumber: '1853012345', accountId: platformId, ...nothing },
  ]);
  const theirs = await call('GET /sandbox/terminals', { headers: { account: subAccountId } });
  expect(theirs.body.items.map(({ id }: { id: string }) => id)).toEqual([ids[1]]);
});

test('GET /sandbox/terminals/{id}: returns presence, current action and state', async () => {
  const server = await simulatedServer(sandboxTerminalRoutes);
  const { call, services } = server;
  const id = await server.register('SIM-1');
  const actionId = await insertActionRow(server, id);
  await services.store.run('UPDATE terminals SET online = 1, simulated_by = ? WHERE id = ?', 'fleet', id);
  const step = { event: 'card.presented', status: 'InProgress', deadlineMs: null, atMs: 1 } as const;
  server.gateway.report(MachineStepped, id, { actionId, state: 'readingCard', ...step });
  const { body } = await call(`GET /sandbox/terminals/${id}`);
  expect(body).toEqual({
    id,
    serialNumber: 'SIM-1',
    name: expect.any(String) as string,
    accountId: server.platformId,
    online: true,
    simulatedBy: 'fleet',
    action: { id: actionId, type: 'Payment', status: 'InProgress' },
    state: 'readingCard',
  });
  expect((await call('GET /sandbox/terminals')).body.items).toEqual([body]);
});

test('terminal machine: each step emits an activity', async () => {
  const server = await simulatedServer(sandboxTerminalRoutes);
  const actionId = server.services.ids.make('action');
  const step = { status: 'InProgress', deadlineMs: null, atMs: 1 } as const;
  server.gateway.report(MachineStepped, 'tml_1', {
    actionId,
    event: 'pin.entered',
    state: 'authorising',
    ...step,
  });
  expect(server.activities).toContainEqual({
    kind: 'terminal.stepped',
    terminalId: 'tml_1',
    actionId,
    event: 'pin.entered',
    state: 'authorising',
    deadlineMs: null,
  });
});

test('GET /sandbox/terminals/{id}: a terminal of another platform is not found', async () => {
  const server = await simulatedServer(sandboxTerminalRoutes);
  const id = await server.register('SIM-1');
  const headers = { account: server.subAccountId };
  const { status, body } = await server.call(`GET /sandbox/terminals/${id}`, { headers });
  expect([status, body.errors[0].message]).toEqual([404, 'no such terminal']);
});
