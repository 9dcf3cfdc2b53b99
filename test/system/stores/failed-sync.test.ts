import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

const FAIL_SYNCS = fileURLToPath(new URL('./fail-syncs.mjs', import.meta.url));
const CUSTOMER = { email: 'refused@example.com' };

test('store: after a failed sync the server shows nothing unsynced, is not healthy and exits', async () => {
  const failing = join(fixture.folder(), 'failing');
  const receiver = await fixture.receiver();
  const tapbench = await fixture.tapbench({
    command: 'server',
    env: { NODE_OPTIONS: `--import=${FAIL_SYNCS}`, FAIL_SYNCS_FILE: failing, STORE_EXIT_AFTER: '4' },
  });
  const { api } = tapbench;
  const listening = await api('POST', '/v1/webhooks', {
    url: receiver.url,
    active: true,
    eventTypes: ['Customer.created'],
  });
  expect(listening.status).toBe(200);
  const kept = await api('POST', '/v1/customers', { email: 'kept@example.com' });
  expect(kept.status).toBe(200);

  writeFileSync(failing, '');
  expect((await api('POST', '/v1/customers', CUSTOMER)).status).toBe(503);
  const list = await api('GET', '/v1/customers');
  expect(JSON.stringify(list.body)).not.toContain(CUSTOMER.email);
  const health = await api('GET', '/healthz');
  expect([health.status, health.body.errors[0].message]).toEqual([
    503,
    expect.stringMatching(/the store cannot write \(.*EIO/),
  ]);
  const ended = await tapbench.child.ended;
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/the store failed for 4 s \(STORE_EXIT_AFTER\)/);
  expect(receiver.deliveries.some(({ bytes }) => bytes.includes(CUSTOMER.email))).toBe(false);

  rmSync(failing);
  await tapbench.restart();
  expect((await api('GET', '/healthz')).status).toBe(200);
  expect((await api('GET', `/v1/customers/${kept.body.id}`)).body).toEqual(kept.body);
  expect((await api('POST', '/v1/customers', { email: 'next@example.com' })).status).toBe(200);
});
