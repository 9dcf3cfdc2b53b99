import type { ReadShop } from '../../world/verdicts/read-facts.ts';
import { userWorldOf, type UserWorld } from '../world/user-world.ts';
import type { Till } from '../world/till.ts';
import type { World } from '../world/world.ts';
import type { TimedOccurrence } from './boundary-delays.ts';
import type { HuntedFault, IntegratorFault, Observed } from './hunted-fault.ts';
import { createDisk, type Disk } from './disk.ts';
import { createIntegrator, NO_STOPS, type StopCounts } from './integrator.ts';
import { judge, putPlanOn, tellStop, unstruckFaults, type Judgement } from './plan-on-world.ts';
import { warningsOf } from './hunt-warnings.ts';
import { orderMoney } from './story/order-money.ts';
import { recordStory, type StoryRecording } from './story/record-story.ts';
import type { Trial } from './trial.ts';

/** What the scenario of a hunt is given: its own sandbox, and the ways to it. */
export interface HuntScene {
  world: UserWorld;
  /** Reaches this sandbox, faults and all. */
  fetch: typeof globalThis.fetch;
  /** The till of the first terminal that was prepared. */
  till: Till;
  /** Waits on the clock of the sandbox, which goes on by itself while a scenario waits. */
  sleep(ms: number): Promise<void>;
  /** What the process has written, empty at first: a stop takes its memory and leaves this. */
  disk: Disk;
  /** Sets what begins the integrator's process again after a fault has stopped it. Without it none stops it. */
  restart(begin: (scene: HuntScene) => unknown): void;
}

/** What a hunt does with each plan. */
export interface HuntSetUp extends Judgement {
  scenario: (scene: HuntScene) => unknown;
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
  const { scenario, terminalId, orderMember, over, untilStep } = setUp;
  const reached = new AbortController();
  const timed: TimedOccurrence[] = [];
  const order: { place: Observed; nth: number }[] = [];
  const note = (occurrence: Observed) => {
    const nth = occurrence.count;
    order.push({ place: occurrence, nth });
    if (plan !== undefined) return;
    const { count: _count, ...place } = occurrence;
    const nowMs = whole.clock.nowMs();
    timed.push({ place, nth, dueInMs: whole.clock.due.map((dueMs) => dueMs - nowMs) });
  };
  const { stops, observed } = await putPlanOn(whole, plan, note);
  const story = recordStory(whole, orderMember, (index) => {
    if (index !== untilStep) return;
    leave();
    reached.abort();
  });
  const { run, thrown, stoppable, unstopped, starts, leave } = sceneOf(whole, { terminalId, stops, story });
  const { isUnfinished, problem } = await passUntilEnd(whole, run(scenario), {
    over,
    reached: reached.signal,
  });
  const happened = observed();
  const { request: restartable, ...otherStops } = stoppable();
  const left = unstruckFaults(whole).length;
  const end = AbortSignal.any([reached.signal, ...(over ? [over] : [])]);
  // A process that is started again within that hour gets an hour too.
  for (let before = -1; !end.aborted && (before < starts.begun || starts.awaited > 0);) {
    before = starts.begun;
    await whole.clock.advance(QUIET_MINUTES * 60_000, end);
  }
  over?.throwIfAborted();
  const unstruck = unstruckFaults(whole);
  const happenedInAll = observed();
  const told = story.end();
  const { wrong, facts } = await judge(whole, setUp, setUp.shop);
  leave();
  return {
    verdict: wrong?.sentence,
    verdictName: wrong?.name,
    story: told,
    orders: () => orderMoney(facts),
    unstruck: [...unstruck, ...unstopped()],
    struckLater: unstruck.length < left,
    restartable,
    otherStops,
    observed: [
      ...happened.filter(({ at }) => !isOfBank(at)),
      ...happenedInAll.filter(({ at }) => isOfBank(at)),
    ],
    happened: happenedInAll,
    order,
    isUnfinished,
    problem,
    thrown: [...(problem === undefined ? [] : [problem]), ...thrown, ...whole.receivers.thrown],
    ...(plan === undefined && { warnings: warningsOf(orderMember, facts), timed }),
  };
}

interface SceneParts {
  terminalId: string | undefined;
  stops: readonly IntegratorFault[];
  story: StoryRecording;
}

function sceneOf(whole: World, { terminalId, stops, story }: SceneParts) {
  const world = userWorldOf(whole);
  let begin: ((scene: HuntScene) => unknown) | undefined;
  const environment = { fetch: whole.fetch, sleep: whole.sleep };
  const stopped = new Set<IntegratorFault>();
  const thrown: unknown[] = [];
  const counts: StopCounts = { ...NO_STOPS };
  const openDisk = createDisk();
  const starts = { begun: 0, awaited: 0 };
  const onStop = (fault: IntegratorFault, name?: string) => {
    stopped.add(fault);
    tellStop(whole, fault, name);
  };
  // The next process has connections of its own: what the one before still waits for never comes.
  const processes: ReturnType<typeof createIntegrator>[] = [];
  const startProcess = () => {
    const process = createIntegrator(environment, stops, onStop, counts);
    processes.push(process);
    return process;
  };
  const sceneFor = ({ fetch, sleep, endpoint, write }: ReturnType<typeof startProcess>): HuntScene => ({
    world: { ...world, receiver: (name) => endpoint(world.receiver(name)) },
    fetch: story.recordCalls(fetch, true),
    sleep,
    disk: openDisk(write),
    get till() {
      if (terminalId === undefined) throw new Error('hunt: prepare opened no till');
      return world.tillOf(terminalId);
    },
    restart: (restarted) => void (begin = restarted),
  });
  const beginAgain = async ({ refuse }: ReturnType<typeof startProcess>, downMs = 0): Promise<void> => {
    if (!begin) return;
    if (downMs > 0) {
      const listenAgain = refuse();
      starts.awaited += 1;
      await whole.sleep(downMs);
      starts.awaited -= 1;
      listenAgain();
    }
    await run(begin);
  };
  const run = async (work: (scene: HuntScene) => unknown): Promise<void> => {
    const process = startProcess();
    starts.begun += 1;
    const ended = Promise.resolve()
      .then(() => work(sceneFor(process)))
      .finally(process.finish);
    let hasReturned = false;
    // A process that has done its work takes events, and can be stopped then.
    const restarted = process.stopped.then(({ downMs }) => beginAgain(process, downMs));
    restarted.catch((problem: unknown) => hasReturned && thrown.push(problem));
    await Promise.race([ended, restarted]);
    hasReturned = true;
  };
  return {
    run,
    /** How often a process was started, and how many are down and will be started again. */
    starts,
    /** What processes threw that were started again after the scenario had returned. */
    thrown,
    stoppable: (): StopCounts => ({ ...(begin ? counts : NO_STOPS) }),
    leave: () => processes.forEach((process) => process.leave()),
    unstopped: () => stops.filter((fault) => !stopped.has(fault)),
  };
}

/** What a bank decides concerns the shop also after its scenario has returned. */
const isOfBank = (at: string) => at.startsWith('bank.');

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
