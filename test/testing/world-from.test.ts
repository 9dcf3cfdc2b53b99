import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startWorld, type UserWorldOptions } from '../kit/user-world.ts';
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
