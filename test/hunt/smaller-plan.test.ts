import { expect, test } from 'vitest';
import type { HuntedFault, Observed } from '../../testing/hunt/hunted-fault.ts';
import { makeSmaller } from '../../testing/hunt/smaller-plan.ts';

const READ = 'GET /v1/customers';
const CREATE = 'POST /v1/customers';
const OBSERVED: Observed[] = [CREATE, READ].map((operation) => ({ at: 'api.request', operation, count: 3 }));
const LOST: HuntedFault = { at: 'webhook.attempt', what: 'dropped', when: { nth: 1 } };

/** Returns the smallest plan that is found to be wrong from one, and how many were tried for it. */
async function smallestOf(plan: HuntedFault[], goesWrong: (faults: HuntedFault[]) => boolean) {
  let found = plan;
  let tries = 0;
  const isWrong = async (smaller: HuntedFault[]) => {
    tries += 1;
    const wrong = goesWrong(smaller);
    if (wrong) found = smaller;
    return wrong;
  };
  await makeSmaller(plan, { isWrong, isOver: () => false, observed: OBSERVED });
  return { found, tries };
}

const outage = (when: object, what = 'unavailable') => ({ at: 'api.request', what, when }) as HuntedFault;
const timesOf = ({ when }: HuntedFault) => (when && 'times' in when ? (when.times ?? 1) : 1);
const lastsMs = ({ when }: HuntedFault) => (when && 'forMs' in when ? (when.forMs ?? 0) : 0);

test('makeSmaller: an outage strikes as seldom as it can', async () => {
  const { found } = await smallestOf([outage({ operation: READ, nth: 1, times: 8 }), LOST], ([first]) =>
    first!.at === 'api.request' ? timesOf(first!) >= 5 : false,
  );
  expect(found).toEqual([outage({ operation: READ, nth: 1, times: 5 })]);
});

test('makeSmaller: an outage of the whole API is one of an operation, and as short as it can be, within a few tries', async () => {
  const whole = outage({ nth: 4, forMs: 10_800_000 });
  const { found, tries } = await smallestOf([whole], ([first]) => {
    const { operation = READ } = first!.when as { operation?: string };
    return operation === READ && lastsMs(first!) >= 2_160_500;
  });
  expect(found).toEqual([outage({ operation: READ, nth: 1, forMs: 2_161_000 })]);
  expect(tries).toBeLessThan(30);
});

test('makeSmaller: an outage that goes wrong with one strike is none, and one by chance strikes always', async () => {
  const half = outage({ operation: READ, nth: 1, forMs: 60_000, percent: 50 });
  expect((await smallestOf([half], () => true)).found).toEqual([outage({ operation: READ, nth: 1 })]);
  const long = await smallestOf([half], ([first]) => lastsMs(first!) >= 7_000);
  expect(long.found).toEqual([outage({ operation: READ, nth: 1, forMs: 7_000 })]);
});

test('makeSmaller: an outage that goes wrong by its strikes alone lasts for no time', async () => {
  const minute = outage({ operation: READ, nth: 1, forMs: 60_000, times: 300 });
  const { found } = await smallestOf([minute], ([first]) => timesOf(first!) >= 6);
  expect(found).toEqual([outage({ operation: READ, nth: 1, times: 6 })]);
});

test('makeSmaller: two outages that go wrong together are both kept, each as short as it can be', async () => {
  const plan = [
    outage({ operation: CREATE, nth: 1, times: 8 }),
    outage({ operation: READ, nth: 1, times: 8 }),
  ];
  const { found } = await smallestOf(
    plan,
    (faults) => faults.length === 2 && timesOf(faults[0]!) >= 2 && timesOf(faults[1]!) >= 3,
  );
  expect(found.map(timesOf)).toEqual([2, 3]);
});

test('makeSmaller: a process that is down is down for as short as it can be, and for no time where that is wrong too', async () => {
  const down: HuntedFault = { at: 'integrator', what: 'stop-in-wait', when: { nth: 1 }, downMs: 3_600_000 };
  const downMsOf = (fault: HuntedFault) => (fault.at === 'integrator' ? (fault.downMs ?? 0) : 0);
  const long = await smallestOf([down], ([first]) => downMsOf(first!) > 60_000);
  expect(long.found).toEqual([{ ...down, downMs: 120_000 }]);
  const { downMs: _downMs, ...atOnce } = down;
  expect((await smallestOf([down], () => true)).found).toEqual([atOnce]);
});

test('makeSmaller: an outage at a place where one thing alone happens is not tried again as itself', async () => {
  const leaves: HuntedFault = { at: 'cardholder.card', what: 'leaves', when: { nth: 1, times: 8 } };
  const observed = [{ at: 'cardholder.card', count: 1 } as const];
  const tried: string[] = [];
  const isWrong = async (plan: HuntedFault[]) => {
    tried.push(JSON.stringify(plan));
    return timesOf(plan[0]!) >= 3;
  };
  await makeSmaller([leaves], { isWrong, isOver: () => tried.length > 20, observed });
  expect(tried).not.toContain(JSON.stringify([leaves]));
  expect(tried.at(-1)).toContain('"times":');
});
