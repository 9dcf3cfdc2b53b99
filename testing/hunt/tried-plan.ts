import { entriesOf } from '../../protocol/tables.ts';
import type { ReadShop } from '../../world/verdicts/read-facts.ts';
import type { World } from '../world/world.ts';
import type { HuntedFault } from './hunted-fault.ts';
import { judge, putPlanOn, unstruckFaults, type Judgement } from './plan-on-world.ts';
import { createProcesses, type Work } from './processes.ts';
import { createRunNotes } from './run-notes.ts';
import { warningsOf } from './hunt-warnings.ts';
import { orderMoney } from './story/order-money.ts';
import { recordStory } from './story/record-story.ts';
import type { Trial } from './trial.ts';

/** What a hunt does with each plan. */
export interface HuntSetUp extends Judgement {
  scenario: Work;
  /** What runs beside the scenario, by name; nothing by default. */
  processes?: Readonly<Record<string, Work>>;
  shop: ReadShop | undefined;
  /** The first terminal that was prepared; undefined for none. */
  terminalId: string | undefined;
  /** Aborted when the hunt is over: the trial then throws. */
  over?: AbortSignal;
  /** The step of the story at which it is judged; by default when everything that was due has happened. */
  untilStep?: number;
}

/** What came of a plan, on virtual time. */
interface TriedPlan extends Trial {
  /** Why the scenario ended early; it may, where a fault struck. */
  problem: unknown;
}

// Longer than an action at a terminal and all attempts of a webhook take.
const QUIET_MINUTES = 60;
// A scenario that sleeps and asks again for ever ends after this many steps of the clock.
const STEPS_MAX = 2_000;
// What waits for nothing in the world may still need some turns of the event loop.
const PATIENCE = 5;

/**
 * Runs the scenario in a sandbox, with the faults of a plan or, without one, watching where they could strike. Then lets
 * all deadlines pass and judges.
 * @throws what the verdicts and the books throw, and the reason of `over`
 */
export async function tryPlan(
  whole: World,
  setUp: HuntSetUp,
  plan: readonly HuntedFault[] | undefined,
): Promise<TriedPlan> {
  const { scenario, processes: others = {}, terminalId, orderMember, over, untilStep } = setUp;
  const reached = new AbortController();
  const { add, addMoment, order, timed, timedStops } = createRunNotes(whole.clock, plan === undefined);
  const { stops, observed } = await putPlanOn(whole, plan, add);
  const story = recordStory(whole, { orderMember, plan }, (index) => {
    if (index !== untilStep) return;
    processes.leave();
    reached.abort();
  });
  const processes = createProcesses(whole, { terminalId, stops, story, observed, addMoment });
  const begun = [
    processes.run(scenario),
    ...entriesOf(others).map(([name, work]) => processes.run(work, name)),
  ];
  const ended = await passUntilEnd(whole, Promise.all(begun), { over, reached: reached.signal });
  const { isUnfinished, problem } = ended;
  if (!reached.signal.aborted) story.endScenario(ended);
  const happened = observed();
  const { request: restartable } = processes.stoppable();
  const left = unstruckFaults(whole).length;
  const end = AbortSignal.any([reached.signal, ...(over ? [over] : [])]);
  // A process that is started again within that hour gets an hour too.
  for (let before = -1; !end.aborted && (before < processes.begun || processes.down() > 0);) {
    before = processes.begun;
    await whole.clock.advance(QUIET_MINUTES * 60_000, end);
  }
  over?.throwIfAborted();
  // Events may come when the scenario has returned.
  const { request: _requests, ...otherStops } = processes.stoppable();
  const ofProcesses = entriesOf(others).map(([name]) => [name, processes.stoppable(name)]);
  const unstruck = unstruckFaults(whole);
  const happenedInAll = observed();
  const told = story.end();
  const { wrong, facts } = await judge(whole, setUp, setUp.shop);
  processes.leave();
  return {
    verdict: wrong?.sentence,
    verdictName: wrong?.name,
    story: told,
    orders: () => orderMoney(facts),
    unstruck: [...unstruck, ...processes.unstopped()],
    struckLater: unstruck.length < left,
    restartable,
    otherStops,
    processes: Object.fromEntries(ofProcesses),
    recoveries: processes.recoveries(),
    observed: [
      ...happened.filter(({ at }) => !isDecision(at)),
      ...happenedInAll.filter(({ at }) => isDecision(at)),
    ],
    happened: happenedInAll,
    order,
    isUnfinished,
    problem,
    thrown: [...(problem === undefined ? [] : [problem]), ...processes.thrown, ...whole.receivers.thrown],
    ...(plan === undefined && { warnings: warningsOf(orderMember, facts), timed, timedStops }),
  };
}

/** What a bank or a cardholder decides concerns the shop also after its scenario has returned. */
const isDecision = (at: string) => /^(bank|cardholder)\./.test(at);

/** How a scenario ended. */
interface Ended {
  isUnfinished: boolean;
  /** What it threw; undefined when it did not. */
  problem?: unknown;
}

/** Lets time pass until a scenario ends, or until its step is reached. One that waits for what never comes is left. */
async function passUntilEnd(
  whole: World,
  running: Promise<unknown>,
  { over, reached }: { over: AbortSignal | undefined; reached: AbortSignal },
): Promise<Ended> {
  let ended: Ended = { isUnfinished: true };
  void running.then(
    () => (ended = { isUnfinished: false }),
    (thrown: unknown) =>
      (ended = { isUnfinished: false, problem: thrown ?? new Error('undefined was thrown') }),
  );
  let waited = 0;
  await whole.settled();
  for (let steps = 0; ended.isUnfinished && steps < STEPS_MAX && waited < PATIENCE; steps += 1) {
    over?.throwIfAborted();
    if (reached.aborted) break;
    if (await whole.clock.runNext()) continue;
    waited += 1;
    await whole.settled();
  }
  return ended;
}
