import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApi } from '../../../cli/api-client.ts';
import { injectTransport } from '../../../cli/inject-transport.ts';
import { createMcpServer } from '../../../cli/mcp/mcp-server.ts';
import type { ToolContext } from '../../../cli/mcp/tool.ts';
import { openTill } from '../../kit/till.ts';
import { startWorld, type World } from '../../kit/world.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

let world: World;
let client: Client;
beforeEach(async () => {
  world = await startWorld({ settings: { requestLog: { countMax: 100, days: 1 } } });
  client = new Client({ name: 'test', version: '1' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createMcpServer(contextOf(world)).connect(ours);
  await client.connect(theirs);
});
afterEach(async () => {
  await client.close();
  await world.close();
});

/** Tools that call a world, where time passes while they wait. */
function contextOf({ server, clock, advance, forTerminals }: World): ToolContext {
  const { publicUrl: url, secretKey } = server.services.settings;
  const surroundings = { clock, interrupted: new AbortController().signal };
  return {
    nowMs: () => clock.nowMs(),
    pause: (ms) => advance({ ms }),
    unique: () => Buffer.from(forTerminals.random.bytes(5)).toString('hex'),
    api: (_sandbox, account) => createApi(surroundings, injectTransport(server), { url, secretKey, account }),
    host: () => createApi(surroundings, injectTransport(server), { url, secretKey }),
    createSandbox: () => Promise.reject(new Error('a world has one sandbox')),
    download: () => Promise.reject(new Error('a world serves no files')),
    forget: () => {},
  };
}

async function use(name: string, inputs: object = {}): Promise<Json> {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: { ...inputs } });
  return isError ? { error: (content as { text: string }[])[0]!.text } : structuredContent;
}

test('mcp: every tool has a description of itself and of its inputs, and says whether it changes anything', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('take_payment');
  for (const { description, inputSchema, annotations } of tools) {
    expect(description).toMatch(/^[A-Z].*\.$/s);
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(annotations).toMatchObject({ readOnlyHint: expect.any(Boolean) });
  }
});

test('mcp: take_payment presents the card, types the PIN and returns the captured payment', async () => {
  await world.addTerminal();
  const paid = await use('take_payment', {
    amount: 1742,
    orderId: 'order-1',
    card: 'visa-contact-pin',
    pin: '1234',
  });
  expect(paid).toMatchObject({
    outcome: 'Succeeded',
    paymentSession: { status: 'Captured', amount: 1742, metadata: { orderId: 'order-1' } },
  });
});

test('mcp: take_payment that is called again for an order returns the first payment and charges once', async () => {
  await world.addTerminal();
  const order = { amount: 1742, orderId: 'order-1', card: 'visa-contactless' };
  const first = await use('take_payment', order);
  const again = await use('take_payment', order);
  expect(again).toMatchObject({ outcome: 'Succeeded', actionId: first.actionId });

  // Also when the terminal has taken another payment meanwhile.
  await use('take_payment', { ...order, orderId: 'order-2' });
  const later = await use('take_payment', order);
  expect(later.paymentSession).toMatchObject({ id: first.paymentSession.id, status: 'Captured' });
  expect((await world.api.get('/v1/payment-sessions')).body.items).toHaveLength(2);

  expect(await use('take_payment', { ...order, amount: 1743 })).toEqual({
    error: expect.stringMatching(/422/),
  });
});

test('mcp: take_payment that is interrupted at the PIN continues where the payment stands', async () => {
  await world.addTerminal();
  const order = { amount: 1742, orderId: 'order-1', card: 'visa-contact-pin', waitSeconds: 5 };
  expect(await use('take_payment', order)).toMatchObject({ outcome: 'InProgress' });
  expect(await use('take_payment', { ...order, pin: '1234' })).toMatchObject({ outcome: 'Succeeded' });
});

test('mcp: take_payment says why a card was not presented', async () => {
  await world.addTerminal();
  const order = { amount: 1742, orderId: 'order-1', card: 'vsa', waitSeconds: 2 };
  expect(await use('take_payment', order)).toMatchObject({
    outcome: 'InProgress',
    problems: [expect.stringContaining("there is no card 'vsa'")],
  });
});

test('mcp: refund_payment refunds once for one refundId', async () => {
  const { id } = await openTill(world, await world.addTerminal()).takes(1742);
  const refund = { paymentSessionId: id, amount: 500, refundId: 'refund-1', card: 'visa-contactless' };
  const first = await use('refund_payment', refund);
  expect(first).toMatchObject({ outcome: 'Succeeded', paymentSession: { refundedAmount: 500 } });
  expect(await use('refund_payment', refund)).toMatchObject({
    actionId: first.actionId,
    paymentSession: { refundedAmount: 500 },
  });
});

test('mcp: get_object returns an object of any kind by its id', async () => {
  const till = openTill(world, await world.addTerminal());
  const session = await till.takes(1742);
  const customer = (await world.api.post('/v1/customers', { email: 'kim@example.com' })).body;
  const [event] = (await use('list_events', { limit: 1 })).items;
  const action = await till.action();
  const ids = [session.id, customer.id, event.id, action.id, till.terminal.terminalId, world.subAccountId];
  for (const id of ids) expect(await use('get_object', { id })).toMatchObject({ id });
  expect(await use('get_object', { id: 'nothing_1' })).toEqual({
    error: "no operation returns an object by the id 'nothing_1' alone",
  });
});

test('mcp: list_requests finds the refused request of the integrator, and get_object explains it', async () => {
  await world.api.post('/v1/customers', { email: 5 });
  const [request] = (await use('list_requests', { status: '4xx' })).items;
  expect(request).toMatchObject({ method: 'POST', path: '/v1/customers', status: 400 });
  expect(await use('get_object', { id: request.id })).toMatchObject({
    body: { email: 5 },
    reply: { code: '400' },
  });
});

test('mcp: call_api does a POST with one idempotencyKey once', async () => {
  const post = { method: 'POST', path: '/v1/customers', body: { email: 'kim@example.com' } };
  expect(await use('call_api', post)).toEqual({ error: 'idempotencyKey is required for POST' });
  const first = await use('call_api', { ...post, idempotencyKey: 'kim' });
  expect(first.status).toBe(200);
  expect(await use('call_api', { ...post, idempotencyKey: 'kim' })).toEqual(first);
  expect((await world.api.get('/v1/customers')).body.items).toHaveLength(1);
});

test('mcp: call_api returns the refusal of a call that breaks a rule', async () => {
  expect(await use('call_api', { method: 'GET', path: '/v1/customers/cus_1' })).toMatchObject({
    status: 404,
  });
});

test('mcp: simulate and get_terminal show what happens at a terminal', async () => {
  const { terminalId } = await world.addTerminal();
  await use('simulate', { act: { act: 'power', state: 'off' } });
  await world.settled();
  expect(await use('get_terminal')).toMatchObject({
    terminal: { id: terminalId },
    simulation: { online: false },
  });
  expect(await use('simulate', { act: { act: 'press-keys', keys: ['OK'] } })).toEqual({
    error: expect.stringContaining('act.keys.0 must be one of'),
  });
});

test('mcp: advance_clock moves the time, and trigger_event makes an event happen', async () => {
  const before = await use('get_clock');
  const after = await use('advance_clock', { seconds: 3_600 });
  expect(after.nowTimestamp).toBe(before.nowTimestamp + 3_600);
  expect(await use('trigger_event', { eventType: 'PaymentSession.captured' })).toMatchObject({
    eventType: 'PaymentSession.captured',
  });
});

test('mcp: an input that does not exist or is not valid is named', async () => {
  const { error } = await use('take_payment', { amount: 17.42, order: 'order-1' });
  expect(error).toContain('amount must be an integer');
  expect(error).toContain('orderId is required');
  expect(error).toContain('order is not a known field');
});

test('mcp: a sandbox without a terminal says how to register one', async () => {
  expect(await use('take_payment', { amount: 1742, orderId: 'order-1' })).toEqual({
    error: expect.stringContaining('there is no terminal'),
  });
});
