import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startAgent as startMcp } from '../kit/mcp-agent.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

/** Starts `tapbench mcp` as a coding agent does, with the data folder of a server. */
const startAgent = (tapbench: Tapbench, cwd?: string) =>
  startAgentWith({ TAPBENCH_URL: tapbench.url, DATA_DIR: tapbench.dataDir! }, cwd);

const startAgentWith = (env: Record<string, string>, cwd?: string) => startMcp(fixture, { env, cwd });

test('mcp: an agent that starts before its server finds it in the data folder, also on another port', async () => {
  const dataDir = fixture.folder();
  const { use } = await startAgentWith({ DATA_DIR: dataDir });
  expect(await use('get_clock')).toEqual({ error: expect.stringContaining('SECRET_KEY is not set') });
  const first = await fixture.tapbench({ dataDir });
  await use('create_sandbox', { name: 'agent' });
  await first.kill('SIGTERM');
  await fixture.tapbench({ dataDir });
  const sandboxes = (await use('list_sandboxes')).items.map(({ name }: Json) => name);
  expect(sandboxes.toSorted()).toEqual(['agent', 'default']);
});

test('mcp: an agent of a sandbox reaches the other sandboxes, and the server', async () => {
  const tapbench = await fixture.tapbench();
  await fixture.run(['sandbox', 'create', 'one'], { env: { DATA_DIR: tapbench.dataDir! } });
  await fixture.run(['sandbox', 'create', 'two'], { env: { DATA_DIR: tapbench.dataDir! } });
  const { use } = await startAgentWith({ DATA_DIR: tapbench.dataDir!, TAPBENCH_SANDBOX: 'one' });
  await use('advance_clock', { seconds: 86_400 });
  expect((await use('get_clock')).offsetSeconds).toBeGreaterThanOrEqual(86_400);
  expect(await use('get_clock', { sandbox: 'two' })).toMatchObject({ offsetSeconds: 0 });
  expect((await use('list_sandboxes')).items).toHaveLength(3);
});

test('mcp: an agent creates a sandbox, takes a payment in it twice for one order, and it is charged once', async () => {
  const tapbench = await fixture.tapbench();
  const { client, use } = await startAgent(tapbench);
  expect(client.getInstructions()).toContain('No real money moves.');

  await use('create_sandbox', { name: 'agent', from: 'default' });
  const order = { amount: 1742, orderId: 'order-1', sandbox: 'agent' };
  const first = await use('take_payment', order);
  expect(first).toMatchObject({ outcome: 'Succeeded', paymentSession: { status: 'Captured' } });
  expect(await use('take_payment', order)).toMatchObject({ actionId: first.actionId });

  const sessions = { method: 'GET', path: '/v1/payment-sessions' };
  expect((await use('call_api', { ...sessions, sandbox: 'agent' })).body.items).toHaveLength(1);
  expect((await use('call_api', sessions)).body.items).toEqual([]);
  await use('delete_sandbox', { name: 'agent' });
  expect((await use('list_sandboxes')).items.map(({ name }: Json) => name)).toEqual(['default']);
});

test('mcp: an agent that creates a sandbox again gets the same one, and a new one once it is deleted', async () => {
  const tapbench = await fixture.tapbench();
  const { use } = await startAgent(tapbench);
  const first = await use('create_sandbox', { name: 'again' });
  expect(await use('create_sandbox', { name: 'again' })).toEqual(first);
  expect(await use('create_sandbox', { name: 'again', seed: 'other' })).toEqual({
    error: expect.stringContaining('(409)'),
  });
  await use('delete_sandbox', { name: 'again' });
  const second = await use('create_sandbox', { name: 'again' });
  expect(second).toMatchObject({ name: 'again' });
  expect(second.secretKey).not.toBe(first.secretKey);
  expect(await use('get_clock', { sandbox: 'again' })).toMatchObject({ offsetSeconds: 0 });
});

test('mcp: an agent finds why a webhook fails, and sends it again', async () => {
  const tapbench = await fixture.tapbench();
  const receiver = await fixture.receiver();
  receiver.reply = () => 503;
  await tapbench.api('POST', '/v1/webhooks', {
    url: receiver.url,
    active: true,
    eventTypes: ['Customer.created'],
  });
  const { use } = await startAgent(tapbench);
  const event = await use('trigger_event', {
    eventType: 'Customer.created',
    set: ['email=kim@example.com'],
  });
  expect(event.data.email).toBe('kim@example.com');
  await expect
    .poll(async () => (await use('list_webhooks')).items[0].health)
    .toMatchObject({ failuresInRow: 1, lastFailure: '503' });

  const { items } = await use('list_deliveries', { reply: '5xx', object: event.data.id });
  expect(items).toMatchObject([{ eventId: event.id, lastResult: '503' }]);
  expect(await use('get_delivery', { id: items[0].id })).toMatchObject({
    body: expect.stringContaining('kim@example.com'),
    attemptLog: expect.arrayContaining([expect.objectContaining({ number: 1 })]),
  });
  receiver.reply = () => 200;
  expect(await use('send_delivery', { id: items[0].id })).toMatchObject({ lastResult: '200' });

  expect(await use('search', { text: 'kim@example.com' })).toMatchObject({
    items: [{ id: event.data.id, type: 'customer' }],
  });
  expect(await use('list_objects', { type: 'customer', text: 'kim' })).toMatchObject({
    items: [{ id: event.data.id }],
  });
  expect(await use('get_object_history', { id: event.data.id })).toMatchObject({
    history: { events: [{ eventType: 'Customer.created' }] },
  });
  expect(await use('trigger_event', { eventType: 'Customer.created', set: ['nonsense'] })).toEqual({
    error: expect.stringContaining('nonsense'),
  });
});

test('mcp: an agent records a payment, and finds in the trace what the terminal did', async () => {
  const tapbench = await fixture.tapbench();
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-mcp-'));
  fixture.onCleanUp(() => rmSync(folder, { recursive: true }));
  const { use } = await startAgent(tapbench, folder);
  const file = join(folder, 'payment.tapbench');
  // Else the cardholder of `up` may tap before the card that the agent presents.
  const cardholder = `/sandbox/terminals/${tapbench.terminals[0]!.id}/cardholder`;
  expect((await tapbench.api('POST', cardholder, { script: 'none' })).status).toBe(200);
  const { id } = await use('start_recording', { title: 'one payment' });
  await use('take_payment', { amount: 1742, orderId: 'order-1', card: 'visa-contact-pin', pin: '1234' });
  expect(await use('save_recording', { id, file: '../outside.tapbench' })).toEqual({
    error: expect.stringContaining('is not below'),
  });
  symlinkSync(tmpdir(), join(folder, 'link'));
  expect(await use('save_recording', { id, file: 'link/outside.tapbench' })).toEqual({
    error: expect.stringContaining('is not below'),
  });
  writeFileSync(file, 'mine');
  expect(await use('save_recording', { id, file })).toEqual({ error: expect.stringContaining('exists') });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(await use('save_recording', { id, file, overwrite: true })).toEqual({ file });

  const steps = await use('read_trace', { file, text: 'verifyingPin' });
  expect(steps).toMatchObject({ title: 'one payment', isCut: false });
  expect(steps.items).toContainEqual(expect.objectContaining({ kind: 'output', text: expect.any(String) }));
  const calls = await use('read_trace', { file, kind: 'call', limit: 1, whole: true });
  expect(calls).toMatchObject({ items: [{ kind: 'call', item: { method: expect.any(String) } }], next: 1 });
  const second = await use('read_trace', { file, kind: 'call', limit: 1, from: calls.next });
  expect(second.items[0].number).toBeGreaterThan(calls.items[0].number);
  expect(await use('read_trace', { file: join(folder, 'other.tapbench') })).toEqual({
    error: expect.stringContaining('other.tapbench'),
  });
});

test('mcp: another agent uses a sandbox of the data folder by its name, and hears that one does not exist', async () => {
  const tapbench = await fixture.tapbench();
  await tapbench.api('POST', '/sandboxes', { name: 'shared', seed: 'agent' });
  const { use } = await startAgent(tapbench);
  expect(await use('trigger_event', { eventType: 'Customer.created', sandbox: 'shared' })).toMatchObject({
    eventType: 'Customer.created',
  });
  expect(await use('get_clock', { sandbox: 'nowhere' })).toEqual({
    error: expect.stringContaining('nowhere'),
  });
});

test('mcp: the command ends when its input does', async () => {
  const tapbench = await fixture.tapbench();
  const env = { TAPBENCH_URL: tapbench.url, DATA_DIR: tapbench.dataDir! };
  const ended = await fixture.run(['mcp'], { env });
  expect(ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
});
