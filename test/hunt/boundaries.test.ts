import { expect, onTestFinished, test } from 'vitest';
import type { HuntScene, IntegratorFault } from '../../testing/hunt/hunt.ts';
import { boundaryStops } from '../../testing/hunt/boundaries.ts';
import { tryPlan } from '../../testing/hunt/tried-plan.ts';
import { startWorld } from '../../testing/world/world.ts';

type Scenario = (scene: HuntScene) => Promise<unknown>;

/** Returns for how long a process would be down, with a scenario that can be started again and a kiosk beside it. */
async function spansAt(
  scenario: Scenario,
  kiosk: Scenario = async () => {},
): Promise<(what: IntegratorFault['what'], nth: number, process?: string) => number[]> {
  const world = await startWorld();
  onTestFinished(() => world.close());
  await world.listen('shop', ['Customer.created']);
  const again = (work: Scenario) => (scene: HuntScene) => {
    scene.restart(work);
    return work(scene);
  };
  const judged = { shop: undefined, verdicts: [], withoutVerdicts: [], orderMember: 'orderId' };
  const setUp = { ...judged, scenario: again(scenario), processes: { kiosk }, terminalId: undefined };
  const { timed = [], timedStops = [] } = await tryPlan(world, setUp, undefined);
  const stops = boundaryStops(timedStops, timed).flat() as IntegratorFault[];
  return (what, nth, process) =>
    stops.flatMap((stop) =>
      stop.what === what && stop.when.nth === nth && stop.process === process ? [stop.downMs!] : [],
    );
}

test('boundaryStops: a process is back just before, at and just after a timer that ran when it stopped', async () => {
  const spans = await spansAt(
    async ({ sleep, disk }) => {
      await sleep(1_000);
      await disk.set('claim', 'first');
    },
    ({ sleep }) => sleep(61_000),
  );
  expect(spans('stop-in-wait', 1)).toEqual(expect.arrayContaining([59_999, 60_000, 60_001]));
  const ofWrite = expect.arrayContaining([59_989, 59_990, 59_991]);
  expect([spans('stop-in-write', 1), spans('stop-after-write', 1)]).toEqual([ofWrite, ofWrite]);
  // The kiosk has said of no start that it can be stopped there.
  expect(spans('stop-in-wait', 1, 'kiosk')).toEqual([]);
});

test('boundaryStops: a process is back as an event is attempted again that it refused', async () => {
  const spans = await spansAt(async ({ sleep, world }) => {
    world.receiver('shop').behaviour = () => 200;
    await sleep(1_000);
    await sleep(2_000);
    await world.api.post('/v1/customers', { email: 'ana@corner.example' });
    await sleep(3_000);
  });
  const minutes = (...each: number[]) => each.map((minute) => minute * 60_000);
  const attempts = minutes(0, 1, 6, 16, 26, 36);
  const edges = (spansMs: number[]) => spansMs.flatMap((ms) => [ms - 1, ms, ms + 1]);
  expect(spans('stop-in-wait', 1)).toEqual(expect.arrayContaining(edges(attempts.map((ms) => ms + 2_000))));
  expect(spans('stop-after-webhook', 1)).toEqual(expect.arrayContaining(edges(attempts.slice(1))));
});
