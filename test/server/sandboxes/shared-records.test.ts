import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { createFolderStorage } from '../../../server/sandboxes/folder-storage.ts';
import type { SandboxStorage } from '../../../server/sandboxes/sandbox-storage.ts';
import { countStore } from '../../journeys/counted-store.ts';
import { hostingServer } from './hosting-server.ts';

const HOST_KEY = 'host_a-key-for-tests-that-is-long-enough';
const UNKNOWN_KEY = 'sk_sandbox_of_no_sandbox';

/** A server whose sandboxes other servers could change too, and the number of times that it looked whether they did. */
async function sharingServer() {
  let looks = 0;
  let areDeleted = false;
  let closedAfter: string[] | undefined;
  // Deleted when the server stops.
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-shared-'));
  const own = createFolderStorage({ folder, ephemeral: true, log: silentLog });
  const storage: SandboxStorage = {
    ...own,
    shared: { revision: async () => String((looks += 1)), count: async () => (await own.read()).length },
    read: async () => (areDeleted ? [] : own.read()),
    async open(record) {
      const { store, begin } = countStore(await own.open(record));
      const { statements } = begin();
      return { ...store, close: async () => ((closedAfter ??= [...statements]), store.close()) };
    },
  };
  const server = await hostingServer({ storage, settings: { hostKey: HOST_KEY } });
  return {
    ...server,
    looks: () => looks,
    deleteElsewhere: () => void (areDeleted = true),
    /** Returns the statements before the store of a sandbox was closed; undefined while it is open. */
    statementsBeforeClose: () => closedAfter,
  };
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

/** Creates a sandbox and uses it, so that it is open. */
async function openSandbox({ call }: Pick<Awaited<ReturnType<typeof sharingServer>>, 'call'>): Promise<void> {
  const { body } = await call('POST /sandboxes', { key: HOST_KEY, body: { name: 'ci' } });
  expect((await call('GET /v1/customers', { key: body.secretKey })).status).toBe(200);
}

const OF_CLOSING = 'DELETE FROM instances WHERE id = ?';

test('shared records: a sandbox that another server deleted is closed without a query, as its tables are gone', async () => {
  const { call, realClock, deleteElsewhere, statementsBeforeClose } = await sharingServer();
  await openSandbox({ call });
  deleteElsewhere();
  await realClock.advance(1_000);
  await expect
    .poll(statementsBeforeClose)
    .toContain("SELECT value FROM settings WHERE name = 'clock_offset_ms'");
  expect(statementsBeforeClose()).not.toContain(OF_CLOSING);
});

test('shared records: a sandbox that is deleted here frees what it holds before its store is closed', async () => {
  const { call, statementsBeforeClose } = await sharingServer();
  await openSandbox({ call });
  expect((await call('DELETE /sandboxes/ci', { key: HOST_KEY })).status).toBe(200);
  expect(statementsBeforeClose()).toContain(OF_CLOSING);
});
