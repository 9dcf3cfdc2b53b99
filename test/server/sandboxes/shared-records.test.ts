import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { createFolderStorage } from '../../../server/sandboxes/folder-storage.ts';
import { hostingServer } from './hosting-server.ts';

const HOST_KEY = 'host_a-key-for-tests-that-is-long-enough';
const UNKNOWN_KEY = 'sk_sandbox_of_no_sandbox';

/** A server whose sandboxes other servers could change too, and the number of times that it looked whether they did. */
async function sharingServer() {
  let looks = 0;
  // Deleted when the server stops.
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-shared-'));
  const storage = {
    ...createFolderStorage({ folder, ephemeral: true, log: silentLog }),
    shared: { revision: async () => String((looks += 1)) },
  };
  const server = await hostingServer({ storage, settings: { hostKey: HOST_KEY } });
  return { ...server, looks: () => looks };
}

test('shared records: they are read again for a key that no sandbox has, once a second', async () => {
  const { call, looks, realClock } = await sharingServer();
  const looksFor = async (key: string) => {
    const before = looks();
    expect((await call('GET /v1/customers', { key })).status).toBe(403);
    return looks() - before;
  };
  expect([await looksFor(UNKNOWN_KEY), await looksFor(UNKNOWN_KEY)]).toEqual([1, 0]);
  await realClock.advance(1_000);
  expect(await looksFor(UNKNOWN_KEY)).toBe(1);
});

test('shared records: they are not read for a request with a key or token of the sandbox default', async () => {
  const { call, looks, server } = await sharingServer();
  const { secretKey, publicKey, dashboardToken } = server.services.settings;
  const before = looks();
  for (const key of [secretKey, dashboardToken])
    expect((await call('POST /sandbox/clock/advance', { key, body: { seconds: 1 } })).status).toBe(200);
  expect((await call('POST /v1/payment-sessions/attempt-payment', { key: publicKey })).status).toBe(400);
  expect((await call('POST /sandboxes', { key: HOST_KEY, body: { name: 'No name' } })).status).toBe(400);
  expect(looks()).toBe(before);
});
