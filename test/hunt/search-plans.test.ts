import { expect, onTestFinished, test } from 'vitest';
import { createHuntEnd, type HuntEnd } from '../../testing/hunt/hunt-end.ts';
import type { HuntedFault } from '../../testing/hunt/hunted-fault.ts';
import { createPool } from '../../testing/hunt/command/pool.ts';
import { createPlanPool } from '../../testing/hunt/plan-pool.ts';
import { searchPlans } from '../../testing/hunt/search-plans.ts';
import type { Trial } from '../../testing/hunt/trial.ts';
import { tryAhead } from '../../testing/hunt/try-ahead.ts';
import { turn } from '../../world/virtual-clock.ts';

const planOf = (nth: number): HuntedFault[] => [
  { at: 'integrator', what: 'stop-before-reply', when: { nth } },
];
const CALM: Trial = {
  verdict: undefined,
  unstruck: [],
  struckLater: false,
  isUnfinished: false,
  restartable: 5,
  observed: [{ at: 'api.reply', operation: 'POST /v1/customers', count: 3 }],
  story: () => [],
  orders: () => [],
};

/** Returns the end of a hunt that has time enough. */
function endless(): HuntEnd {
  const end = createHuntEnd({ seconds: 3_600 });
  onTestFinished(() => end.close());
  return end;
}

test('tryAhead: tries the next plans with the one that is asked for, each once, and none after the end', async () => {
  const plans = Array.from({ length: 20 }, (_, index) => planOf(index + 1));
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  let isOver = false;
  const ask = tryAhead(plans, { jobs: 2, isOver: () => isOver }, ([fault]) => {
    const nth = fault!.when!.nth!;
    begun.push(nth);
    return new Promise<number>((resolve) => ends.set(nth, () => resolve(nth * 10)));
  });
  const end = async (nth: number) => {
    ends.get(nth)!();
    await new Promise(setImmediate);
    await new Promise(setImmediate);
  };
  const first = ask(planOf(1));
  expect(begun).toEqual([1, 2]);
  // The second ends before the first, and the third begins.
  await end(2);
  expect(begun).toEqual([1, 2, 3]);
  await end(1);
  expect([await first, await ask(planOf(2))]).toEqual([10, 20]);
  expect(begun).toEqual([1, 2, 3, 4]);
  // A smaller plan, out of turn.
  void ask(planOf(99));
  expect(begun).toEqual([1, 2, 3, 4, 99]);
  // The third takes long: the others go on, as far as some ahead of it.
  for (let nth = 4; nth <= 10; nth += 1) await end(nth);
  expect(begun).toEqual([1, 2, 3, 4, 99, 5, 6, 7, 8, 9, 10]);
  isOver = true;
  const third = ask(planOf(3));
  await end(3);
  expect(await third).toBe(30);
  expect(begun).toHaveLength(11);
});

test('searchPlans: finds the same with several plans at once', async () => {
  const search = async (jobs: number) => {
    let running = 0;
    let together = 0;
    const tryPlan = async (plan: HuntedFault[] | undefined): Promise<Trial> => {
      running += 1;
      together = Math.max(together, running);
      await new Promise(setImmediate);
      running -= 1;
      const isWrong = plan?.some(({ at, what }) => at === 'api.reply' && what === 'reset');
      return { ...CALM, verdict: isWrong ? 'the reply was lost' : undefined };
    };
    const limits = { seed: 'one', plans: 100, maxFaults: 3, jobs, end: endless() };
    const searched = await searchPlans(tryPlan, limits);
    return { together, searched };
  };
  const [one, four] = [await search(1), await search(4)];
  expect(one.searched.found.map(({ plan }) => plan.length)).toEqual([1]);
  expect(four.searched).toEqual(one.searched);
  expect([one.together, four.together]).toEqual([1, 4]);
});

/** A shop with two defects: one by a reply that is lost or late, one by a process that stops. */
function withTwoDefects(plan: HuntedFault[] = []): Promise<Trial> {
  const wrongBy = (at: string, verdictName: 'chargedOnce' | 'ownVerdict') =>
    plan.some((fault) => fault.at === at) && { ...CALM, verdict: `wrong by ${at}`, verdictName };
  return Promise.resolve(wrongBy('api.reply', 'chargedOnce') || wrongBy('integrator', 'ownVerdict') || CALM);
}

test('searchPlans: with all it goes on, and finds one plan of each defect', async () => {
  const limits = { seed: 1, plans: 300, maxFaults: 2 };
  const { counts, found } = await searchPlans(withTwoDefects, { ...limits, all: true, end: endless() });
  expect(found.map(({ plan, trial }) => [plan.length, trial.verdict]).toSorted()).toEqual([
    [1, 'wrong by api.reply'],
    [1, 'wrong by integrator'],
    [1, 'wrong by integrator'],
  ]);
  expect(counts.endedBy).toBe('plans');
  expect(counts.plans).toBeGreaterThan(50);
  const first = await searchPlans(withTwoDefects, { ...limits, end: endless() });
  expect([first.found.length, first.counts.endedBy]).toEqual([1, 'found']);
  expect(first.found[0]!.plan).toEqual(found[0]!.plan);
});

test('searchPlans: with all, what was found is given away before the next plan is tried', async () => {
  const seen: string[] = [];
  const { found } = await searchPlans(
    (plan) => {
      seen.push('tried');
      return withTwoDefects(plan);
    },
    {
      seed: 1,
      plans: 300,
      maxFaults: 2,
      all: true,
      end: endless(),
      async onFound({ trial }) {
        await turn();
        seen.push(trial.verdict!);
      },
    },
  );
  const given = seen.filter((each) => each !== 'tried');
  expect(given).toEqual(found.map(({ trial }) => trial.verdict));
  expect(seen.indexOf(given[0]!)).toBeLessThan(seen.indexOf(given.at(-1)!) - 1);
  expect(seen.at(-1)).toBe('tried');
});

test('searchPlans: a hunt that is stopped leaves the plan under way, and returns the one that it was making smaller', async () => {
  const stop = new AbortController();
  const end = createHuntEnd({ seconds: 3_600, stop: stop.signal });
  const tried: HuntedFault[][] = [];
  const { counts, found } = await searchPlans(
    (plan) => {
      const isWrong = plan?.length === 2;
      if (tried.some(({ length }) => length === 2)) {
        stop.abort();
        return new Promise<Trial>(() => {});
      }
      if (plan) tried.push(plan);
      return Promise.resolve({ ...CALM, verdict: isWrong ? 'the reply was lost' : undefined });
    },
    { seed: 1, plans: 1_000, maxFaults: 2, end },
  );
  expect(found.map(({ plan }) => plan)).toEqual([tried.at(-1)]);
  // The one without faults is counted, and the one that never ended is not.
  expect([counts.plans, counts.endedBy]).toEqual([tried.length + 1, 'stop']);
  expect(counts.warnings).toContainEqual(expect.stringContaining('the hunt ended before the plan'));
});

test('searchPlans: a hunt that is stopped in its scenario has tried nothing, and one whose time is up then is refused', async () => {
  const never = () => new Promise<Trial>(() => {});
  const limits = { seed: 1, plans: 10, maxFaults: 1 };
  const stopped = createHuntEnd({ seconds: 3_600, stop: AbortSignal.abort() });
  const { counts, found } = await searchPlans(never, { ...limits, end: stopped });
  expect([found, counts.plans, counts.endedBy]).toEqual([[], 0, 'stop']);
  const late = createHuntEnd({ seconds: 0 });
  await expect(searchPlans(never, { ...limits, end: late })).rejects.toThrow('the time was up before');
});

test('searchPlans: a seed is the same as a number and as the text of a command line', async () => {
  const plansOf = async (seed: number | string) => {
    const tried: unknown[] = [];
    await searchPlans(
      async (plan) => {
        tried.push(plan);
        return CALM;
      },
      { seed, plans: 20, maxFaults: 3, end: endless() },
    );
    return tried;
  };
  const ofNumber = await plansOf(7);
  expect(await plansOf('7')).toEqual(ofNumber);
  expect(await plansOf('seven')).not.toEqual(ofNumber);
  expect(await plansOf(-7)).not.toEqual(ofNumber);
  expect(await plansOf(2 ** 40 + 7)).not.toEqual(ofNumber);
});

test('createPlanPool: on real time it begins with one fault of each kind at what the shop sees, and ends with outages that last', () => {
  const observed: Trial['observed'] = [
    { at: 'api.reply', operation: 'POST /v1/customers', count: 3 },
    { at: 'api.request', operation: 'POST /v1/customers', count: 3 },
    { at: 'webhook.attempt', eventType: 'Customer.created', count: 1 },
    { at: 'terminal.effect', effect: 'startReader', count: 1 },
  ];
  const plans = createPlanPool({ ...CALM, restartable: 0, observed }, 1, 1).next();
  const faults = plans.map(([fault]) => fault!);
  const firstOther = faults.findIndex(({ at, when }) => at === 'terminal.effect' || when?.nth !== 1);
  const begun = faults.slice(0, firstOther).map(({ at, what }) => `${at} ${what}`);
  expect(begun).toEqual(
    expect.arrayContaining([
      'api.reply reset',
      'api.request unavailable',
      'webhook.attempt twice-at-once',
      'webhook.attempt dropped',
    ]),
  );
  expect(begun.length).toBeLessThan(plans.length / 2);
  expect(faults.at(-1)).toMatchObject({ when: { operation: 'POST /v1/customers', forMs: 60_000 } });
});

test('createPlanPool: begins with faults of different families at what the shop sees, and a request and its reply share a turn', () => {
  const operation = 'POST /v1/customers';
  const observed: Trial['observed'] = [
    { at: 'api.request', operation, count: 1 },
    { at: 'api.reply', operation, count: 1 },
    { at: 'webhook.attempt', eventType: 'PaymentSession.captured', count: 1 },
    { at: 'message.report', message: 'action.completed', count: 1 },
  ];
  for (const seed of ['one', 'two', 'three']) {
    const calm: Trial = { ...CALM, restartable: 0, observed, happened: observed };
    const faults = createPlanPool(calm, seed, 1).next().flat();
    const isEvent = faults.map(({ at }) => at === 'webhook.attempt');
    const [first] = isEvent;
    expect(isEvent.slice(0, 6)).toEqual([first, !first, first, !first, first, !first]);
    const events = faults.filter((_fault, index) => isEvent[index]).slice(0, 4);
    expect(events.filter(({ what }) => what.startsWith('twice'))).toHaveLength(1);
    expect(events.filter(({ when }) => when && 'times' in when)).toHaveLength(1);
    const unseen = faults.findIndex(({ at }) => at === 'message.report');
    expect(unseen).toBeGreaterThan(isEvent.indexOf(true, 6));
  }
});

test('createPool: gives each thing to one at a time, also after one has failed with it', async () => {
  const pool = createPool(['a', 'b']);
  const used: string[] = [];
  const work = (fails: boolean) =>
    pool.use(async (one) => {
      used.push(one);
      await Promise.resolve();
      if (fails) throw new Error('broken');
    });
  const all = await Promise.allSettled([work(true), work(false), work(false), work(false)]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  expect(used.filter((one) => one === 'a')).toHaveLength(2);
  await pool.idle();
  await work(false);
  expect(used).toHaveLength(5);
});

/** Returns the single faults that stop a process, in the order in which they are tried. */
async function stopsTried(calm: Trial) {
  const tried: HuntedFault[] = [];
  const tryPlan = async (plan: HuntedFault[] | undefined) => {
    tried.push(...(plan ?? []));
    return calm;
  };
  await searchPlans(tryPlan, { seed: 1, plans: 500, maxFaults: 1, end: endless() });
  return tried.flatMap((fault) => (fault.at === 'integrator' ? [fault] : []));
}

test('searchPlans: a process is down for up to an hour and, on real time, for up to two minutes after all that is no outage', async () => {
  const otherStops = { webhook: 1, wait: 1, write: 1 };
  const virtual = await stopsTried({ ...CALM, happened: CALM.observed, otherStops });
  const downOf = (what: string) =>
    virtual.filter((stop) => stop.what === what && stop.when.nth === 1).map(({ downMs = 0 }) => downMs);
  const spans = [0, 15_000, 120_000, 3_600_000];
  expect(downOf('stop-before-reply').toSorted((a, b) => a - b)).toEqual(spans);
  expect(downOf('stop-after-webhook').toSorted((a, b) => a - b)).toEqual(spans);
  expect([downOf('stop-before-request'), downOf('stop-in-write'), downOf('stop-after-write')]).toEqual([
    [0],
    [0],
    [0],
  ]);
  const real = await stopsTried(CALM);
  const firstDown = real.findIndex(({ downMs }) => downMs !== undefined);
  expect([firstDown, new Set(real.slice(firstDown).map(({ downMs }) => downMs))]).toEqual([
    10,
    new Set([15_000, 120_000]),
  ]);
});

test('searchPlans: a process beside the scenario is stopped at what it does', async () => {
  const browser = { request: 1, webhook: 0, wait: 9, write: 1 };
  const stops = await stopsTried({
    ...CALM,
    happened: CALM.observed,
    restartable: 0,
    processes: { browser },
  });
  const atOnce = stops.filter(({ downMs }) => downMs === undefined);
  expect(new Set(stops.map(({ process }) => process))).toEqual(new Set(['browser']));
  expect(atOnce.map(({ what, when }) => `${what} ${when.nth}`).toSorted()).toEqual([
    'stop-after-write 1',
    'stop-before-reply 1',
    'stop-before-request 1',
    ...[1, 2, 3, 4, 5].map((nth) => `stop-in-wait ${nth}`),
    'stop-in-write 1',
  ]);
});

test('createPlanPool: on real time a process beside the shop is down for two minutes at most', () => {
  const worker = { request: 1, webhook: 0, wait: 0, write: 0 };
  const stops = createPlanPool({ ...CALM, restartable: 0, processes: { worker } }, 1, 1)
    .next()
    .flat()
    .filter((fault) => fault.at === 'integrator');
  expect(stops.map(({ what, process, downMs = 0 }) => `${process} ${what} ${downMs}`).toSorted()).toEqual([
    'worker stop-before-reply 0',
    'worker stop-before-reply 120000',
    'worker stop-before-reply 15000',
    'worker stop-before-request 0',
  ]);
});

test('createPlanPool: strikes what a process beside the scenario does once it is started again, also at numbers that are known', () => {
  const worker = { request: 2, webhook: 0, wait: 1, write: 1 };
  const calm = { ...CALM, happened: CALM.observed, restartable: 0, processes: { worker } };
  const pool = createPlanPool(calm, 1, 2);
  pool.next();
  const stop: HuntedFault = { at: 'integrator', what: 'stop-in-wait', when: { nth: 1 }, process: 'worker' };
  const before = { request: 1, webhook: 0, wait: 1, write: 0 };
  const counts = { request: 2, webhook: 0, wait: 1, write: 3 };
  const recoveries = [{ process: 'worker', before, counts, happened: CALM.observed }];
  const afterStop = (first: HuntedFault) => {
    const rounds = Array.from({ length: 20 }, () => pool.next()).flat();
    const plans = rounds.filter((plan) => JSON.stringify(plan[0]) === JSON.stringify(first));
    return plans.flatMap(([, last]) => (last ? [`${last.what} ${last.when!.nth}`] : []));
  };
  pool.learn([stop], { ...calm, recoveries });
  const writes = [1, 2, 3].flatMap((nth) => [`stop-after-write ${nth}`, `stop-in-write ${nth}`]);
  expect(afterStop(stop)).toEqual(
    expect.arrayContaining([...writes, 'stop-before-request 2', 'stop-before-reply 2']),
  );
  // What has the same numbers is the same.
  const longer = { ...stop, downMs: 15_000 };
  pool.learn([longer], { ...calm, recoveries });
  expect(afterStop(longer)).not.toContain('stop-in-write 3');
});

test('createPlanPool: on real time it stops a process again at what it did once it was started again', () => {
  const worker = { request: 2, webhook: 0, wait: 0, write: 0 };
  const calm = { ...CALM, restartable: 0, processes: { worker } };
  const pool = createPlanPool(calm, 1, 2);
  pool.next();
  const stop: HuntedFault = {
    at: 'integrator',
    what: 'stop-before-reply',
    when: { nth: 2 },
    process: 'worker',
  };
  const counts = { ...worker, request: 5 };
  pool.learn([stop], { ...calm, recoveries: [{ process: 'worker', before: worker, counts, happened: [] }] });
  const plans = Array.from({ length: 20 }, () => pool.next()).flat();
  for (const nth of [3, 4, 5])
    expect(plans).toContainEqual([stop, { ...stop, what: 'stop-before-request', when: { nth } }]);
});

test('createPlanPool: strikes what happens once a process was started again, also at numbers that are known', () => {
  const pool = createPlanPool({ ...CALM, happened: CALM.observed }, 1, 2);
  pool.next();
  const stop: HuntedFault = { at: 'integrator', what: 'stop-before-reply', when: { nth: 2 } };
  const before = { request: 2, webhook: 0, wait: 0, write: 0 };
  const counts = { ...before, request: 4 };
  const reply = { at: 'api.reply', operation: 'POST /v1/customers' } as const;
  const recoveries = [{ process: undefined, before, counts, happened: [{ ...reply, count: 1 }] }];
  // The first reply comes before the stop, the second after it.
  pool.learn([stop], { ...CALM, happened: CALM.observed, recoveries });
  const when = { operation: 'POST /v1/customers', nth: 2 };
  const rounds = Array.from({ length: 3 }, () => pool.next()).flat();
  expect(rounds).toEqual(
    expect.arrayContaining([
      [stop, { at: 'api.reply', what: 'reset', when }],
      [stop, { at: 'api.reply', what: 'no-reply', delayMs: 15_000, when }],
      [stop, { at: 'api.reply', what: 'delay', delayMs: 15_000, when }],
    ]),
  );
});

test('createPlanPool: tries outages of each place and of all, none of which strikes by chance', () => {
  const places = [
    { at: 'api.request', operation: 'GET /v1/customers' },
    { at: 'api.request', operation: 'POST /v1/customers' },
    { at: 'webhook.attempt', eventType: 'Customer.created' },
    { at: 'webhook.attempt', eventType: 'Customer.updated' },
  ] as const;
  const calm = { ...CALM, observed: places.map((place) => ({ ...place, count: 2 })) };
  const faults = createPlanPool(calm, 'chance', 1).next().flat();
  const outages = faults.filter(({ when }) => when && 'forMs' in when);
  expect(outages.length).toBeGreaterThan(5);
  expect(faults.filter(({ when }) => when && 'percent' in when)).toEqual([]);
});
