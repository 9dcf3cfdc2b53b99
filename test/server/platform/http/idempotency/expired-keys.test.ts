import { expect, test } from 'vitest';
import { createKeyExpiry } from '../../../../../server/platform/http/idempotency/expired-keys.ts';
import {
  findKey,
  saveClaim,
} from '../../../../../server/platform/http/idempotency/idempotency-key.records.ts';
import { smallServer, START_MS, type SmallServer } from '../small-server.ts';

const claimOf = (key: string, expiresMs: number) => ({
  key_digest: key,
  request_digest: 'request',
  claim: 'claim',
  lease_ms: START_MS,
  expires_ms: expiresMs,
});

async function keysOf({ services: { store } }: SmallServer): Promise<unknown[]> {
  const rows = await store.all<{ key_digest: string }>(`SELECT key_digest FROM idempotency_keys ORDER BY 1`);
  return rows.map(({ key_digest: key }) => key);
}

async function idle(expiry: ReturnType<typeof createKeyExpiry>): Promise<void> {
  while (!expiry.idle()) await new Promise((resolve) => setImmediate(resolve));
}

test('expired keys: they are deleted soon after the start and every hour, all others are kept', async () => {
  const server = await smallServer([]);
  const { realClock, services } = server;
  await services.store.transaction(async (tx) => {
    for (let index = 0; index < 501; index++)
      await saveClaim(tx, claimOf(`old-${index}`, START_MS), START_MS);
    await saveClaim(tx, claimOf('soon', START_MS + 3_600_000), START_MS);
    await saveClaim(tx, claimOf('later', START_MS + 36_000_000), START_MS);
  });
  const expiry = createKeyExpiry(services);
  await expiry.start(true);
  await realClock.advance(60_000);
  await idle(expiry);
  expect(await keysOf(server)).toEqual(['later', 'soon']);
  await realClock.advance(3_600_000);
  await idle(expiry);
  expect(await keysOf(server)).toEqual(['later']);
  await expiry.stop();
  await realClock.advance(36_000_000);
  expect(await keysOf(server)).toEqual(['later']);
});

test('expired keys: a request that was under way when the server ended is free at the next start of the only server', async () => {
  const server = await smallServer([]);
  const { store } = server.services;
  await store.transaction((tx) => saveClaim(tx, claimOf('under-way', START_MS + 1), START_MS));
  const ofMany = createKeyExpiry(server.services);
  await ofMany.start(true);
  expect(await findKey(store, 'under-way')).toBeDefined();
  const ofOne = createKeyExpiry(server.services);
  await ofOne.start(false);
  expect(await findKey(store, 'under-way')).toBeUndefined();
  await Promise.all([ofMany.stop(), ofOne.stop()]);
});
