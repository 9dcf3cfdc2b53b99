import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createSystemFixture } from './system-fixture.ts';
import type { Tapbench } from './tapbench.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

const PROGRAM = join(import.meta.dirname, '../../dist/cli/main.js');

/** Starts `tapbench mcp` as a coding agent does, with the data folder of a server. */
async function startAgent(tapbench: Tapbench) {
  const client = new Client({ name: 'agent', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp'],
    env: { TAPBENCH_URL: tapbench.url, DATA_DIR: tapbench.dataDir! },
    stderr: 'pipe',
  });
  await client.connect(transport);
  fixture.onCleanUp(() => client.close());
  const use = async (name: string, inputs: object = {}): Promise<Json> => {
    const { structuredContent, isError, content } = await client.callTool({ name, arguments: { ...inputs } });
    return isError ? { error: (content as { text: string }[])[0]!.text } : structuredContent;
  };
  return { client, use };
}

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
