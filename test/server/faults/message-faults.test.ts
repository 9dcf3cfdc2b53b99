import { expect, onTestFinished, test } from 'vitest';
import { startFaultTill } from './fault-world.ts';

const CARD = { act: 'present-card', card: 'visa-contactless' } as const;

test('faults of messages: a lost command leaves the terminal without its action, and the server ends it at its deadline', async () => {
  const { world, till, put, struck } = await startFaultTill();
  const plan = await put({ at: 'message.command', what: 'lost', when: { message: 'action.start' } });
  await till.pay(1742);
  await world.settled();
  expect(till.terminal.status.state).toBeUndefined();
  expect((await till.action()).status).toBe('InProgress');
  await world.advance({ minutes: 10 });
  expect(await till.action()).toMatchObject({ status: 'Failed' });
  expect(await struck(plan)).toEqual(['lost action.start']);
});

test('faults of messages: a payment whose messages all come twice is captured once', async () => {
  const { world, till, put, struck } = await startFaultTill();
  const plan = await put([
    { at: 'message.command', what: 'twice', when: { times: 1_000 } },
    { at: 'message.report', what: 'twice', when: { times: 1_000 } },
  ]);
  const { body } = await till.pay(1742);
  await till.reaches('awaitingCard');
  till.terminal.perform(CARD);
  await world.settled();
  const sessionId = body.action.transaction.paymentSessionId;
  expect(await till.session(sessionId)).toMatchObject({ status: 'Captured' });
  expect(await till.movements(sessionId)).toEqual(['Authorization', 'Capture']);
  expect(await struck(plan)).toEqual(
    expect.arrayContaining(['twice action.start', 'twice action.authorise', 'twice action.completed']),
  );
});

test('faults of messages: a report that is delayed arrives after its time', async () => {
  const { world, till, put } = await startFaultTill();
  await put({ at: 'message.report', what: 'delay', delayMs: 7_000, when: { message: 'action.completed' } });
  const { body } = await till.pay(1742);
  await till.reaches('awaitingCard');
  till.terminal.perform(CARD);
  await world.settled();
  const status = async () => (await till.session(body.action.transaction.paymentSessionId)).status;
  expect(await status()).toBe('Approved');
  await world.advance({ ms: 6_999 });
  expect(await status()).toBe('Approved');
  await world.advance({ ms: 1 });
  expect(await status()).toBe('Captured');
});

test('faults of messages: a report out of order arrives after the next one, and is taken all the same', async () => {
  const { world, till, put, struck } = await startFaultTill();
  const plan = await put({ at: 'message.report', what: 'out-of-order', when: { message: 'receipt.ready' } });
  const { body } = await till.pay(1742);
  await till.reaches('awaitingCard');
  till.terminal.perform(CARD);
  await world.settled();
  await world.advance({ minutes: 5 });
  const sessionId = body.action.transaction.paymentSessionId;
  expect(await till.movements(sessionId)).toEqual(['Authorization', 'Capture']);
  expect(await till.action()).toMatchObject({ status: 'Succeeded' });
  expect(await struck(plan)).toEqual(['out-of-order receipt.ready']);
});

test('faults of messages: a payment whose report of the receipt is lost has its receipt at the server', async () => {
  const { world, till, put, struck } = await startFaultTill();
  const plan = await put({ at: 'message.report', what: 'lost', when: { message: 'receipt.ready' } });
  const { body } = await till.pay(1742);
  await till.reaches('awaitingCard');
  till.terminal.perform(CARD);
  await world.settled();
  const session = await till.session(body.action.transaction.paymentSessionId);
  expect(session).toMatchObject({ status: 'Captured' });
  const receipt = await world.api.get(`/sandbox/actions/${body.action.id}/receipt`);
  expect(receipt.body).toMatchObject({ fields: { POITransactionID: body.action.id } });
  expect(await struck(plan)).toEqual(['lost receipt.ready']);
});

test('faults of terminals: a power cut in a state of the machine, and its power comes back', async () => {
  const { world, till, put, struck } = await startFaultTill();
  const plan = await put({
    at: 'terminal.state',
    what: 'power-cut',
    delayMs: 20_000,
    when: { state: 'awaitingCard', id: till.terminal.terminalId },
  });
  await till.pay(1742);
  await world.settled();
  expect(till.terminal.online).toBe(false);
  await world.advance({ seconds: 20 });
  expect(till.terminal.online).toBe(true);
  expect(await struck(plan)).toEqual(['power-cut awaitingCard']);
});

test('faults of terminals: a network that goes down while the PIN is typed', async () => {
  const { world, till, put, struck } = await startFaultTill();
  const plan = await put({ at: 'terminal.state', what: 'network-down', when: { state: 'awaitingPin' } });
  await till.pay(1742);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contact-pin' });
  await world.settled();
  expect(await struck(plan)).toEqual([expect.stringContaining('network-down')]);
  expect(till.terminal.online).toBe(false);
  await world.advance({ seconds: 6 });
  expect(till.terminal.online).toBe(true);
});

test('faults: each strike is on the timeline of what it concerned', async () => {
  const { world, till, put } = await startFaultTill();
  await put([
    { at: 'message.report', what: 'twice', when: { message: 'action.completed' } },
    { at: 'terminal.state', what: 'paper-out', when: { state: 'awaitingCard' } },
  ]);
  const { body } = await till.pay(1742);
  await till.reaches('awaitingCard');
  till.terminal.perform(CARD);
  await world.settled();
  const { timelineLog } = world.server.dashboard;
  const entries = timelineLog
    .entriesOf({ kind: 'action', id: body.action.id })
    .filter(({ kind }) => kind === 'fault');
  expect(entries.map(({ lane, show }) => [lane, show().title, show().tone])).toEqual([
    ['machine', 'paper-out: awaitingCard', 'warn'],
    ['wire', 'twice: action.completed', 'warn'],
  ]);
});

test('faults: a plan survives a restart of the server with its counts, a fork has it too, and a reset ends it', async () => {
  const { world, put } = await startFaultTill();
  const api = world.api;
  const get = async (from = world) => (await from.api.get('/v1/customers')).status;
  const when = { operation: 'GET /v1/customers', nth: 2, times: 2 };
  const plan = await put({ at: 'api.request', what: 'unavailable', when });
  expect([await get(), await get()]).toEqual([200, 503]);
  const fork = await world.fork();
  onTestFinished(() => fork.close());
  await world.restartServer();
  expect([await get(), await get()]).toEqual([503, 200]);
  expect([await get(fork), await get(fork)]).toEqual([503, 200]);
  expect((await api.get(`/sandbox/faults/${plan}`)).body).toMatchObject({ status: 'Ended', struck: 2 });
  await put({ at: 'api.request', what: 'unavailable', when: { operation: 'GET /v1/customers' } });
  expect((await api.post('/sandbox/reset')).status).toBe(200);
  expect(await get()).toBe(200);
  expect((await api.get('/sandbox/faults')).body.items).toEqual([]);
});

test.each([
  'unknown-message',
  'cut-message',
  'large-body',
  'other-action',
  'report-request',
  'presence-request',
])('faults of messages: a payment is captured once with %s at its decision and its end', async (what) => {
  const { world, till, put, struck } = await startFaultTill();
  const commands = ['action.decision', 'action.ended'];
  const plan = await put(commands.map((message) => ({ at: 'message.command', what, when: { message } })));
  const { body } = await till.pay(1742);
  await till.reaches('awaitingCard');
  till.terminal.perform(CARD);
  await world.settled();
  await world.advance({ minutes: 1 });
  const sessionId = body.action.transaction.paymentSessionId;
  expect(await till.movements(sessionId)).toEqual(['Authorization', 'Capture']);
  expect(await struck(plan)).toEqual(commands.map((message) => `${what} ${message}`));
});
