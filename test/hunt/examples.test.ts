import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { exampleOf, runOf } from '../../testing/hunt/examples/example-plan.ts';
import {
  hunt,
  type ExamplePlan,
  type HuntedFault,
  type HuntOptions,
  type HuntScene,
} from '../../testing/hunt/hunt.ts';

const SESSION = JSON.stringify({ amount: 1742, currency: 'GBP' });

function huntsFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-hunts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'hunts/till.json');
}

interface Sales {
  /** Accounts that are read, customers that are registered before. */
  reads?: number;
  customers?: number;
}

/** A till that loses its second sale when the server is killed while it is stored, as the only thing that goes wrong. */
function till({ reads = 0, customers = 0 }: Sales = {}): HuntOptions {
  let lost = -1;
  return {
    async scenario({ world, fetch }) {
      lost = -1;
      const headers = { authorization: world.secretKey, 'content-type': 'application/json' };
      const send = (path: string, body?: string) =>
        fetch(`${world.url}${path}`, { method: body ? 'POST' : 'GET', headers, ...(body && { body }) });
      for (let read = 0; read < reads; read += 1) await send('/v1/events').catch(() => {});
      for (let customer = 0; customer < customers; customer += 1)
        await send('/v1/customers', '{"email":"ana@corner.example"}').catch(() => {});
      for (let sale = 1; sale <= 3; sale += 1)
        await send('/v1/payment-sessions', SESSION).catch(
          ({ message }: Error) => (lost = message.includes('killed') ? sale : lost),
        );
    },
    verdicts: [() => (lost === 2 ? 'the second sale was lost' : undefined)],
  };
}

/** A shop that loses what it began when it is stopped before it hears of the second sale. */
function restartedShop(reads: number): HuntOptions {
  let [sold, begun] = [0, 0];
  const begin = async ({ world, fetch }: HuntScene) => {
    begun += 1;
    const headers = { authorization: world.secretKey, 'content-type': 'application/json' };
    for (let read = 0; read < reads; read += 1) await fetch(`${world.url}/v1/events`, { headers });
    for (; sold < 3; sold += 1)
      await fetch(`${world.url}/v1/payment-sessions`, { method: 'POST', headers, body: SESSION });
  };
  let stoppedAfter = -1;
  return {
    scenario(scene) {
      [sold, begun, stoppedAfter] = [0, 0, -1];
      scene.restart((again) => {
        stoppedAfter = sold;
        return begin(again);
      });
      return begin(scene);
    },
    verdicts: [() => (begun === 2 && stoppedAfter === 1 ? 'the second sale was forgotten' : undefined)],
  };
}

test.each([
  ['a commit', till(), till({ reads: 2, customers: 2 }), 'server.commit'],
  ['a stop of the process', restartedShop(0), restartedShop(2), 'integrator'],
])(
  'hunt: %s that was found is kept, and is found first where the scenario does more before',
  async (_what, before, now, at) => {
    const hunts = pathToFileURL(huntsFile());
    // A fault at another place may be drawn first that does the same.
    const first = await hunt({ ...before, hunts, plans: 2_000 });
    expect(first.found?.plan.map((fault) => fault.at)).toEqual([at]);
    const kept = JSON.parse(readFileSync(hunts, 'utf8'));
    expect(kept).toEqual({
      format: 'tapbench hunts',
      version: 1,
      plans: [{ verdict: first.found!.verdict, faults: first.found!.example }],
    });
    expect(first.found!.example[0]!.after).toMatchObject({ operation: 'POST /v1/payment-sessions' });
    // As a number the plan means something else by now.
    expect((await hunt({ ...now, plan: first.found!.plan }).catch(() => undefined))?.found).toBeUndefined();
    const again = await hunt({ ...now, hunts, plans: 0 });
    expect(again.found?.verdict).toBe(first.found!.verdict);
    // What was kept stays one plan as long as it means the same.
    expect(JSON.parse(readFileSync(hunts, 'utf8'))).toEqual(kept);
  },
);

const LOST_REPLY: HuntedFault = {
  at: 'api.reply',
  what: 'reset',
  when: { operation: 'POST /v1/payment-sessions', nth: 2 },
};

test('hunt: a plan that is given is tried alone, and is not made smaller', async () => {
  const tries: number[] = [];
  const onTry = (tried: number) => tries.push(tried);
  const right = await hunt({ ...till(), plan: [LOST_REPLY], onTry });
  expect([right.found, right.plans, tries]).toEqual([undefined, 2, [0, 1]]);
  const wrong = await hunt({
    ...till(),
    plan: [LOST_REPLY],
    verdicts: [({ payments }) => lostOf(payments.length)],
  });
  expect([wrong.found?.plan, wrong.plans]).toEqual([[LOST_REPLY], 2]);
  const third = { ...LOST_REPLY, when: { ...LOST_REPLY.when, nth: 4 } };
  await expect(hunt({ ...till(), plan: [third] })).rejects.toThrow('the only plan of faults struck nothing');
});

let calls = 0;
/** Wrong in the second run only, so that the one without faults is right. */
const lostOf = (payments: number) => ((calls += 1) > 1 ? `there are ${payments} payments` : undefined);

test('hunt: examples are tried first, and one that no longer fits is warned of', async () => {
  const cut = (operation: string): ExamplePlan => [
    {
      at: 'server.commit',
      what: 'kill-before',
      when: { nth: 1 },
      after: { at: 'api.request', operation, nth: 2 },
    },
  ];
  const fits = await hunt({ ...till(), examples: [cut('POST /v1/payment-sessions')], plans: 0 });
  expect([fits.found?.verdict, fits.found?.plan.length]).toEqual(['the second sale was lost', 1]);
  const { scenario } = till();
  const stale = await hunt({ scenario, examples: [cut('POST /v1/refunds')], plans: 3 });
  expect(stale.found).toBeUndefined();
  expect(stale.warnings).toContainEqual(
    '1 example was not tried: what its faults come after does not happen any more',
  );
});

const fileOf = (...faults: unknown[]) => ({
  format: 'tapbench hunts',
  version: 1,
  plans: [{ verdict: 'lost', faults }],
});

test.each([
  ['no JSON', '{', / is no JSON: /],
  ['another format', { format: 'other', version: 1, plans: [] }, /: format /],
  ['a later version', { format: 'tapbench hunts', version: 2, plans: [] }, /: version /],
  ['a plan without faults', fileOf(), /: plans\.0\.faults /],
  ['a fault at no place', fileOf({ at: 'till', what: 'reset' }), /: plans\.0\.faults\.0/],
  ['an unknown member', fileOf({ ...LOST_REPLY, often: 2 }), /: plans\.0\.faults\.0\.often /],
  [
    'a beginning without a number',
    fileOf({ ...LOST_REPLY, after: { at: 'api.request' } }),
    /: plans\.0\.faults\.0\.after/,
  ],
  ['too many plans', { ...fileOf(), plans: Array(201).fill(fileOf(LOST_REPLY).plans[0]) }, /: plans /],
  ['more bytes than it may have', ' '.repeat(1_000_001), /has more than 1000000 bytes/],
])(
  'hunt: a file of plans with %s is refused by a sentence that names the place',
  async (_what, content, message) => {
    const hunts = huntsFile().replace('hunts/', '');
    writeFileSync(hunts, typeof content === 'string' ? content : JSON.stringify(content));
    await expect(hunt({ ...till(), hunts, plans: 1 })).rejects.toThrow(message);
    await expect(hunt({ ...till(), hunts, plans: 1 })).rejects.toThrow(`hunt: ${hunts}`);
  },
);

test('hunt: a plan and examples that are not valid are refused', async () => {
  const odd = JSON.parse('[{"at":"api.reply","what":"explodes"}]');
  await expect(hunt({ ...till(), plan: odd })).rejects.toThrow('hunt: plan.0.what');
  await expect(hunt({ ...till(), examples: [[LOST_REPLY], odd] })).rejects.toThrow('hunt: examples.1.0.what');
  const down: HuntedFault = { at: 'integrator', what: 'stop-in-wait', when: { nth: 1 }, downMs: -1 };
  await expect(hunt({ ...till(), plan: [down] })).rejects.toThrow('hunt: plan.0.downMs must be at least 0');
});

test('hunt: what finds nothing, and what is wrong without faults, writes no file', async () => {
  const hunts = huntsFile();
  await hunt({ ...till(), hunts, plans: 2 });
  await hunt({ ...till(), hunts, verdicts: [() => 'the till is closed'] });
  expect(existsSync(hunts)).toBe(false);
});

test('exampleOf: a stop at an event or in a wait has its number among these, whatever is requested', () => {
  const run = { order: [], requests: ['GET /v1/events', 'POST /v1/payment-sessions', 'GET /v1/events'] };
  const stops: HuntedFault[] = (['stop-in-wait', 'stop-after-webhook'] as const).map((what) => ({
    at: 'integrator',
    what,
    when: { nth: 2 },
    downMs: 120_000,
  }));
  expect(exampleOf(stops, run)).toEqual(stops);
});

test('exampleOf: a stop at a request has its number among those of its process, the end of the scenario being none', () => {
  const step = { atMs: 0, who: 'shop', text: '', isRead: true } as const;
  const kinds = ['GET /v1/events', 'POST /v1/payment-sessions'];
  const story = () => [
    { ...step, kind: kinds[0]!, process: 'browser' },
    { ...step, kind: kinds[0]! },
    // A process that was started again goes on when the scenario has returned.
    { ...step, kind: 'the scenario returns', isEnd: true as const },
    { ...step, kind: kinds[1]! },
  ];
  const run = runOf({ order: [], story });
  expect(run.requests).toEqual(kinds);
  const stop: HuntedFault = { at: 'integrator', what: 'stop-before-reply', when: { nth: 1 } };
  const [own, other] = exampleOf([stop, { ...stop, process: 'browser' }], run).toReversed();
  expect([own!.after, other]).toEqual([
    { at: 'integrator', operation: 'GET /v1/events', nth: 1 },
    { ...stop, process: 'browser' },
  ]);
});

test('hunt: a find that has no room in the file of plans is a warning, and is not said to be kept', async () => {
  const hunts = huntsFile().replace('hunts/', '');
  const faults = [{ at: 'api.request', what: 'reset', when: { operation: 'GET /v1/customers' } }];
  const plans = Array.from({ length: 200 }, () => ({ verdict: 'lost', faults }));
  writeFileSync(hunts, JSON.stringify({ format: 'tapbench hunts', version: 1, plans }));
  let isLost = false;
  const { found, warnings } = await hunt({
    async scenario({ world, fetch }) {
      isLost = false;
      const headers = { authorization: world.secretKey, 'content-type': 'application/json' };
      const sale = fetch(`${world.url}/v1/payment-sessions`, { method: 'POST', headers, body: SESSION });
      await sale.catch(() => (isLost = true));
    },
    verdicts: [() => (isLost ? 'the sale was lost' : undefined)],
    hunts,
  });
  expect(found).toMatchObject({ verdict: 'the sale was lost' });
  expect([found!.keptIn, warnings]).toEqual([
    undefined,
    expect.arrayContaining([`what was found is not in ${hunts}: it has 200 plans already`]),
  ]);
  expect(JSON.parse(readFileSync(hunts, 'utf8')).plans).toHaveLength(200);
});
