import { expect, test } from 'vitest';
import { readTrace } from '../../server/traces/trace-file.ts';
import { hunt, type HuntScene } from '../../testing/hunt/hunt.ts';
import { replayTrace } from '../../world/replay/replay-trace.ts';
import { bookedTwice } from './tills/booked-twice.ts';
import { chargedAgain } from './tills/charged-again.ts';
import { chargedThoughCancelled } from './tills/charged-though-cancelled.ts';

const SESSION = JSON.stringify({ amount: 1742, currency: 'GBP' });

test('hunt: the trace of the plan that it finds shows what struck', async () => {
  const { found } = await hunt({ ...chargedAgain(false), seed: 's3' });
  const trace = await readTrace(found!.trace);
  expect(trace.summary.notReplayable).toEqual([expect.stringContaining('run the hunt again with its seed')]);
  const text = JSON.stringify(trace);
  expect(text).toContain('"kind":"fault"');
  expect(text).toContain(`${found!.plan[0]!.what}: `);
});

test.each([
  ['a request that is cut', 'api.request', chargedThoughCancelled, 's18'],
  ['an event that comes twice', 'webhook.attempt', bookedTwice, 2],
])('hunt: the trace of %s replays as identical', async (_fault, at, till, seed) => {
  const { found } = await hunt({ ...till(false), seed });
  expect(found!.plan.map((fault) => fault.at)).toEqual([at]);
  const trace = await readTrace(found!.trace);
  expect(trace.summary.notReplayable).toEqual([]);
  expect(await replayTrace(trace)).toMatchObject({ outcome: 'identical' });
});

test('hunt: the trace of a plan that kills the server has what came before, the request that was cut, and what came after', async () => {
  let killedAt = -1;
  const { found } = await hunt({
    maxFaults: 1,
    async scenario({ world, fetch }) {
      killedAt = -1;
      const headers = { authorization: world.secretKey, 'content-type': 'application/json' };
      const send = () =>
        fetch(`${world.url}/v1/payment-sessions`, { method: 'POST', headers, body: SESSION });
      for (let sale = 0; sale < 3; sale += 1)
        await send().catch(({ message }: Error) => (killedAt = message.includes('killed') ? sale : killedAt));
    },
    verdicts: [() => (killedAt === 1 ? 'the second sale was cut' : undefined)],
  });
  expect(found?.plan.map(({ at }) => at)).toEqual(['server.commit']);
  const { items, summary } = await readTrace(found!.trace);
  const calls = items.flatMap((item) =>
    item.kind === 'call' && item.url === '/v1/payment-sessions' ? [item.seq] : [],
  );
  const replied = items.flatMap((item) => (item.kind === 'reply' ? [item.call] : []));
  const struck = items.find((item) => item.kind === 'output' && item.entry.kind === 'fault')!.seq;
  expect(calls).toHaveLength(3);
  expect(calls.map((seq) => replied.includes(seq))).toEqual([true, false, true]);
  expect([calls[1]! < struck, struck < calls[2]!]).toEqual([true, true]);
  expect(summary.notReplayable).toContainEqual(expect.stringContaining('the server was killed'));
});

test('hunt: counts the plans in which a fault was not reached', async () => {
  let isCut = false;
  const limits = { plans: 200, maxFaults: 2, seed: 'missed' };
  const { found, plans, notReached } = await hunt({
    ...limits,
    async scenario({ world, fetch }) {
      const headers = { authorization: world.secretKey, 'content-type': 'application/json' };
      const post = () =>
        fetch(`${world.url}/v1/payment-sessions`, { method: 'POST', headers, body: SESSION });
      isCut = false;
      await post().catch(() => (isCut = true));
      // What a fault in these would strike does not happen once the first request is cut.
      if (!isCut) for (let page = 0; page < 3; page += 1) await fetch(`${world.url}/v1/events`, { headers });
    },
  });
  expect(found).toBeUndefined();
  expect(notReached).toBeGreaterThan(0);
  expect(notReached).toBeLessThan(plans);
});

test('hunt: a scenario that is wrong without any fault is found with an empty plan', async () => {
  const { found, plans } = await hunt({ scenario: () => {}, verdicts: [() => 'the till is closed'] });
  expect([plans, found?.plan, found?.verdict]).toEqual([1, [], 'the till is closed']);
});

test('hunt: what a scenario throws without any fault is thrown', async () => {
  const scenario = () => Promise.reject(new Error('the till has no paper'));
  await expect(hunt({ scenario })).rejects.toThrow('the till has no paper');
});

test('hunt: a scenario that waits for what never comes is left, and judged', async () => {
  const { found } = await hunt({ scenario: () => new Promise(() => {}), verdicts: [() => 'it never ended'] });
  expect(found?.verdict).toBe('it never ended');
});

test('hunt: all payments and events are judged, also those that fill several pages', async () => {
  const SALES = 60;
  const { found } = await hunt({
    async scenario({ world, fetch }) {
      const headers = { authorization: world.secretKey, 'content-type': 'application/json' };
      for (let sale = 0; sale < SALES; sale += 1)
        await fetch(`${world.url}/v1/payment-sessions`, { method: 'POST', headers, body: SESSION });
    },
    verdicts: [({ payments }) => `there are ${new Set(payments.map(({ id }) => id)).size} payments`],
  });
  expect(found?.verdict).toBe(`there are ${SALES} payments`);
});

test('hunt: a scenario that calls nothing is refused, as no fault can strike it', async () => {
  await expect(hunt({ scenario: () => {} })).rejects.toThrow('did nothing that a fault could strike');
});

test('hunt: a process that was stopped does nothing any more, and what is begun again finds what it stored', async () => {
  const stored = { begun: 0, ended: 0 };
  const begin = async ({ world, fetch, sleep }: HuntScene) => {
    stored.begun += 1;
    const late = sleep(10_000).then(() => Promise.reject(new Error('no reply')));
    await Promise.race([fetch(`${world.url}/v1/accounts`), late]).catch(() => {});
    stored.ended += 1;
  };
  const { found } = await hunt({
    scenario: (scene) => {
      Object.assign(stored, { begun: 0, ended: 0 });
      scene.restart(begin);
      return begin(scene);
    },
    verdicts: [() => (stored.begun === 1 ? undefined : `begun ${stored.begun}, ended ${stored.ended}`)],
  });
  expect([found?.plan.map(({ at }) => at), found?.verdict]).toEqual([['integrator'], 'begun 2, ended 1']);
  const { items } = await readTrace(found!.trace);
  const entries = items.flatMap((item) => (item.kind === 'output' ? [item.entry] : []));
  const planned = entries.find(({ kind }) => kind === 'fault.plan')!;
  expect(planned.plan!.faults).toEqual([
    expect.stringMatching(/^Request 1 of the integrator's process: The process is killed/),
  ]);
  expect(entries.find(({ kind }) => kind === 'fault')).toMatchObject({
    title: `${found!.plan[0]!.what}: request 1`,
    fault: { planId: planned.plan!.planId },
  });
});
