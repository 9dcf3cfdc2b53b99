import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countsOf } from '../../../cli/certify/certificate.ts';
import { runCases } from '../../../cli/certify/run-cases.ts';
import { calmRuns, createTillBench, type TillScenario } from '../../../cli/certify/till/till-bench.ts';
import { moneyOf } from '../../../cli/certify/till/money-rules.ts';
import { TILL_CASES } from '../../../cli/certify/till/till-cases.ts';
import { DRILLS } from '../../../cli/drills/drills.ts';
import type { CommandTrial } from '../../../testing/hunt/command/command-trial.ts';
import type { HuntedFault, Observed } from '../../../testing/hunt/hunted-fault.ts';
import { CUT_POINTS } from '../../../server/platform/faults/cut-points.ts';

const READ: Observed = {
  at: 'api.reply',
  operation: 'GET /v1/payment-sessions/{paymentSessionId}',
  count: 3,
};
const PRINTS: Observed = { at: 'terminal.state', state: 'approved.printing.merchantCopy', count: 1 };

const PAYMENT = {
  id: 'ps_1',
  accountId: 'acc_1',
  orderId: 'order-1',
  status: 'Captured',
  amount: 1742,
  captured: 1742,
  refundedAmount: 0,
  chargedBack: 0,
  platformFee: 0,
  currency: 'GBP',
  cancelled: false,
  isOfSubscription: false,
};

function trialOf(changes: Partial<CommandTrial> = {}): CommandTrial {
  return {
    verdict: undefined,
    restartable: 1,
    unstruck: [],
    struckLater: false,
    isUnfinished: false,
    observed: [READ, PRINTS],
    story: () => [],
    orders: () => [],
    facts: {
      payments: [PAYMENT],
      transfers: [],
      payouts: [],
      events: [],
      busyTerminals: [],
      shop: { orders: [{ orderId: 'order-1', paid: true, amount: 1742 }] },
    },
    samples: [],
    trace: Buffer.from('trace'),
    output: '',
    ...changes,
  };
}

const SELL: TillScenario = { name: 'sell', calls: [] };
const REFUND: TillScenario = { name: 'refund', calls: [] };

/** Certifies a till by what comes of its runs. */
async function certify(
  tried: (plan: HuntedFault[] | undefined) => Promise<CommandTrial>,
  { only, scenarios = [SELL] }: { only?: string[]; scenarios?: TillScenario[] } = {},
) {
  const plans: HuntedFault[][] = [];
  const tryPlan = (plan: HuntedFault[] | undefined) => {
    if (plan) plans.push(plan);
    return tried(plan);
  };
  const calm = calmRuns(tryPlan, scenarios);
  const traces: string[] = [];
  const results = await runCases(TILL_CASES, {
    only,
    open: (id) =>
      Promise.resolve({
        bench: createTillBench({
          tryPlan,
          scenarios,
          calm,
          onTrace: (trace) => traces.push(`${id} ${trace.toString()}`),
        }),
        close: () => Promise.resolve(null),
      }),
    onResult: () => {},
    interrupted: new AbortController().signal,
  });
  const of = (id: string) => results.find((result) => result.id === id)!;
  return { plans, results, of, traces };
}

/** What only an endpoint or a terminal can get wrong is for the certificates of those. */
const LEFT_OUT: Record<string, string[]> = {
  'webhook.attempt': ['unsigned', 'altered-body', 'spaced-body', 'large-body', 'unknown-type'],
  'message.command': [
    'unknown-message',
    'cut-message',
    'large-body',
    'other-action',
    'report-request',
    'presence-request',
  ],
};

test('certify till: each drill has a case, and each kind of fault that hunts draw', () => {
  const ids = TILL_CASES.map(({ id }) => id);
  for (const name of Object.keys(DRILLS)) expect(ids).toContain(`till.drill.${name}`);
  for (const [at, { faults }] of Object.entries(CUT_POINTS)) {
    const begin = `till.fault.${at.replace('.', '-')}.`;
    const missing = Object.keys(faults).filter((what) => !ids.includes(begin + what));
    expect([at, missing]).toEqual([at, LEFT_OUT[at] ?? []]);
  }
  expect(new Set(ids).size).toBe(ids.length);
});

const NO_STOPS = { webhook: 0, wait: 0, write: 0 };

test('certify till: stops each process beside the till at its own requests too', async () => {
  const processes = { worker: { request: 2, ...NO_STOPS } };
  const { plans, of } = await certify(async () => trialOf({ restartable: 1, processes }), {
    only: ['till.stop.before-reply'],
  });
  expect(of('till.stop.before-reply')).toMatchObject({
    verdict: 'passed',
    reason:
      'books and money agree after 3 runs, struck at request 1, request 1 of worker, request 2 of worker',
  });
  const stop = { at: 'integrator', what: 'stop-before-reply' };
  expect(plans).toEqual([
    [{ ...stop, when: { nth: 1 } }],
    [{ ...stop, when: { nth: 1 }, process: 'worker' }],
    [{ ...stop, when: { nth: 2 }, process: 'worker' }],
  ]);
});

test('certify till: a stop is not shown where a process beside the till sends no request', async () => {
  const processes = { worker: { request: 0, ...NO_STOPS } };
  const { plans, of } = await certify(async () => trialOf({ processes }), {
    only: ['till.stop.before-reply'],
  });
  expect(of('till.stop.before-reply')).toMatchObject({
    verdict: 'not shown',
    reason: 'worker beside the till sent no request to TAPBENCH_URL, so it was not stopped',
  });
  expect(plans).toEqual([]);
});

test('certify till: the documentation has each rule about money', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/certify-till.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(till\.money\.[a-z-]+)` +\| (.*?) +\|$/gm)].map(([, id, rule]) => [
    id,
    rule,
  ]);
  const money = TILL_CASES.filter(({ id }) => id.startsWith('till.money.'));
  expect(rows).toEqual(money.map(({ id, rule }) => [id, rule]));
});

test('certify till: what happens in a run is struck, and what does not happen is not shown', async () => {
  const { of, plans } = await certify(() => Promise.resolve(trialOf()));
  expect(of('till.drill.lost-result')).toMatchObject({ verdict: 'passed' });
  // The state of the drill is within another one.
  expect(of('till.drill.power-cut')).toMatchObject({ verdict: 'passed' });
  expect(of('till.drill.refund-twice').reason).toContain('refund a part of it');
  expect(of('till.fault.api-reply.reset').reason).toContain(READ.operation);
  expect(of('till.fault.bank-payout.refused')).toMatchObject({
    verdict: 'not shown',
    reason: 'in no run without faults there was a payout that the bank is about to make',
  });
  expect(plans).toContainEqual([
    { at: 'integrator', what: 'stop-before-reply', downMs: 120_000, when: { nth: 1 } },
  ]);
  expect(of('till.money.charged-once')).toMatchObject({ verdict: 'passed' });
  expect(of('till.money.payouts')).toMatchObject({ verdict: 'not shown' });
});

test('certify till: what the till takes part in is struck in each scenario, the rest in the first', async () => {
  const scenarios = [SELL, REFUND];
  const { of } = await certify(() => Promise.resolve(trialOf()), { scenarios });
  expect(of('till.fault.api-reply.reset').reason).toContain('after 2 runs');
  expect(of('till.fault.terminal-state.paper-out').reason).toContain('after one run');
});

test('certify till: a run that goes wrong fails its case and its rule about money, and is made twice more', async () => {
  let wrong = 0;
  const { of, results, traces } = await certify(async (plan) => {
    const [fault] = plan ?? [];
    if (fault?.at !== 'api.reply' || fault.what !== 'no-reply') return trialOf();
    wrong += 1;
    // The last of the three goes right.
    if (wrong === 3) return trialOf();
    const verdict = 'the order order-1 was charged 2 times: ps_1, ps_2';
    return trialOf({ verdict, verdictName: 'chargedOnce', trace: Buffer.from('wrong') });
  });
  expect(of('till.fault.api-reply.no-reply')).toMatchObject({ verdict: 'failed' });
  expect(of('till.fault.api-reply.no-reply').reason).toMatch(
    /^sell: .* charged 2 times.*\(in 2 of 3 runs\)$/,
  );
  expect(of('till.money.charged-once')).toMatchObject({
    verdict: 'failed',
    reason: 'broken in one run: till.fault.api-reply.no-reply',
  });
  expect(of('till.money.books')).toMatchObject({ verdict: 'passed' });
  expect(countsOf({ results }).failed).toBe(2);
  expect(traces).toContain('till.fault.api-reply.no-reply wrong');
});

test('certify till: a run that is not struck, does not end or cannot be judged shows nothing', async () => {
  const only = ['till.fault.api-reply.reset', 'till.fault.api-reply.delay', 'till.fault.api-reply.no-reply'];
  const { of } = await certify(
    async (plan) => {
      const what = plan?.[0]?.what;
      if (what === 'delay') throw new Error('the world has ended');
      return trialOf({
        isUnfinished: what === 'no-reply',
        unstruck: what === 'reset' ? plan! : [],
      });
    },
    { only },
  );
  const seen = only.map((id) => [of(id).verdict, of(id).reason]);
  expect(seen).toEqual([
    ['not shown', 'the fault struck nothing in any run'],
    ['not shown', expect.stringContaining('it could not be judged: the world has ended')],
    ['not shown', expect.stringContaining('the till had not ended its work')],
  ]);
});

test('certify till: a till that is wrong without a fault is shown nothing else', async () => {
  const verdict = 'the shop says that the order order-1 is paid, and no money was taken';
  const { of, results } = await certify(() =>
    Promise.resolve(trialOf({ verdict, verdictName: 'booksEqualLedger' })),
  );
  expect(of('till.sells')).toMatchObject({ verdict: 'failed', reason: `sell: ${verdict}` });
  expect(of('till.money.books').verdict).toBe('failed');
  expect(results.some((result) => result.verdict === 'passed')).toBe(false);
});

test('certify till: a drill in which days pass is not shown, also where what it strikes happens', async () => {
  const disputed = trialOf({
    observed: [{ at: 'webhook.attempt', eventType: 'Dispute.created', count: 1 }],
  });
  const { plans, results } = await certify(async () => disputed, { only: ['till.drill.dispute-while-away'] });
  expect(plans).toEqual([]);
  expect(results.at(-1)).toMatchObject({
    verdict: 'not shown',
    reason: expect.stringMatching(/^14 days pass in it, .* `tapbench drill dispute-while-away --wait`$/),
  });
});

test('certify till: books that have what never came break the rule about books, also where no money moved', () => {
  const { facts } = trialOf();
  const payments = [{ ...PAYMENT, status: 'Declined', captured: 0 }];
  const wrong = (refunded: number) => ({
    verdict: 'the shop says that the order order-1 is paid, and no money was taken',
    verdictName: 'booksEqualLedger' as const,
    facts: {
      ...facts,
      payments,
      shop: { orders: [{ orderId: 'order-1', paid: true, amount: 1742, refunded }] },
    },
  });
  expect(moneyOf([wrong(0)])).toEqual({ books: { kept: 0, broken: 1 } });
  expect(moneyOf([wrong(500)])['refunds']).toEqual({ kept: 0, broken: 1 });
});
