import { expect, onTestFinished, test } from 'vitest';
import type { HuntedFault, HuntScene } from '../../testing/hunt/hunt.ts';
import { tryPlan } from '../../testing/hunt/tried-plan.ts';
import { startWorld } from '../../testing/world/world.ts';

/** A shop that waits three times, and returns before the event of its customer arrives. What it did, in order. */
async function dayUnder(...plan: HuntedFault[]): Promise<{ did: string[]; unstruck: number }> {
  const world = await startWorld();
  onTestFinished(() => world.close());
  await world.listen('shop', ['Customer.created']);
  const did: string[] = [];
  const work = async (scene: HuntScene) => {
    did.push('begins');
    scene.world.receiver('shop').behaviour = () => (did.push('is told'), 200);
    for (let wait = 1; wait <= 3; wait += 1) {
      await scene.sleep(1_000);
      did.push(`has waited ${wait}`);
    }
    await scene.world.api.post('/v1/customers', { email: 'ana@corner.example' });
  };
  const scenario = (scene: HuntScene) => {
    scene.restart(work);
    return work(scene);
  };
  const judged = { shop: undefined, verdicts: [], withoutVerdicts: [], orderMember: 'orderId' };
  const { unstruck } = await tryPlan(world, { ...judged, scenario, terminalId: undefined }, plan);
  return { did, unstruck: unstruck.length };
}

const stop = (what: 'stop-in-wait' | 'stop-after-webhook', nth: number): HuntedFault => ({
  at: 'integrator',
  what,
  when: { nth },
});
const WHOLE = ['begins', 'has waited 1', 'has waited 2', 'has waited 3', 'is told'];

test('stop-in-wait: the process is started again, and can be stopped again', async () => {
  expect(await dayUnder(stop('stop-in-wait', 2), stop('stop-in-wait', 3))).toEqual({
    did: ['begins', 'has waited 1', 'begins', ...WHOLE],
    unstruck: 0,
  });
});

test('stop-after-webhook: a process whose work is done is started again too', async () => {
  expect(await dayUnder(stop('stop-after-webhook', 1))).toEqual({
    did: [...WHOLE, ...WHOLE.slice(0, -1)],
    unstruck: 0,
  });
  expect((await dayUnder(stop('stop-after-webhook', 5))).unstruck).toBe(1);
});

test('stop-after-webhook: what a process throws that is started again after the scenario is kept', async () => {
  const world = await startWorld();
  onTestFinished(() => world.close());
  await world.listen('shop', ['Customer.created']);
  const scenario = (scene: HuntScene) => {
    scene.world.receiver('shop').behaviour = () => 200;
    scene.restart(() => {
      throw new Error('the order book is locked');
    });
    // It returns before the event arrives.
    void scene.world.api.post('/v1/customers', { email: 'ana@corner.example' });
  };
  const judged = { shop: undefined, verdicts: [], withoutVerdicts: [], orderMember: 'orderId' };
  const setUp = { ...judged, scenario, terminalId: undefined };
  const { thrown, problem } = await tryPlan(world, setUp, [stop('stop-after-webhook', 1)]);
  expect([problem, thrown]).toEqual([undefined, [new Error('the order book is locked')]]);
});
