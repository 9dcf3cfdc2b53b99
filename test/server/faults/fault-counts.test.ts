import { expect, onTestFinished, test } from 'vitest';
import type { World } from '../../../testing/world/world.ts';
import { startFaultWorld } from './fault-world.ts';

test('faults: occurrences that no fault struck are counted on after a restart, and in a fork', async () => {
  const { world, put, struck } = await startFaultWorld();
  const get = async (from: World) => (await from.api.get('/v1/customers')).status;
  const operation = 'GET /v1/customers';
  const plan = await put({ at: 'api.request', what: 'unavailable', when: { operation, nth: 4, times: 2 } });
  expect([await get(world), await get(world)]).toEqual([200, 200]);
  const fork = await world.fork();
  onTestFinished(() => fork.close());
  await world.restartServer();
  for (const one of [world, fork])
    expect([await get(one), await get(one), await get(one), await get(one)]).toEqual([200, 503, 503, 200]);
  expect(await struck(plan)).toHaveLength(2);
  expect((await world.api.get(`/sandbox/faults/${plan}`)).body.strikes).toMatchObject([
    { occurrence: 4 },
    { occurrence: 5 },
  ]);
});

test('faults: an outage strikes for its time from its first strike, also after a restart and in a fork', async () => {
  const { world, put } = await startFaultWorld();
  const get = async (from: World) => (await from.api.get('/v1/customers')).status;
  const when = { operation: 'GET /v1/customers', nth: 2, forMs: 60_000 };
  const plan = await put({ at: 'api.request', what: 'unavailable', when });
  const statusOf = async (from: World) => (await from.api.get(`/sandbox/faults/${plan}`)).body.status;
  expect([await get(world), await get(world)]).toEqual([200, 503]);
  await world.advance({ seconds: 30 });
  const fork = await world.fork();
  onTestFinished(() => fork.close());
  await world.restartServer();
  for (const one of [world, fork]) {
    expect([await get(one), await get(one)]).toEqual([503, 503]);
    await one.advance({ ms: 29_999 });
    expect([await get(one), await statusOf(one)]).toEqual([503, 'Active']);
    await one.advance({ ms: 1 });
    expect([await statusOf(one), await get(one)]).toEqual(['Ended', 200]);
    expect(one.server.services.faults!.awaits('api.request')).toBe(false);
  }
});

test('faults: percent chooses the same occurrences with restarts between them as without', async () => {
  const choices = await Promise.all(
    [false, true].map(async (restarts) => {
      const { world, put } = await startFaultWorld();
      const when = { operation: 'GET /v1/customers', percent: 30, times: 100 };
      const plan = await put({ at: 'api.request', what: 'unavailable', when }, { seed: 'shop' });
      for (let count = 0; count < 24; count += 1) {
        await world.api.get('/v1/customers');
        if (restarts && count % 3 === 0) await world.restartServer();
      }
      const { strikes } = (await world.api.get(`/sandbox/faults/${plan}`)).body;
      return strikes.map(({ occurrence }: { occurrence: number }) => occurrence);
    }),
  );
  expect(choices[0].length).toBeGreaterThan(3);
  expect(choices[1]).toEqual(choices[0]);
});

test('faults: a server that a fault kills counts on after it, for every fault of every plan', async () => {
  const { world, put } = await startFaultWorld();
  const operation = 'GET /v1/customers';
  await put({ at: 'api.request', what: 'unavailable', when: { operation, nth: 3 } });
  await put({ at: 'server.commit', what: 'kill-before' });
  const get = async () => (await world.api.get('/v1/customers')).status;
  expect([await get(), await get()]).toEqual([200, 200]);
  await expect(world.api.post('/v1/customers', { email: 'ana@corner.example' })).rejects.toThrow('killed');
  expect([await get(), await get()]).toEqual([503, 200]);
});

test('faults: a server that is killed from outside counts on from the latest strike of any fault', async () => {
  const { world, put } = await startFaultWorld();
  const get = async () => (await world.api.get('/v1/customers')).status;
  const when = { operation: 'GET /v1/customers' };
  await put({ at: 'api.request', what: 'unavailable', when: { ...when, nth: 4 } });
  await put({ at: 'api.request', what: 'rate-limited', when: { ...when, nth: 2 } });
  expect([await get(), await get(), await get()]).toEqual([200, 429, 200]);
  await world.settled();
  world.server.services.killServer!();
  // The third was seen after the latest strike.
  expect([await get(), await get(), await get()]).toEqual([200, 503, 200]);
});

test('faults: the occurrences that one strike does not change cost no write', async () => {
  const { world, put } = await startFaultWorld();
  const when = { operation: 'GET /v1/customers', nth: 1_000 };
  await put({ at: 'api.request', what: 'unavailable', when });
  const changes = async () =>
    (await world.server.services.store.get<{ seen: string }>('SELECT seen FROM fault_plans'))!.seen;
  for (let count = 0; count < 5; count += 1) await world.api.get('/v1/customers');
  await world.settled();
  expect(await changes()).toBe('[]');
  await world.server.services.faults!.storeCounts();
  expect(await changes()).toBe('[5]');
});
