import { expect, test } from 'vitest';
import { MachineStepped } from '../../../protocol/messages/inspection.messages.ts';
import { sandboxTerminalRoutes } from '../../../server/sandbox-controls/sandbox-terminal.resource.ts';
import { waitForTerminal } from '../../../server/sandbox-controls/terminal-wait.ts';
import { simulatedServer } from './simulated-server.ts';

type Server = Awaited<ReturnType<typeof simulatedServer>>;

const STEP = { event: 'card.presented', status: 'InProgress', deadlineMs: null, atMs: 1 } as const;

const step = (server: Server, terminalId: string, state: string) =>
  server.services.activities.emit({
    ...STEP,
    kind: 'terminal.stepped',
    terminalId,
    actionId: 'act_1',
    state,
  });

/** Waits for a terminal that is in no state until it steps. */
const wait = (server: Server, query: Parameters<typeof waitForTerminal>[2]) =>
  waitForTerminal({ ...server.services, realClock: server.realClock }, 'tml_1', query, async (state) => ({
    online: false,
    state: state ?? null,
  }));

test('GET /sandbox/terminals/{id}: with a state, replies at once when the terminal is in it', async () => {
  const server = await simulatedServer(sandboxTerminalRoutes);
  const id = await server.register('SIM-1');
  server.gateway.report(MachineStepped, id, { actionId: 'act_1', state: 'approved.printing', ...STEP });
  const { status, body } = await server.call(`GET /sandbox/terminals/${id}?state=printing&online=false`);
  expect([status, body.state, body.online]).toEqual([200, 'approved.printing', false]);
});

test('GET /sandbox/terminals/{id}: with a state, replies when the terminal steps there', async () => {
  const server = await simulatedServer(sandboxTerminalRoutes);
  const id = await server.register('SIM-1');
  const replied = server.call(`GET /sandbox/terminals/${id}?state=awaitingPin`);
  // Before the call listens or after: both end it.
  server.gateway.report(MachineStepped, id, { actionId: 'act_1', state: 'awaitingPin', ...STEP });
  expect((await replied).body).toMatchObject({ id, state: 'awaitingPin' });
});

test('GET /sandbox/terminals/{id}: with waitSeconds 0, replies as the terminal is', async () => {
  const server = await simulatedServer(sandboxTerminalRoutes);
  const id = await server.register('SIM-1');
  const { body } = await server.call(`GET /sandbox/terminals/${id}?online=true&waitSeconds=0`);
  expect(body).toMatchObject({ id, online: false, state: null });
});

test.each(['state=awaiting-pin', 'online=perhaps', 'waitSeconds=11', 'waitSeconds=-1'])(
  'GET /sandbox/terminals/{id}?%s: is refused',
  async (query) => {
    const server = await simulatedServer(sandboxTerminalRoutes);
    const id = await server.register('SIM-1');
    expect((await server.call(`GET /sandbox/terminals/${id}?${query}`)).status).toBe(400);
  },
);

test('wait for a terminal: does not miss a state that it leaves at once', async () => {
  const server = await simulatedServer([]);
  const waiting = wait(server, { state: 'awaitingPin,failed' });
  for (const state of ['reading', 'awaitingPin', 'verifyingPin', 'authorising']) step(server, 'tml_1', state);
  expect(await waiting).toEqual({ online: false, state: 'awaitingPin' });
});

test('wait for a terminal: the steps of another terminal do not end it, and its seconds do', async () => {
  const server = await simulatedServer([]);
  const waiting = wait(server, { state: 'awaitingPin', waitSeconds: 3 });
  step(server, 'tml_2', 'awaitingPin');
  await server.realClock.advance(3_000);
  expect(await waiting).toEqual({ online: false, state: null });
});

test('wait for a terminal: sees what another server has saved', async () => {
  const server = await simulatedServer(sandboxTerminalRoutes);
  const id = await server.register('SIM-1');
  const seen: boolean[] = [];
  const parts = { ...server.services, realClock: server.realClock };
  const waiting = waitForTerminal(parts, id, { online: true }, async () => {
    const row = await server.services.store.get<{ online: number }>(
      'SELECT online FROM terminals WHERE id = ?',
      id,
    );
    seen.push(row!.online === 1);
    return { online: row!.online === 1, state: null };
  });
  await expect.poll(() => seen).toEqual([false]);
  await server.services.store.run('UPDATE terminals SET online = 1 WHERE id = ?', id);
  await server.realClock.advance(1_000);
  expect(await waiting).toEqual({ online: true, state: null });
});
