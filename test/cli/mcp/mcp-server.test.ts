import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApi, httpTransport } from '../../../cli/client/api-client.ts';
import { createBegunActions } from '../../../cli/mcp/begun-actions.ts';
import { createMcpServer } from '../../../cli/mcp/mcp-server.ts';
import type { ToolContext } from '../../../cli/mcp/tool.ts';
import { openTill } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

let world: World;
let client: Client;
beforeEach(async () => {
  const settings = { requestLog: { countMax: 100, days: 1 }, idempotencyKeys: 'off' } as const;
  world = await startWorld({ settings });
  await connect();
});
afterEach(async () => {
  await client.close();
  await world.close();
});

/** Connects to another process of `tapbench mcp`. */
async function connect(): Promise<void> {
  client = new Client({ name: 'test', version: '1' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createMcpServer(contextOf(world)).connect(ours);
  await client.connect(theirs);
}

/** Tools that call a world, where time passes while they wait. */
function contextOf({ server, clock, advance, fetch, forTerminals }: World): ToolContext {
  const { publicUrl: url, secretKey } = server.services.settings;
  const environment = { clock, fetch, interrupted: new AbortController().signal };
  const transport = httpTransport(environment, { url });
  return {
    nowMs: () => clock.nowMs(),
    pause: (ms) => advance({ ms }),
    unique: () => Buffer.from(forTerminals.random.bytes(5)).toString('hex'),
    api: (_sandbox, account) => createApi(environment, transport, { url, secretKey, account }),
    begun: createBegunActions(),
    shopRuns: {
      playDrill: () => Promise.reject(new Error('a world plays no drills')),
      hunt: () => Promise.reject(new Error('a world hunts in no shop')),
    },
    compare: () => Promise.reject(new Error('a world has no other server')),
    certificateRuns: { certify: () => Promise.reject(new Error('a world makes no certificates')) },
    host: () => createApi(environment, transport, { url, secretKey }),
    createSandbox: () => Promise.reject(new Error('a world has one sandbox')),
    download: () => Promise.reject(new Error('a world serves no files')),
    forget: () => {},
  };
}

async function use(name: string, inputs: object = {}): Promise<Json> {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: { ...inputs } });
  return isError ? { error: (content as { text: string }[])[0]!.text } : structuredContent;
}

test('mcp: every tool has a description of itself and of its inputs, says whether it changes anything, and is in the documents', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('take_payment');
  const page = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8');
  for (const { name, description, inputSchema, annotations } of tools) {
    expect(page).toContain(`\`${name}\``);
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
    error: 'orderId order-1 was used for a payment of 1742 GBP: use a new one',
  });
});

const LOST_REPLY = (operation: string) => ({
  faults: [{ at: 'api.reply', what: 'reset', when: { operation } }],
});
const TERMINAL_PAYMENT = 'POST /v1/in-person/terminals/{id}/payment';

test('mcp: take_payment whose reply is lost finds the payment by its order, without idempotency keys', async () => {
  await world.addTerminal({ cardholder: { script: 'tap' } });
  await world.api.post('/sandbox/faults', LOST_REPLY(TERMINAL_PAYMENT));
  const order = { amount: 1742, orderId: 'a "first" order' };
  const first = await use('take_payment', order);
  expect(first).toMatchObject({ outcome: 'Succeeded', paymentSession: { status: 'Captured' } });
  const plans = (await world.api.get('/sandbox/faults')).body.items;
  expect(plans.map(({ struck }: Json) => struck)).toEqual([1]);
  // Another process remembers nothing of it.
  await connect();
  expect(await use('take_payment', order)).toMatchObject({ actionId: first.actionId });
  expect((await world.api.get('/v1/payment-sessions')).body.items).toHaveLength(1);
});

test('mcp: take_payment that is called twice at once for an order charges once', async () => {
  await world.addTerminal();
  const order = { amount: 1742, orderId: 'order-1', card: 'visa-contactless', waitSeconds: 0 };
  const [first, second] = await Promise.all([use('take_payment', order), use('take_payment', order)]);
  expect(second.actionId).toBe(first.actionId);
  expect((await world.api.get('/v1/payment-sessions')).body.items).toHaveLength(1);
});

test('mcp: take_payment presents the card that it was asked for, and types its PIN, whatever the cardholder of the terminal does', async () => {
  for (const delayMs of [0, 1, 1000]) {
    await world.addTerminal({ cardholder: { script: 'tap', delayMs }, readLatencyMs: 0 });
    const terminal = (await world.api.get('/v1/in-person/terminals')).body.items[0].id;
    const order = { amount: 1742, orderId: `order-${delayMs}`, card: 'mastercard-contact-pin', terminal };
    expect(await use('take_payment', order)).toMatchObject({
      outcome: 'Succeeded',
      paymentSession: { paymentMethod: { card: { last4: '4444' } } },
    });
  }
});

test('mcp: take_payment that waits for a card continues with the card of a later call', async () => {
  await world.addTerminal();
  const order = { amount: 1742, orderId: 'order-1', waitSeconds: 5 };
  expect(await use('take_payment', order)).toMatchObject({ outcome: 'InProgress' });
  const card = 'visa-contact-pin';
  expect(await use('take_payment', { ...order, card })).toMatchObject({ outcome: 'Succeeded' });
});

test('mcp: take_payment with a card that does not exist, or that the terminal does not take, begins nothing', async () => {
  await world.addTerminal({ deviceType: 'Pocket Reader' });
  const order = { amount: 1742, orderId: 'order-1' };
  for (const [card, problem] of [
    ['vsa', "there is no card 'vsa'"],
    ['visa-contact-pin', 'this terminal does not take Contact'],
  ])
    expect(await use('take_payment', { ...order, card })).toEqual({
      error: expect.stringContaining(problem!),
    });
  expect((await world.api.get('/v1/payment-sessions')).body.items).toEqual([]);
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
  const { error } = await use('refund_payment', { ...refund, amount: 600 });
  expect(error).toBe('refundId refund-1 was used for another refund: use a new one');
  // Another process remembers nothing of it.
  await connect();
  expect(await use('refund_payment', refund)).toMatchObject({ actionId: first.actionId });
  expect(await use('refund_payment', { ...refund, refundId: 'refund-2' })).toMatchObject({
    paymentSession: { refundedAmount: 1000 },
  });
});

test('mcp: refund_payment that was refused is tried again when it is called again', async () => {
  const till = openTill(world, await world.addTerminal());
  const { id } = await till.takes(1742);
  await till.pay(500);
  const refund = { paymentSessionId: id, refundId: 'refund-1', card: 'visa-contactless' };
  expect(await use('refund_payment', refund)).toEqual({ error: expect.stringContaining('in progress') });
  await till.cancel();
  await world.settled();
  expect(await use('refund_payment', refund)).toMatchObject({ outcome: 'Succeeded' });
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
  expect(await use('call_api', { ...post, body: {}, idempotencyKey: 'kim' })).toEqual({
    error: 'idempotencyKey was used for another call: use a new one',
  });
});

test('mcp: call_api whose reply is lost does not send it again, and says what to look for', async () => {
  await world.api.post('/sandbox/faults', LOST_REPLY('POST /v1/payment-sessions'));
  const body = { amount: 1742, currency: 'GBP' };
  const post = { method: 'POST', path: '/v1/payment-sessions', body, idempotencyKey: 'session' };
  await use('call_api', post);
  expect(await use('call_api', post)).toEqual({
    error: expect.stringContaining('got no reply and may have been done'),
  });
  expect((await world.api.get('/v1/payment-sessions')).body.items).toHaveLength(1);
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
  expect(after).toMatchObject({ nowTimestamp: before.nowTimestamp + 3_600 });
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
