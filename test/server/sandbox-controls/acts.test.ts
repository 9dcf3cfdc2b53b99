import { expect, test } from 'vitest';
import { Simulate, Simulated } from '../../../protocol/messages/sandbox.messages.ts';
import type { BodyOf } from '../../../protocol/message.ts';
import { actRoutes } from '../../../server/sandbox-controls/act.resource.ts';
import type { SimulatedState } from '../../../server/platform/simulation.ts';
import type { SmallServer } from '../platform/http/small-server.ts';
import { simulatedServer } from './simulated-server.ts';

type Request = BodyOf<typeof Simulate>;
type Answer = BodyOf<typeof Simulated>;

const standing: SimulatedState = { power: 'on', network: 'on', paperSheets: 12, screen: ['Present card'] };

/** Plays the simulator of every terminal, answering as told. */
function simulate(server: SmallServer, answer: Partial<Answer> = { ok: true, terminal: standing }): void {
  server.gateway.onSend(({ terminalId, body }) => {
    const { requestId } = body as Request;
    server.gateway.report(Simulated, terminalId, { requestId, ok: true, ...answer });
  });
}

test.each([
  ['present-card', { card: 'visa-contactless' }],
  ['present-card', { card: 'visa-contact-pin', entryMode: 'Contact' }],
  ['remove-card', undefined],
  ['press-keys', { keys: ['1', '2', '3', '4', 'enter'] }],
  ['power', { state: 'off' }],
  ['network', { state: 'on' }],
  ['reader', { state: 'unplugged' }],
  ['paper', { sheets: 0 }],
  ['control', { control: 'fault', argument: 'lost' }],
  ['cardholder', { script: 'wrong-pin-twice', card: 'visa-contact-pin', delayMs: 500 }],
] as const)(
  'POST /sandbox/terminals/{id}: %s %j is done by the simulator of the terminal',
  async (act, body) => {
    const server = await simulatedServer(actRoutes);
    simulate(server);
    const id = await server.register('SIM-1');
    const answer = await server.call(`POST /sandbox/terminals/${id}/${act}`, { body });
    expect([answer.status, answer.body]).toEqual([200, { id, ...standing }]);
    expect(server.gateway.sent).toEqual([
      {
        message: 'simulate',
        terminalId: id,
        body: { requestId: expect.any(String) as string, act: { act, ...body } },
      },
    ]);
  },
);

test.each([
  ['present-card', {}, 'card is required'],
  ['present-card', { card: 5 }, 'card must be a string'],
  ['present-card', { card: 'visa', entryMode: 'Telepathy' }, 'entryMode must be one of'],
  ['press-keys', { keys: [] }, 'keys must'],
  ['press-keys', { keys: ['10'] }, 'keys.0 must be one of'],
  ['power', { state: 'maybe' }, 'state must be one of: [off, on]'],
  ['paper', { sheets: -1 }, 'sheets must'],
  ['cardholder', { script: 'rob' }, 'script must be one of'],
] as const)(
  'POST /sandbox/terminals/{id}: %s %j is refused before the simulator is asked',
  async (act, body, message) => {
    const server = await simulatedServer(actRoutes);
    const id = await server.register('SIM-1');
    const answer = await server.call(`POST /sandbox/terminals/${id}/${act}`, { body });
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, 'invalid_field']);
    expect(answer.body.errors[0].message).toContain(message);
    expect(server.gateway.sent).toEqual([]);
  },
);

test('POST /sandbox/terminals/{id}: the body cannot name another act than the path', async () => {
  const server = await simulatedServer(actRoutes);
  simulate(server);
  const id = await server.register('SIM-1');
  await server.call(`POST /sandbox/terminals/${id}/power`, { body: { act: 'paper', state: 'off' } });
  expect(server.gateway.sent[0]!.body).toMatchObject({ act: { act: 'power', state: 'off' } });
});

test('POST /sandbox/terminals/{id}: an act that the simulator cannot do is refused with its reason', async () => {
  const server = await simulatedServer(actRoutes);
  simulate(server, { ok: false, problem: 'there is no card called vsia', terminal: standing });
  const id = await server.register('SIM-1');
  const { status, body } = await server.call(`POST /sandbox/terminals/${id}/present-card`, {
    body: { card: 'vsia' },
  });
  expect([status, body.errors]).toEqual([
    400,
    [{ code: 'bad_request', message: 'there is no card called vsia' }],
  ]);
});

test('POST /sandbox/terminals/{id}: without a response for five seconds the terminal is not simulated', async () => {
  const server = await simulatedServer(actRoutes);
  const id = await server.register('SIM-1');
  const waiting = server.call(`POST /sandbox/terminals/${id}/power`, { body: { state: 'off' } });
  let answered = false;
  void waiting.then(() => (answered = true));
  await untilSent(server, 1);
  await server.realClock.advance(4_999);
  expect(answered).toBe(false);
  await server.realClock.advance(1);
  const { status, body } = await waiting;
  expect([status, body.errors]).toEqual([
    400,
    [{ code: 'bad_request', message: 'the terminal is not simulated, or its simulator is not connected' }],
  ]);
  // The same question each time, which a simulator does once.
  expect(new Set(server.gateway.sent.map((sent) => (sent.body as Request).requestId)).size).toBe(1);
  expect(server.gateway.sent).toHaveLength(5);
  expect(server.realClock.due).toEqual([]);
});

test('POST /sandbox/terminals/{id}: a simulator that was reconnecting responds to the second request', async () => {
  const server = await simulatedServer(actRoutes);
  const id = await server.register('SIM-1');
  const waiting = server.call(`POST /sandbox/terminals/${id}/remove-card`);
  await untilSent(server, 1);
  simulate(server);
  await server.realClock.advance(1_000);
  expect((await waiting).status).toBe(200);
  expect(server.realClock.due).toEqual([]);
});

test('POST /sandbox/terminals/{id}: accepts only the response to the request, from its terminal', async () => {
  const server = await simulatedServer(actRoutes);
  const [id, other] = [await server.register('SIM-1'), await server.register('SIM-2')];
  const waiting = server.call(`POST /sandbox/terminals/${id}/remove-card`);
  await untilSent(server, 1);
  const { requestId } = server.gateway.sent[0]!.body as Request;
  const { report } = server.gateway;
  report(Simulated, id, { requestId: 'another', ok: false, problem: 'wrong question' });
  report(Simulated, other, { requestId, ok: false, problem: 'wrong terminal' });
  report(Simulated, id, { requestId, ok: true, terminal: standing });
  report(Simulated, id, { requestId, ok: false, problem: 'too late' });
  expect((await waiting).body).toEqual({ id, ...standing });
});

test('POST /sandbox/terminals/{id}: concurrent requests each get their own response', async () => {
  const server = await simulatedServer(actRoutes);
  const ids = await Promise.all(['SIM-1', 'SIM-2', 'SIM-3'].map((serial) => server.register(serial)));
  const waiting = ids.map((id) => server.call(`POST /sandbox/terminals/${id}/remove-card`));
  await untilSent(server, 3);
  for (const { terminalId, body } of server.gateway.sent.toReversed()) {
    const { requestId } = body as Request;
    const screen = [terminalId];
    server.gateway.report(Simulated, terminalId, { requestId, ok: true, terminal: { ...standing, screen } });
  }
  const answers = await Promise.all(waiting);
  expect(answers.map(({ body }) => body.screen)).toEqual(ids.map((id) => [id]));
});

test('POST /sandbox/terminals/{id}: finds terminals of every account of the platform', async () => {
  const server = await simulatedServer(actRoutes);
  simulate(server);
  const { subAccountId, platformId } = server;
  const [theirs, ours] = [await server.register('SIM-1', subAccountId), await server.register('SIM-2')];
  const act = async (id: string, account?: string) =>
    (await server.call(`POST /sandbox/terminals/${id}/remove-card`, { headers: { account } })).status;
  expect([await act(theirs), await act(theirs, subAccountId), await act(ours, platformId)]).toEqual([
    200, 200, 200,
  ]);
  expect(await act(ours, subAccountId)).toBe(404);
  expect(await act('tml_01JGXDFAM0Y2QZJP0SHDFV20F9')).toBe(404);
});

/** Waits until that many questions have been asked; nothing here waits for time. */
async function untilSent(server: SmallServer, count: number): Promise<void> {
  while (server.gateway.sent.length < count) await new Promise((resolve) => setImmediate(resolve));
}
