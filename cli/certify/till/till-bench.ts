import { messageOf } from '../../../protocol/failures.ts';
import type { CommandTrial } from '../../../testing/hunt/command/command-trial.ts';
import type { TryCommand } from '../../../testing/hunt/command/hunt-command.ts';
import { describeFault, type HuntedFault } from '../../../testing/hunt/hunted-fault.ts';
import type { ShopCall } from '../../../world/shop-calls.ts';
import type { CaseOutcome } from '../certificate.ts';
import { moneyOf } from './money-rules.ts';

/** What the till is asked to do in a run. */
export interface TillScenario {
  /** Such as `sell`. */
  name: string;
  /** What is posted to it; undefined where it sells by itself. */
  calls: readonly ShopCall[] | undefined;
}

/** A run of the till under faults. */
export interface TillPlan {
  scenario: TillScenario;
  faults: HuntedFault[];
}

export interface CalmRun {
  scenario: TillScenario;
  trial: CommandTrial;
}

/** What the cases of a till have. */
export interface TillBench {
  scenarios: readonly TillScenario[];
  /** Runs each scenario without faults, at the first call. @throws what a run throws */
  calm(): Promise<readonly CalmRun[]>;
  /** Runs plans, and says what came of them. @param nothing why there are none */
  judge(plans: readonly TillPlan[], nothing: string): Promise<CaseOutcome>;
  /** Says what came of a run without faults. */
  judgeCalm(): Promise<CaseOutcome>;
}

interface BenchParts {
  tryPlan: TryCommand;
  scenarios: readonly TillScenario[];
  /** Shared by all cases. */
  calm: TillBench['calm'];
  /** Takes the trace of the run that a case ends with. */
  onTrace(trace: Buffer): void;
}

/** A run that went wrong may depend on what real time does: it is run as often again. */
const REPEATS = 2;
const NAMES_MAX = 6;

/** Returns runs without faults that are made once, when they are asked for first. */
export function calmRuns(tryPlan: TryCommand, scenarios: readonly TillScenario[]): TillBench['calm'] {
  let running: Promise<readonly CalmRun[]> | undefined;
  const run = async (scenario: TillScenario) => ({
    scenario,
    trial: await tryPlan(undefined, { calls: scenario.calls }),
  });
  return () => (running ??= Promise.all(scenarios.map(run)));
}

export function createTillBench({ tryPlan, scenarios, calm, onTrace }: BenchParts): TillBench {
  const runPlan = ({ scenario, faults }: TillPlan) => tryPlan(faults, { calls: scenario.calls });

  /** Runs a plan again that went wrong. Returns in how many of all its runs it did. */
  async function confirm(plan: TillPlan): Promise<string> {
    const again = await Promise.allSettled(Array.from({ length: REPEATS }, () => runPlan(plan)));
    const wrong = again.filter((one) => one.status === 'fulfilled' && one.value.verdict !== undefined).length;
    return `in ${wrong + 1} of ${REPEATS + 1} runs`;
  }

  return {
    scenarios,
    calm,
    async judgeCalm() {
      const runs = await calm();
      const wrong = runs.find(({ trial }) => trial.verdict !== undefined);
      onTrace((wrong ?? runs.at(-1)!).trial.trace);
      const money = moneyOf(runs.map(({ trial }) => trial));
      if (wrong)
        return { verdict: 'failed', reason: `${wrong.scenario.name}: ${wrong.trial.verdict}`, money };
      const names = scenarios.map(({ name }) => name).join(', ');
      return { verdict: 'passed', reason: `books and money agree after ${names}`, money };
    },
    async judge(plans, nothing) {
      if (plans.length === 0) return { verdict: 'not shown', reason: nothing };
      const settled = await Promise.allSettled(plans.map(runPlan));
      const runs = settled.flatMap((one, index) =>
        one.status === 'fulfilled' ? [{ plan: plans[index]!, trial: one.value }] : [],
      );
      const money = moneyOf(runs.map(({ trial }) => trial));
      const wrong = runs.find(({ trial }) => trial.verdict !== undefined);
      if (wrong) {
        onTrace(wrong.trial.trace);
        const reason = `${planText(wrong.plan)} ${wrong.trial.verdict} (${await confirm(wrong.plan)})`;
        return { verdict: 'failed', reason, money };
      }
      if (runs.length > 0) onTrace(runs.at(-1)!.trial.trace);
      const problem = firstProblem(plans, settled);
      if (problem !== undefined) return { verdict: 'not shown', reason: problem, money };
      const struck = runs.filter(({ trial }) => trial.unstruck.length === 0);
      if (struck.length === 0)
        return { verdict: 'not shown', reason: 'the fault struck nothing in any run', money };
      return { verdict: 'passed', reason: struckText(struck.map(({ plan }) => plan)), money };
    },
  };
}

/** Returns why a run could not be judged, or is judged too early; undefined when all can be. */
function firstProblem(
  plans: readonly TillPlan[],
  settled: readonly PromiseSettledResult<CommandTrial>[],
): string | undefined {
  for (const [index, one] of settled.entries()) {
    const text = planText(plans[index]!);
    if (one.status === 'rejected') return `${text} it could not be judged: ${messageOf(one.reason)}`;
    if (one.value.isUnfinished) return `${text} the till had not ended its work when its time was over`;
  }
  return undefined;
}

function planText({ scenario, faults }: TillPlan): string {
  return [`${scenario.name}:`, ...faults.map(describeFault)].join(' ');
}

function struckText(plans: readonly TillPlan[]): string {
  const names = [...new Set(plans.flatMap(({ faults }) => faults.map(placeName)))];
  const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : '';
  const runs = plans.length === 1 ? 'one run' : `${plans.length} runs`;
  return `books and money agree after ${runs}, struck at ${names.slice(0, NAMES_MAX).join(', ')}${more}`;
}

/** Returns the name of what a fault strikes, such as that of an operation. */
function placeName(fault: HuntedFault): string {
  if (fault.at === 'integrator')
    return `request ${fault.when.nth}${fault.process === undefined ? '' : ` of ${fault.process}`}`;
  const { operation, message, state, effect, eventType, nth } = fault.when ?? {};
  return operation ?? message ?? state ?? effect ?? eventType ?? `occurrence ${nth ?? 1}`;
}
