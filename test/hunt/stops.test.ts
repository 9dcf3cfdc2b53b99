import { expect, onTestFinished, test } from 'vitest';
import type { HuntedFault, HuntScene, IntegratorFault } from '../../testing/hunt/hunt.ts';
import type { Trial } from '../../testing/hunt/trial.ts';
import { tryPlan } from '../../testing/hunt/tried-plan.ts';
import { startWorld } from '../../testing/world/world.ts';

/** A shop that waits three times, and returns before the event of its customer arrives. What it did, in order. */
async function dayUnder(...plan: HuntedFault[]): Promise<{
  did: string[];
  unstruck: number;
  otherStops: Trial['otherStops'];
}> {
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
  const setUp = { ...judged, scenario, terminalId: undefined };
  const { unstruck, otherStops } = await tryPlan(world, setUp, plan);
  return { did, unstruck: unstruck.length, otherStops };
}

const stop = (what: IntegratorFault['what'], nth: number): IntegratorFault => ({
  at: 'integrator',
  what,
  when: { nth },
});
const WHOLE = ['begins', 'has waited 1', 'has waited 2', 'has waited 3', 'is told'];

test('stop-in-wait: the process is started again, and can be stopped again', async () => {
  expect(await dayUnder(stop('stop-in-wait', 2), stop('stop-in-wait', 3))).toMatchObject({
    did: ['begins', 'has waited 1', 'begins', ...WHOLE],
    unstruck: 0,
  });
});

test('stop-after-webhook: a process whose work is done is started again too', async () => {
  expect(await dayUnder(stop('stop-after-webhook', 1))).toMatchObject({
    did: [...WHOLE, ...WHOLE.slice(0, -1)],
    unstruck: 0,
  });
  expect((await dayUnder(stop('stop-after-webhook', 5))).unstruck).toBe(1);
});

test('stop-after-webhook: is tried also where the event comes when the work is done', async () => {
  expect((await dayUnder()).otherStops).toEqual({ webhook: 1, wait: 3, write: 0 });
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

/** A shop that takes two seconds to acknowledge an event, is down from then on, and works for half an hour once it is back. */
async function eventUnder(downMs: number) {
  const world = await startWorld();
  onTestFinished(() => world.close());
  await world.listen('shop', ['Customer.created']);
  const startMs = world.clock.nowMs();
  const seconds = () => (world.clock.nowMs() - startMs) / 1_000;
  const did: string[] = [];
  const listen = (scene: HuntScene) => {
    scene.world.receiver('shop').behaviour = async () => {
      await scene.sleep(2_000);
      did.push(`is told at ${seconds()} s`);
      return 200;
    };
  };
  const scenario = async (scene: HuntScene) => {
    scene.restart(async (again) => {
      did.push(`is back at ${seconds()} s`);
      listen(again);
      await again.sleep(1_800_000);
      did.push(`has worked at ${seconds()} s`);
    });
    listen(scene);
    await scene.world.api.post('/v1/customers', { email: 'ana@corner.example' });
    // Its work ends after the first wait, which is of the event.
    await scene.sleep(10_000);
  };
  const judged = { shop: undefined, verdicts: [], withoutVerdicts: [], orderMember: 'orderId' };
  const plan: HuntedFault[] = [{ ...stop('stop-in-wait', 1), downMs }];
  const setUp = { ...judged, scenario, terminalId: undefined };
  const { story, verdict, unstruck } = await tryPlan(world, setUp, plan);
  const texts = story().flatMap(({ who, text }) => (['webhook', 'fault'].includes(who) ? [text] : []));
  return { did, verdict, unstruck: unstruck.length, texts };
}

test('downMs: a process that is down breaks its connections and refuses others, until it is started again', async () => {
  expect(await eventUnder(120_000)).toEqual({
    did: ['is back at 122 s', 'is told at 364 s', 'has worked at 1922 s'],
    verdict: undefined,
    unstruck: 0,
    texts: [
      'The process of the shop, wait 1, down for 2 min: The process is killed at its end, and started again.',
      'Customer.created: no answer (connection refused)',
      'Customer.created: no answer (connection refused), attempt 2',
      'Customer.created: no answer (connection refused), attempt 3',
      'Customer.created: 200, attempt 4',
    ],
  });
});

test('downMs: a process that was down for all attempts of an event has refused none, and still gets an hour', async () => {
  const { did, verdict, texts } = await eventUnder(3_600_000);
  expect(did).toEqual(['is back at 3602 s', 'has worked at 5402 s']);
  expect([verdict, texts.at(-1)]).toEqual([
    undefined,
    'Customer.created: no answer (connection refused), attempt 7',
  ]);
});

/** A shop that writes twice, and starts again. What its disk has in the end, and what it heard of. */
async function diskUnder(...plan: HuntedFault[]) {
  const world = await startWorld();
  onTestFinished(() => world.close());
  const heard: string[] = [];
  let disk: HuntScene['disk'];
  const scenario = async (scene: HuntScene) => {
    disk = scene.disk;
    scene.restart(
      ({ disk: again }) => void heard.push(`starts with ${again.list().join(', ') || 'nothing'}`),
    );
    void scene.disk.set('session', { id: 'ps_1' }).then(() => heard.push('session is written'));
    await scene.sleep(5);
    await scene.disk.append('booked', 1742);
    heard.push('booked is written');
    await scene.sleep(5);
  };
  const judged = { shop: undefined, verdicts: [], withoutVerdicts: [], orderMember: 'orderId' };
  const trial = await tryPlan(world, { ...judged, scenario, terminalId: undefined }, plan);
  return { heard, has: [disk!.get('session')?.id, disk!.get('booked')], trial };
}

test('stop-in-write: the write is cut, others that are under way are there, and the process hears of none', async () => {
  expect(await diskUnder(stop('stop-in-write', 1))).toMatchObject({
    heard: ['starts with booked'],
    has: [undefined, [1742]],
  });
  expect(await diskUnder(stop('stop-in-write', 2))).toMatchObject({
    heard: ['session is written', 'starts with session'],
    has: ['ps_1', undefined],
  });
});

test('stop-after-write: the write is there, and the process does not hear of it', async () => {
  const { heard, has, trial } = await diskUnder(stop('stop-after-write', 2));
  expect([heard, has]).toEqual([
    ['session is written', 'starts with booked, session'],
    ['ps_1', [1742]],
  ]);
  expect(trial.story().map(({ text }) => text)).toEqual([
    'The process of the shop, write 2 (booked): The process is killed once it is on the disk, and started again.',
    'the scenario returns',
  ]);
});

test('a stop elsewhere leaves what is being written', async () => {
  expect(await diskUnder(stop('stop-in-wait', 1))).toMatchObject({
    heard: ['starts with session'],
    has: ['ps_1', undefined],
  });
});

/** A shop and a browser, which both wait each second and read: what they did, at which second. */
async function bothUnder(...plan: HuntedFault[]) {
  const world = await startWorld();
  onTestFinished(() => world.close());
  const startMs = world.clock.nowMs();
  const did: string[] = [];
  const workAs = (name: string) => async (scene: HuntScene) => {
    const work = async (again: HuntScene) => {
      for (let times = 1; times <= 2; times += 1) {
        await again.sleep(1_000);
        await again.fetch(`${again.world.url}/v1/customers`);
        did.push(`${name} at ${(world.clock.nowMs() - startMs) / 1_000} s`);
      }
    };
    scene.restart(work);
    await work(scene);
  };
  const judged = { shop: undefined, verdicts: [], withoutVerdicts: [], orderMember: 'orderId' };
  const parts = { scenario: workAs('shop'), processes: { browser: workAs('browser') } };
  const setUp = { ...judged, ...parts, terminalId: undefined };
  const trial = await tryPlan(world, setUp, plan.length > 0 ? plan : undefined);
  return { did, trial };
}

test('processes: one is stopped, and the other goes on', async () => {
  const plan = { ...stop('stop-in-wait', 2), process: 'browser', downMs: 120_000 };
  const { did, trial } = await bothUnder(plan);
  expect(did).toEqual([
    'shop at 1 s',
    'browser at 1 s',
    'shop at 2 s',
    'browser at 123 s',
    'browser at 124 s',
  ]);
  expect(trial.unstruck).toEqual([]);
  const countsAt = (wait: number) => ({ request: wait - 1, webhook: 0, wait, write: 0 });
  // What it reads is refused before a fault could strike it.
  const happened = [{ at: 'server.commit', count: 1 }];
  expect(trial.recoveries).toEqual([
    { process: 'browser', before: countsAt(2), counts: countsAt(4), happened },
  ]);
  const texts = trial.story().map(({ text }) => text);
  expect(texts).toContain(
    'The process of the shop, wait 2 of browser, down for 2 min: The process is killed at its end, and started again.',
  );
  const ofBrowser = expect.stringMatching(/^browser: .*GET \/v1\/customers/);
  expect(texts).toEqual(expect.arrayContaining([ofBrowser]));
});

test('processes: each counts for itself, and a fault of one that is unknown strikes nothing', async () => {
  const { did, trial } = await bothUnder();
  expect(did).toHaveLength(4);
  expect(trial.restartable).toBe(2);
  expect(trial.processes).toEqual({ browser: { request: 2, webhook: 0, wait: 2, write: 0 } });
  const unknown = { ...stop('stop-in-wait', 1), process: 'kiosk' };
  expect((await bothUnder(unknown)).trial.unstruck).toEqual([unknown]);
});
