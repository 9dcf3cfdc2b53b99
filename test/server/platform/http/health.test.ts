import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Fault } from '../../../../protocol/failures.ts';
import { healthRoutes } from '../../../../server/platform/http/health.resource.ts';
import type { Services } from '../../../../server/platform/services.ts';
import { createStoreCheck } from '../../../../server/platform/store/store-watch.ts';
import { smallServer } from './small-server.ts';
import type { Store, WriteFailure } from '../../../../server/platform/store/store.ts';

const nobody = { headers: { authorization: null } };

test('GET /healthz: a server whose store and broker work is healthy, for every caller', async () => {
  const { call } = await smallServer(healthRoutes);
  const { status, body } = await call('GET /healthz', nobody);
  expect([status, body]).toEqual([200, { status: 'ok', store: 'ok', broker: 'ok' }]);
});

test(
  'GET /healthz: without the broker it is not ready, and says what is missing',
  { tags: ['refusal:not_ready'] },
  async () => {
    const { call, gateway } = await smallServer(healthRoutes);
    gateway.online = false;
    const { status, body } = await call('GET /healthz', nobody);
    expect([status, body.errors[0].message]).toEqual([503, 'not ready: the broker is not serving']);
    gateway.online = true;
    expect((await call('GET /healthz', nobody)).status).toBe(200);
  },
);

test('GET /healthz: a store that can only be read is not ready, with the reason', async () => {
  let full = true;
  const { call, gateway, realClock } = await smallServer(healthRoutes, {}, (services) => {
    const run: Services['store']['run'] = (...query) =>
      full ? Promise.reject(new Fault('store', 'the disk is full')) : services.store.run(...query);
    return { storeProblem: createStoreCheck({ ...services.store, run }, services.realClock) };
  });
  const message = async () => {
    const { status, body } = await call('GET /healthz', nobody);
    return [status, body.errors?.[0].message];
  };
  const problem = 'the store cannot write (the disk is full)';
  expect(await message()).toEqual([503, `not ready: ${problem}`]);
  gateway.online = false;
  expect(await message()).toEqual([503, `not ready: ${problem} and the broker is not serving`]);
  gateway.online = true;
  full = false;
  await realClock.advance(1_000);
  expect(await message()).toEqual([200, undefined]);
});

test('GET /healthz: writes once a second at most, however often it is called', async () => {
  let writes = 0;
  const { call, realClock } = await smallServer(healthRoutes, {}, (services) => {
    const run: Services['store']['run'] = (...query) => {
      writes++;
      return services.store.run(...query);
    };
    return { storeProblem: createStoreCheck({ ...services.store, run }, services.realClock) };
  });
  await Promise.all(Array.from({ length: 20 }, () => call('GET /healthz', nobody)));
  expect(writes).toBe(1);
  await realClock.advance(1_000);
  await call('GET /healthz', nobody);
  expect(writes).toBe(2);
});

test('GET /healthz: does not wait for a copy of the store, for which all that is written waits', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-health-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let store: Store | undefined;
  const { call } = await smallServer(healthRoutes, {}, (services) => {
    ({ store } = services);
    return {};
  });
  let goOn = () => {};
  let copied: Promise<void> | undefined;
  const begun = new Promise<void>((begin) => {
    copied = store!.copyTo!(join(folder, 'copy.db'), () => {
      begin();
      return new Promise((resolve) => (goOn = resolve));
    });
  });
  await begun;
  expect((await call('GET /healthz', nobody)).status).toBe(200);
  const written = store!.run(`INSERT INTO settings (name, value) VALUES ('a', 'b')`);
  goOn();
  await written;
  // Its folder is removed after the test.
  await copied;
});

test('GET /healthz: trouble that begins right after a check is reported before the next check', async () => {
  let trouble: WriteFailure | undefined;
  const { call } = await smallServer(healthRoutes, {}, ({ realClock, store }) => ({
    storeProblem: createStoreCheck(
      { ...store, trouble: { current: () => trouble, onBegin: () => {} } },
      realClock,
    ),
  }));
  expect((await call('GET /healthz', nobody)).status).toBe(200);
  for (const lasting of [true, false]) {
    trouble = { reason: 'EIO', lasting };
    expect((await call('GET /healthz', nobody)).status).toBe(503);
  }
});
