import { expect, onTestFinished, test } from 'vitest';
import type { HuntedFault } from '../../testing/hunt/hunt.ts';
import { judge, judgeMeanwhile, putPlanOn, unstruckFaults } from '../../testing/hunt/plan-on-world.ts';
import { startWorld } from '../../testing/world/world.ts';

const JUDGED = { verdicts: [], withoutVerdicts: [], orderMember: 'orderId' };
/** Reads of who judges. */
const OPERATIONS = ['GET /v1/events', 'GET /v1/payment-sessions', 'GET /v1/in-person/terminals'];
const ALL_READS = OPERATIONS.map((operation): HuntedFault => ({
  at: 'api.request',
  what: 'reset',
  when: { operation },
}));

async function worldUnder(plan: HuntedFault[]) {
  const world = await startWorld();
  onTestFinished(() => world.close());
  return { world, ...(await putPlanOn(world, plan)) };
}

test('judgeMeanwhile: faults still strike, but nothing that is read to judge, which does not count', async () => {
  const { world, observed } = await worldUnder(ALL_READS);
  await world.listen('shop', ['Customer.created']);
  const before = observed();
  expect((await judgeMeanwhile(world, JUDGED, undefined)).wrong).toBeUndefined();
  expect(observed()).toEqual(before);
  expect(unstruckFaults(world)).toHaveLength(ALL_READS.length);
  await expect(world.api.get('/v1/events')).rejects.toThrow('destroyed');
  expect(unstruckFaults(world)).toHaveLength(ALL_READS.length - 1);
});

test('judge: no fault strikes what it reads, also from a server that starts again meanwhile', async () => {
  const { world } = await worldUnder([{ at: 'server.commit', what: 'kill-after' }, ...ALL_READS]);
  const { server } = world;
  const cut = world.api.post('/v1/customers', { email: 'ana@corner.example' });
  // As soon as the call is cut, the next server is not there yet.
  const judged = cut.catch(() => {
    expect(world.server).toBe(server);
    return judge(world, JUDGED, undefined);
  });
  expect(await judged).toMatchObject({ wrong: undefined });
  expect(world.server).not.toBe(server);
});
