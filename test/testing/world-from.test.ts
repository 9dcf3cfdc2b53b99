import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { traceFile } from '../../server/traces/trace-file.ts';
import { startWorld, type UserWorld, type UserWorldOptions } from '../../testing/world/user-world.ts';
import { startWorld as startWholeWorld } from '../../testing/world/world.ts';
import { hostingServer } from '../server/sandboxes/hosting-server.ts';

async function started(options: UserWorldOptions) {
  const world = await startWorld(options);
  onTestFinished(() => world.close());
  return world;
}

test('startWorld: begins as a fork of a prepared world', async () => {
  const prepared = await started({});
  const till = await prepared.openTill();
  await prepared.advance({ minutes: 30 });
  const world = await started({ from: prepared });
  expect(world.nowMs()).toBe(prepared.nowMs());
  await world.tillOf(till.terminal.terminalId).takes(1742);
  const sessions = async ({ api }: typeof world) => (await api.get('/v1/payment-sessions')).body.items.length;
  expect([await sessions(world), await sessions(prepared)]).toEqual([1, 0]);
});

test('startWorld: begins with the file of a sandbox, at its time and with its webhooks', async () => {
  const host = await hostingServer();
  const url = 'https://shop.example/webhooks';
  await host.call('POST /v1/webhooks', { body: { url, active: true, eventTypes: ['Customer.created'] } });
  const customer = await host.call('POST /v1/customers', { body: { email: 'sam@example.com' } });
  const { body } = await host.call('POST /sandboxes/default/snapshots');
  const { raw } = await host.call(`GET /sandboxes/default/snapshots/${body.id}`);
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-world-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const from = join(folder, 'default.snapshot');
  writeFileSync(from, raw);

  const world = await started({ from });
  expect(Math.floor(world.nowMs() / 1000)).toBe(body.clockTimestamp);
  expect((await world.api.get(`/v1/customers/${customer.body.id}`)).body).toEqual(customer.body);
  const made = await world.api.post('/v1/customers', { email: 'kim@example.com' });
  const delivered = () =>
    world.receiver('shop').deliveries.find(({ event }) => event.data.id === made.body.id);
  await world.until('the webhook arrives', delivered);
  const till = await world.openTill();
  await till.takes(1742);
  writeFileSync(from, raw.subarray(0, 500));
  await expect(startWorld({ from })).rejects.toThrow('damaged');
});

test('startWorld: a fork of a world that begins with a trace gets the recorded answers that were left', async () => {
  const recorded = await startRecorded();
  const receiver = await recorded.listen('shop', ['Customer.created']);
  const recording = await recorded.server.services.recordings!.startUnlisted('customers');
  for (const status of [201, 202, 203]) {
    receiver.behaviour = status;
    await recorded.api.post('/v1/customers', { email: `${status}@example.com` });
    await recorded.settled();
  }
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-world-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const from = join(folder, 'customers.tapbench');
  writeFileSync(from, await traceFile(await recording.stop()));

  const world = await started({ from });
  expect(await answerToCustomer(world, 'sam')).toBe('201');
  const fork = await world.fork();
  onTestFinished(() => fork.close());
  expect(await answerToCustomer(world, 'kim')).toBe('202');
  expect([await answerToCustomer(fork, 'kim'), await answerToCustomer(fork, 'lee')]).toEqual(['202', '203']);
});

async function startRecorded() {
  const world = await startWholeWorld();
  onTestFinished(() => world.close());
  return world;
}

/** Creates a customer, and returns what the endpoint answered to its event. */
async function answerToCustomer({ api, settled }: UserWorld, name: string): Promise<string> {
  const { body } = await api.post('/v1/customers', { email: `${name}@example.com` });
  await settled();
  const deliveries = (await api.get('/sandbox/deliveries')).body.items;
  return deliveries.find(({ objectId }: { objectId: string }) => objectId === body.id).lastResult;
}
