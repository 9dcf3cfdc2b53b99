import { entriesOf, keysOf } from '../../../protocol/tables.ts';
import {
  CUT_POINTS,
  effectOf,
  takesTime,
  type CutPointName,
} from '../../../server/platform/faults/cut-points.ts';
import { isMeant } from '../../../server/platform/faults/fault-rule.ts';
import type { PlannedFault } from '../../../server/platform/faults/fault-plan.schema.ts';
import { span } from '../../../server/platform/faults/fault-words.ts';
import { silentProcesses } from '../../../testing/hunt/hunt-warnings.ts';
import type { HuntedFault, IntegratorFault, Observed } from '../../../testing/hunt/hunted-fault.ts';
import { outagesOf } from '../../../testing/hunt/outages.ts';
import {
  DOWN_MS,
  isHunted,
  isTried,
  NTH_MAX,
  TYPICAL_DELAY_MS,
} from '../../../testing/hunt/single-faults.ts';
import { DRILLS } from '../../drills/drills.ts';
import type { CaseOutcome, CertificateCase } from '../certificate.ts';
import { MONEY_RULES, moneyVerdict } from './money-rules.ts';
import type { CalmRun, TillBench, TillPlan } from './till-bench.ts';

type TillCase = CertificateCase<TillBench>;

const SELLS = 'till.sells';
const AGREE = 'Books and money agree afterwards.';

const CALM: TillCase = {
  id: SELLS,
  rule: 'Without a fault, books and money agree.',
  needs: [],
  run: (bench) => bench.judgeCalm(),
};

/** What the till takes part in. The rest is the same in each scenario. */
const OF_TILL = /^(api\.|webhook\.|bank\.|cardholder\.|integrator$)/;

/**
 * A case that strikes each place of a kind where something happens without faults: in each scenario, or in the first of them
 * where the till has no part in it.
 */
function struckCase(
  id: string,
  rule: string,
  faultsOf: (run: CalmRun) => HuntedFault[],
  nothing: string,
): TillCase {
  return {
    id: `till.${id}`,
    rule,
    needs: [SELLS],
    async run(bench) {
      const calm = await bench.calm();
      const plans = calm.flatMap((run) =>
        faultsOf(run).map((fault): TillPlan => ({ scenario: run.scenario, faults: [fault] })),
      );
      const keyOf = ({ scenario, faults }: TillPlan) =>
        JSON.stringify(faults.some(({ at }) => OF_TILL.test(at)) ? [scenario.name, faults] : faults);
      const keys = plans.map(keyOf);
      return bench.judge(
        plans.filter((plan, index) => keys.indexOf(keyOf(plan)) === index),
        nothing,
      );
    },
  };
}

/** Cases of the drills: their faults strike the till in the place of the integration that a drill plays. */
const DRILL_CASES: TillCase[] = Object.entries(DRILLS).map(
  ([name, { title, right, faults, task, days }]) => ({
    id: `till.drill.${name}`,
    rule: `${title}: the till ${right}.`,
    needs: [SELLS],
    async run(bench) {
      if (days !== undefined) return notInRealTime(name, days);
      const calm = await bench.calm();
      const reached = calm.filter(({ trial }) => faults.every((fault) => isReached(fault, trial.observed)));
      const plans = reached.map(({ scenario }) => ({ scenario, faults: [...faults] }));
      return bench.judge(plans, `no run has what the drill strikes: the till is to ${task}`);
    },
  }),
);

function notInRealTime(name: string, days: number): CaseOutcome {
  const reason = `${days} days pass in it, and the till runs in real time: play it with \`tapbench drill ${name} --wait\``;
  return { verdict: 'not shown', reason };
}

/** Returns whether what a fault strikes happens without faults. */
function isReached(fault: PlannedFault, observed: readonly Observed[]): boolean {
  return observed.some((each) => isMeant(fault, { ...each, ids: [] }));
}

/** Each fault that hunts draw, at each place where it can strike. Each commit of the server is a step of its own. */
const FAULT_CASES: TillCase[] = keysOf(CUT_POINTS).flatMap((at) =>
  Object.keys(CUT_POINTS[at].faults)
    .filter(isHunted)
    .map((what) =>
      struckCase(
        `fault.${hyphenated(at)}.${what}`,
        `${CUT_POINTS[at].title}. ${effectText(at, what)} ${AGREE}`,
        ({ trial }) =>
          trial.observed
            .filter((each) => each.at === at && isTried(each))
            .flatMap((each) => faultsAt(each, what)),
        nothingAt(at),
      ),
    ),
);

function faultsAt({ at, count, ...names }: Observed, what: string): HuntedFault[] {
  const last = at === 'server.commit' ? Math.min(count, NTH_MAX) : 1;
  return Array.from({ length: last }, (_, index) => ({
    at,
    what,
    ...(takesTime(at, what) && { delayMs: TYPICAL_DELAY_MS }),
    when: { ...names, nth: index + 1 },
  }));
}

const OUTAGE_CASES: TillCase[] = keysOf(CUT_POINTS)
  .filter((at) => outagesOf({ at, count: 1 }).length > 0)
  .map((at) =>
    struckCase(
      `outage.${hyphenated(at)}`,
      `${CUT_POINTS[at].title} fails many times in turn. ${AGREE}`,
      ({ trial }) => trial.observed.filter((each) => each.at === at && isTried(each)).flatMap(outagesOf),
      nothingAt(at),
    ),
  );

const STOPS: readonly { id: string; rule: string; stop: Pick<IntegratorFault, 'what' | 'downMs'> }[] = [
  {
    id: 'stop.before-request',
    rule: `The process of the till is killed before a request is handled, and started again. ${AGREE}`,
    stop: { what: 'stop-before-request' },
  },
  {
    id: 'stop.before-reply',
    rule: `The process of the till is killed before it hears a reply, and started again. ${AGREE}`,
    stop: { what: 'stop-before-reply' },
  },
  {
    id: 'stop.down',
    rule: `The process of the till is killed before it hears a reply, and started again two minutes later. ${AGREE}`,
    stop: { what: 'stop-before-reply', downMs: DOWN_MS[1]! },
  },
];

const STOP_CASES = STOPS.map(({ id, rule, stop }): TillCase => {
  const struck = struckCase(id, rule, ({ trial }) => stopsOf(trial, stop), 'the till sent no request');
  return {
    ...struck,
    async run(bench, results) {
      const silent = silentIn(await bench.calm());
      if (silent.length === 0) return struck.run(bench, results);
      const reason = `${silent.join(' and ')} beside the till sent no request to TAPBENCH_URL, so it was not stopped`;
      return { verdict: 'not shown', reason };
    },
  };
});

/** Returns stops of the till and of each process beside it, at their own requests. */
function stopsOf(
  { restartable, processes = {} }: CalmRun['trial'],
  stop: Pick<IntegratorFault, 'what' | 'downMs'>,
): IntegratorFault[] {
  const at = (count: number, process?: string) =>
    Array.from({ length: Math.min(count, NTH_MAX) }, (_, index): IntegratorFault => ({
      at: 'integrator',
      ...stop,
      when: { nth: index + 1 },
      ...(process !== undefined && { process }),
    }));
  return [...at(restartable), ...entriesOf(processes).flatMap(([name, { request }]) => at(request, name))];
}

/** Returns the processes beside the till that sent no request in any run. */
function silentIn(calm: readonly CalmRun[]): string[] {
  const [first = [], ...others] = calm.map(({ trial }) => silentProcesses(trial.processes));
  return first.filter((name) => others.every((silent) => silent.includes(name)));
}

/** What all runs say about each way in which shops lose money. */
const MONEY_CASES: TillCase[] = keysOf(MONEY_RULES).map((name) => ({
  id: `till.money.${name}`,
  rule: MONEY_RULES[name].rule,
  needs: [],
  isSummary: true,
  run: async (_bench, results) => moneyVerdict(name, results),
}));

/** All cases of a till, in the order in which they run. */
export const TILL_CASES: readonly TillCase[] = [
  CALM,
  ...DRILL_CASES,
  ...FAULT_CASES,
  ...OUTAGE_CASES,
  ...STOP_CASES,
  ...MONEY_CASES,
];

function hyphenated(at: string): string {
  return at.replace('.', '-');
}

/** Returns what a fault does, in a sentence. */
function effectText(at: CutPointName, what: string): string {
  return effectOf(at, what).replaceAll('`delayMs`', span(TYPICAL_DELAY_MS)).replaceAll('`', '');
}

function nothingAt(at: CutPointName): string {
  const { title } = CUT_POINTS[at];
  return `in no run without faults there was ${title[0]!.toLowerCase()}${title.slice(1)}`;
}
