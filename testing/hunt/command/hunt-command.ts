import { SystemClock } from '../../../protocol/clock.ts';
import { entriesOf } from '../../../protocol/tables.ts';
import { EVENT_TYPE_NAMES } from '../../../server/api/webhooks/event-types.ts';
import { readTrace } from '../../../server/traces/trace-file.ts';
import { assertShopCalls, type ShopCall } from '../../../world/shop-calls.ts';
import { assertVerdictNames, type Wrong } from '../../../world/verdicts/verdicts.ts';
import { successOf } from '../../world/api.ts';
import { userWorldOf, type UserWorld } from '../../world/user-world.ts';
import type { World } from '../../world/world.ts';
import type { HuntedFault, Observed } from '../hunted-fault.ts';
import { createHuntEnd, type HuntEnd } from '../hunt-end.ts';
import { givenExamples } from '../examples/given-examples.ts';
import { foundOf, resultOf } from '../found-plan.ts';
import { startHuntWorld } from '../hunt-world.ts';
import type { FoundPlan } from '../finds.ts';
import { countsOfNothing, searchPlans } from '../search-plans.ts';
import { shopPort } from './shop-process.ts';
import type { CommandSetUp } from './command-scene.ts';
import { tryCommand, type CommandTrial } from './command-trial.ts';
import type { Recovery } from '../processes.ts';
import type { WrongMoment } from '../story/wrong-moment.ts';
import { sampledMoment } from './verdict-samples.ts';
import type { CommandFound, CommandHuntOptions, CommandHuntResult } from './command-options.ts';
import { createPool, type Pool } from './pool.ts';

const ORDER = { orderId: 'order-1', amount: 1742 };
const CURRENCY = 'GBP';
/** What goes wrong may depend on what real time does: a smaller plan is tried as often before it counts as right. */
const REPEATS = 2;
/** How often a process polls depends on real time, so its counts are no part of the plans of a seed. */
const SEVERAL = 3;
/** For each call. */
const REQUESTS_MAX = 5;

/**
 * Looks for faults that make a program of any language lose money: as `hunt`, but each plan is tried on a process of its
 * own, over HTTP and in real time. The same seed tries the same plans; what comes of one can differ from run to run.
 * @throws Error when the command fails or sends nothing although no fault strikes
 */
export async function huntCommand(options: CommandHuntOptions): Promise<CommandHuntResult> {
  const { seconds = 60, stop, signal } = options;
  assertVerdictNames(options.withoutVerdicts ?? []);
  const end = createHuntEnd({ seconds, stop, signal });
  const result = await withCommandTrials(options, end, (tryPlan) => huntBy(tryPlan, options, end));
  signal?.throwIfAborted();
  return result ?? countsOfNothing(end);
}

/** Tries a plan on a process of its own; without one, watches where faults could strike. */
export type TryCommand = (
  plan: HuntedFault[] | undefined,
  more?: {
    /** What is posted to the process, in place of what the options say. */
    calls?: readonly ShopCall[] | undefined;
    /** The verdict that is looked for at each step too. */
    sampled?: Wrong['name'] | undefined;
  },
) => Promise<CommandTrial>;

/**
 * Prepares sandboxes on which a command is tried, as many at once as `jobs` says, and closes them and `end` when `use` has ended.
 * Resolves with undefined when `end` came before they were ready.
 * @throws what `use` throws
 */
export async function withCommandTrials<T>(
  options: Omit<CommandHuntOptions, 'seconds' | 'plans'>,
  end: HuntEnd,
  use: (tryPlan: TryCommand) => Promise<T>,
): Promise<T | undefined> {
  const { jobs = 1 } = options;
  const real = new SystemClock();
  const prepared: World[] = [];
  const opened: Pool<unknown>[] = [];
  try {
    const startMs = real.nowMs();
    for (let job = 0; job < jobs && !end.over.aborted; job += 1)
      prepared.push(await startHuntWorld(options.world, { startMs }));
    // Each with a port of its own, at which its webhooks arrive.
    const prepare = prepared.map(async (world, job) => ({
      world,
      setUp: { ...(await prepareCommand(world, options, real, job)), over: end.over },
    }));
    const setUps = await end.within(Promise.all(prepare));
    if (!setUps) return undefined;
    const seats = createPool(setUps);
    opened.push(seats);
    return await use((plan, { calls, sampled } = {}) =>
      seats.use(({ world, setUp }) => tryCommand(world, calls ? { ...setUp, calls } : setUp, plan, sampled)),
    );
  } finally {
    // Plans that were tried ahead are still under way.
    for (const seats of opened) await end.within(seats.idle(), CLOSE_MS);
    end.close();
    for (const world of prepared) await world.close();
  }
}

// As long as killed processes take to end.
const CLOSE_MS = 2_000;

async function huntBy(
  tryPlan: TryCommand,
  options: CommandHuntOptions,
  end: HuntEnd,
): Promise<CommandHuntResult> {
  const { seed = 1, plans = 1_000, maxFaults = 3, jobs = 1, onTry } = options;
  const requestsMax = REQUESTS_MAX * Math.max(1, callsOf(options).length);
  const tryOnce = async (plan: HuntedFault[] | undefined, sampled?: Wrong['name']) => {
    const trial = await tryPlan(plan, { sampled });
    const restartable = Math.min(trial.restartable, requestsMax);
    const processes = entriesOf(trial.processes ?? {}).map(([name, { request, ...others }]) => [
      name,
      { ...others, request: Math.min(request, REQUESTS_MAX) },
    ]);
    return {
      ...trial,
      restartable,
      processes: Object.fromEntries(processes),
      recoveries: (trial.recoveries ?? []).map(inSteps),
      observed: inOrder(trial.observed),
    };
  };
  const given = givenExamples(options);
  const kept: CommandFound[] = [];
  const onFound = async (each: FoundPlan<CommandTrial>) => {
    const again = (sampled?: Wrong['name']) => end.within(tryOnce(each.plan, sampled));
    kept.push(await keep(each, seed, { again, end }));
  };
  // Where the search goes on, its time may be up before the others.
  const atOnce = options.all && { onFound };
  const limits = {
    seed,
    plans,
    maxFaults,
    jobs,
    onTry,
    end,
    all: options.all,
    repeats: REPEATS,
    ...atOnce,
    ...given,
  };
  const { counts, found } = await searchPlans((plan) => tryOnce(plan), limits);
  for (const each of found.slice(kept.length)) await onFound(each);
  return resultOf(counts, kept, { ...options, seed });
}

/**
 * Makes what each plan begins with: unless the caller does, a terminal at which a card is tapped.
 * @param job counts those that are tried at the same time
 */
export async function prepareCommand(
  prepared: World,
  options: CommandHuntOptions,
  real: SystemClock,
  job = 0,
): Promise<CommandSetUp> {
  const {
    command,
    processes = {},
    books,
    webhooks,
    store,
    speed = 20,
    quietSeconds = 2,
    limitSeconds = 30,
  } = options;
  const { verdicts = [], withoutVerdicts = [], orderMember = 'orderId', env = process.env } = options;
  const { order = ORDER } = options;
  const world = userWorldOf(prepared);
  await (options.prepare ?? ((made) => openTills(made, options.terminals)))(world);
  const port = await shopPort(job);
  const hook = { url: `http://127.0.0.1:${port}${webhooks}`, active: true, eventTypes: EVENT_TYPE_NAMES };
  const webhook =
    webhooks === undefined
      ? undefined
      : successOf(await prepared.api.post('/v1/webhooks', hook), 'POST /v1/webhooks');
  const { items } = successOf(await prepared.api.get('/v1/in-person/terminals'), 'GET terminals');
  return {
    command,
    processes,
    books,
    calls: callsOf(options),
    store,
    env,
    told: {
      secretKey: world.secretKey,
      terminalId: items.at(-1)?.id,
      terminalIds: items.map(({ id }: { id: string }) => id).toReversed(),
      order,
      currency: CURRENCY,
      webhookSecret: webhook?.secret,
      port,
      speed,
    },
    speed,
    quietMs: quietSeconds * 1000,
    limitMs: limitSeconds * 1000,
    verdicts,
    withoutVerdicts,
    orderMember,
    real,
    over: undefined,
  };
}

async function openTills(world: UserWorld, count = 1): Promise<void> {
  for (let left = count; left > 0; left -= 1)
    await world.openTill({ cardholder: { script: 'tap', delayMs: 1_000 } });
}

/** @throws Error when they cannot be sent */
function callsOf({ sell, calls, order = ORDER }: CommandHuntOptions): readonly ShopCall[] {
  if (calls === undefined) return sell === undefined ? [] : [{ path: sell, body: order }];
  if (sell !== undefined) throw new Error('hunt: give calls or sell, not both');
  assertShopCalls(calls);
  return calls;
}

/** Tries a plan that went wrong as often again as a smaller one was tried. A run that cannot be judged counts as right. */
async function keep(
  found: FoundPlan<CommandTrial>,
  seed: number | string,
  { again, end }: { again: (sampled?: Wrong['name']) => Promise<CommandTrial | undefined>; end: HuntEnd },
): Promise<CommandFound> {
  const confirmed = { runs: 1, wrong: 1 };
  let moment: WrongMoment | undefined;
  for (let left = REPEATS; left > 0; left -= 1) {
    const trial = await again(moment ? undefined : found.trial.verdictName).catch(() => undefined);
    if (end.over.aborted) break;
    confirmed.runs += 1;
    if (trial?.verdict === undefined) continue;
    confirmed.wrong += 1;
    moment ??= momentIn(trial, found.trial);
  }
  const { trace, output } = found.trial;
  const parts = { ...found, seed, confirmed, moment, trace: await readTrace(trace) };
  return Object.assign(await foundOf(parts), { output });
}

/** Returns when a plan goes wrong, in the story of its trace. Undefined where the run that was sampled does not say. */
function momentIn(sampled: CommandTrial, traced: CommandTrial): WrongMoment | undefined {
  const { verdict, verdictName, samples } = sampled;
  if (verdict === undefined || verdictName !== traced.verdictName) return undefined;
  return sampledMoment({ samples, verdict, steps: sampled.story() }, traced.story());
}

/** Counts the requests after a start again as those of a place, since how many they are depends on real time. */
function inSteps(recovery: Recovery): Recovery {
  const { before, counts } = recovery;
  const more = severalOf(counts.request - before.request);
  return { ...recovery, counts: { ...counts, request: before.request + more } };
}

const severalOf = (count: number) => (count > 1 ? SEVERAL : count);

function inOrder(observed: readonly Observed[]): Observed[] {
  return observed
    .map((each) => ({ ...each, count: severalOf(each.count) }))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
