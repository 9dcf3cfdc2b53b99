import type { Trace } from '../../server/traces/trace-format.schema.ts';
import { replayTrace } from '../../world/replay/replay-trace.ts';
import { userWorldOf } from '../world/user-world.ts';
import type { World } from '../world/world.ts';
import { assertVerdictNames, onlyVerdict } from '../../world/verdicts/verdicts.ts';
import type { HuntedFault } from './hunted-fault.ts';
import { createHuntEnd, type HuntEnd } from './hunt-end.ts';
import { createForks, type Forks } from './forks.ts';
import { givenExamples } from './examples/given-examples.ts';
import { foundOf, resultOf } from './found-plan.ts';
import type { Found, HuntOptions, HuntResult } from './hunt-options.ts';
import { startHuntWorld } from './hunt-world.ts';
import type { FoundPlan, WrongPlan } from './finds.ts';
import { countsOfNothing, searchPlans } from './search-plans.ts';
import type { Trial } from './trial.ts';
import { findWrongMoment, type WrongMoment } from './story/wrong-moment.ts';
import { tryPlan, type HuntSetUp } from './tried-plan.ts';

/*
 * Published as `tapbench/hunt`.
 */
export type { Found, HuntOptions, HuntResult } from './hunt-options.ts';
export type { HuntWorldOptions } from './hunt-world.ts';
export type { HuntCounts, HuntEnding, PlansWithError } from './hunt-tally.ts';
export type { OrderMoney } from './story/order-money.ts';
export type { StoryStep } from './story/story-step.ts';
export type { TriedPlace } from '../run-log/run-log-format.ts';
export { huntCommand } from './command/hunt-command.ts';
export type { CommandHuntOptions, CommandHuntResult } from './command/command-options.ts';
export type { Beginning, ExampleFault, ExamplePlan } from './examples/example-plan.ts';
export type { Disk } from './disk.ts';
export type { HuntedFault, IntegratorFault } from './hunted-fault.ts';
export type { HuntScene } from './processes.ts';
export type {
  HuntedEvent,
  HuntedPayment,
  HuntedPayout,
  HuntedTransfer,
  HuntFacts,
  ShopOrder,
  Verdict,
} from '../../world/verdicts/hunt-facts.ts';
export type { VerdictName } from '../../world/verdicts/verdicts.ts';

/**
 * Looks for faults that make an integrator's code lose money. Each plan of faults is tried on a fork of one prepared
 * sandbox, on virtual time; one that goes wrong is made as small as it can be.
 * @throws what the scenario throws without any fault, and Error when no fault struck or a name in
 * `withoutVerdicts` is unknown
 */
export async function hunt(options: HuntOptions): Promise<HuntResult> {
  const { seconds = 60, stop, signal } = options;
  assertVerdictNames(options.withoutVerdicts ?? []);
  const prepared = await startHuntWorld(options.world);
  const end = createHuntEnd({ seconds, stop, signal });
  const forks = createForks(prepared);
  try {
    const result = await huntOn(prepared, forks, { options, end });
    signal?.throwIfAborted();
    return result;
  } finally {
    await end.within(forks.closed(), GRACE_MS);
    end.close();
    await prepared.close();
  }
}

/** How long a hunt that is over goes on: to record the plan that it has found, and to close what it has begun. */
const GRACE_MS = 700;

async function huntOn(
  prepared: World,
  forks: Forks,
  { options, end }: { options: HuntOptions; end: HuntEnd },
): Promise<HuntResult> {
  const { seed = 1, plans = 1_000, maxFaults = 3, onTry } = options;
  const prepare = async () => [await options.prepare?.(userWorldOf(prepared))];
  if (!(await end.within(prepare()))) return countsOfNothing(end);
  const setUp = await setUpOf(prepared, options);
  const tryOnce = async (plan: HuntedFault[] | undefined) => {
    const trial = await forks.use((fork) => tryPlan(fork, { ...setUp, over: end.over }, plan));
    if (plan === undefined && trial.problem !== undefined) throw trial.problem;
    return trial;
  };
  const kept: Found[] = [];
  const onFound = async (each: FoundPlan<Trial>) =>
    void kept.push(await keep(forks, setUp, { found: { ...each, seed }, end }));
  // Where the search goes on, its time may be up before the others.
  const atOnce = options.all && { onFound };
  const limits = {
    seed,
    plans,
    maxFaults,
    onTry,
    end,
    all: options.all,
    ...atOnce,
    ...givenExamples(options),
  };
  const { counts, found } = await searchPlans(tryOnce, limits);
  for (const each of found.slice(kept.length)) await onFound(each);
  return resultOf(counts, kept, { ...options, seed });
}

async function setUpOf(prepared: World, options: HuntOptions): Promise<HuntSetUp> {
  const {
    scenario,
    processes = {},
    verdicts = [],
    withoutVerdicts = [],
    shop,
    orderMember = 'orderId',
  } = options;
  const { body } = await prepared.api.get('/v1/in-person/terminals');
  const terminalId = body.items.at(-1)?.id;
  return { scenario, processes, verdicts, withoutVerdicts, shop, orderMember, terminalId };
}

/** Why `tapbench replay` refuses the trace of a hunt whose replay differs. */
const NOT_REPLAYABLE =
  'it is of a hunt, in which the integrator waits on the clock of the sandbox: what came first of all that was due at one instant is not recorded; run the hunt again with its seed';

/** Adds to a trace why it cannot be replayed, unless its replay is identical. */
async function noteWhetherReplayable(trace: Trace): Promise<void> {
  const { outcome } = await replayTrace(trace);
  if (outcome === 'diverged') trace.summary.notReplayable.push(NOT_REPLAYABLE);
}

// A scenario on virtual time repeats exactly, unless it depends on something else.
const REPEATS_MAX = 3;

/** Tries a plan once more, recorded, and again where it does not go wrong then. */
async function keep(
  forks: Forks,
  setUp: HuntSetUp,
  { found, end }: { found: FoundPlan<Trial> & { seed: number | string }; end: HuntEnd },
): Promise<Found> {
  const { seed, plan, trial: first, calm } = found;
  const run = async (fork: World) => {
    const recordings = fork.server.services.recordings!;
    const recording = await recordings.startUnlisted(`hunt, seed ${seed}`);
    const repeated = await end.within(tryPlan(fork, setUp, plan), GRACE_MS);
    const trace = await recording.stop();
    return { repeated, trace };
  };
  for (let runs = 2; ; runs += 1) {
    // The only world of a hunt that the report of the tests shows.
    const { repeated, trace } = await forks.use(run, { unrecorded: false });
    const isWrong = repeated?.verdict !== undefined;
    if (!isWrong && runs <= REPEATS_MAX && !end.over.aborted) continue;
    await end.within(noteWhetherReplayable(trace), GRACE_MS);
    const confirmed = { runs: repeated ? runs : runs - 1, wrong: isWrong ? 2 : 1 };
    const trial = isWrong ? repeated : first;
    const moment = isWrong ? await wrongMoment(forks, setUp, { plan, trial, end }) : undefined;
    return foundOf({ seed, plan, confirmed, trial, calm, trace, moment });
  }
}

/** Returns when a plan goes wrong as it is at the end. Undefined where that cannot be found out, and when the hunt is over. */
async function wrongMoment(
  forks: Forks,
  setUp: HuntSetUp,
  { plan, trial, end }: WrongPlan<Trial> & { end: HuntEnd },
): Promise<WrongMoment | undefined> {
  const { verdictName } = trial;
  if (verdictName === undefined) return undefined;
  const alone = { ...setUp, ...onlyVerdict(verdictName, setUp.verdicts) };
  return findWrongMoment(trial.story(), async (untilStep) => {
    const judging = forks.use((fork) => tryPlan(fork, { ...alone, untilStep }, plan));
    // A verdict of the caller may throw where nothing has happened yet.
    const judged = await end.within(judging).catch(() => undefined);
    return judged && judged.verdict === trial.verdict;
  });
}
