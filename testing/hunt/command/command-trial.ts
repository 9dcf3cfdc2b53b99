import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolderSync } from '../../../protocol/system/remove-folder.ts';
import { createOutgoing } from '../../../server/platform/http/outgoing.ts';
import type { Outgoing } from '../../../server/platform/outgoing.ts';
import { shopVariables } from '../../../world/shop-variables.ts';
import type { HuntFacts } from '../../../world/verdicts/hunt-facts.ts';
import { onlyVerdict, type Wrong } from '../../../world/verdicts/verdicts.ts';
import type { World } from '../../world/world.ts';
import type { HuntedFault, Observed } from '../hunted-fault.ts';
import { silentProcesses, warningsOf } from '../hunt-warnings.ts';
import { judge, judgeMeanwhile, putPlanOn, unstruckFaults } from '../plan-on-world.ts';
import { orderMoney } from '../story/order-money.ts';
import type { Trial } from '../trial.ts';
import { openCommandScene, type CommandSetUp } from './command-scene.ts';
import { readBooks } from './shop-books.ts';
import { sampleVerdict, type VerdictSample } from './verdict-samples.ts';

/** What came of a plan, with the trace file of that very run. */
export interface CommandTrial extends Trial {
  /** What was judged. */
  facts: HuntFacts;
  trace: Buffer;
  /** The end of what the process printed. */
  output: string;
  /** What the verdict said while it ran; none unless it was asked for. */
  samples: readonly VerdictSample[];
}

/**
 * Runs the command in a sandbox, with the faults of a plan or, without one, watching where they could strike. Then lets
 * all deadlines pass and judges.
 * @param sampled the verdict that is asked for after each step too; none by default
 * @throws Error when the command does not sell anything although no fault strikes, and when the hunt is over
 */
export async function tryCommand(
  prepared: World,
  setUp: CommandSetUp,
  plan: readonly HuntedFault[] | undefined,
  sampled?: Wrong['name'],
): Promise<CommandTrial> {
  const { real, env, told, speed } = setUp;
  let deliveries = 0;
  const fork = await prepared.fork({
    outgoing: () => {
      const outgoing = atSpeed(createOutgoing({ publicOnly: false, clock: real }), speed);
      return { ...outgoing, post: (request) => ((deliveries += 1), outgoing.post(request)) };
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-hunt-'));
  const scene = await openCommandScene(fork, setUp, {
    deliveries: () => deliveries,
    plan,
    onStep: (index) => samples?.onStep(index),
  });
  const store = join(folder, 'shop.db');
  const variables = { ...env, ...shopVariables({ ...told, url: scene.url, store }) };
  const samples = sampled && sampleVerdict(() => verdictMeanwhile({ fork, variables }, setUp, sampled));
  try {
    if (setUp.store !== undefined) cpSync(setUp.store, store, { recursive: true });
    return await untilOver(setUp.over, runCommand({ fork, scene, variables, samples }, setUp, plan));
  } finally {
    await scene.close();
    removeFolderSync(folder);
    await fork.close();
  }
}

interface CommandRun {
  fork: World;
  scene: Awaited<ReturnType<typeof openCommandScene>>;
  variables: Record<string, string | undefined>;
  samples: ReturnType<typeof sampleVerdict> | undefined;
}

/** Resolves with what a trial comes to. @throws what it throws, and the reason of `over` as soon as it is aborted */
function untilOver<T>(over: AbortSignal | undefined, trying: Promise<T>): Promise<T> {
  if (!over) return trying;
  return new Promise((resolve, reject) => {
    // What it throws once its process is killed is of no interest.
    const leave = () => reject(over.reason);
    over.addEventListener('abort', leave);
    void trying.then(resolve, reject).finally(() => over.removeEventListener('abort', leave));
    if (over.aborted) leave();
  });
}

async function runCommand(
  { fork, scene, variables, samples }: CommandRun,
  setUp: CommandSetUp,
  plan: readonly HuntedFault[] | undefined,
): Promise<CommandTrial> {
  const recording = await fork.server.services.recordings!.start('hunt');
  const order: { place: Observed; nth: number }[] = [];
  const note = (place: Observed) => order.push({ place, nth: place.count });
  const { stops, observed } = await putPlanOn(fork, plan, note);
  await scene.run(variables, stops);
  if (plan === undefined) scene.assertSold();
  const happened = observed();
  const left = unstruckFaults(fork).length;
  await scene.passQuietHours(false);
  const unstruck = unstruckFaults(fork);
  const isCalm = plan === undefined;
  let judged = await judgeBooks({ fork, variables, isCalm }, setUp);
  // A shop that is slow is not accused.
  if (judged.verdict !== undefined) {
    await scene.passQuietHours(true);
    judged = await judgeBooks({ fork, variables, isCalm }, setUp);
  }
  const { facts, ...verdict } = judged;
  const sampled = (await samples?.end()) ?? [];
  const story = scene.endStory();
  const seen = scene.seen();
  const trace = await fork.server.services.recordings!.file(recording.id);
  return {
    ...verdict,
    samples: sampled,
    facts,
    unstruck: [...unstruck, ...scene.unstopped(stops)],
    struckLater: unstruck.length < left,
    isUnfinished: scene.isUnfinished(),
    ...seen,
    story,
    orders: () => orderMoney(facts),
    observed: happened,
    order,
    trace,
    ...(plan === undefined && {
      warnings: [...warningsOf(setUp.orderMember, facts), ...silenceOf(seen.processes)],
    }),
  };
}

function silenceOf(processes: Trial['processes']): string[] {
  return silentProcesses(processes).map(
    (name) => `the process ${name} sent no request to TAPBENCH_URL: no fault stopped it`,
  );
}

/** Returns what one verdict says while the process runs. @throws Error when its books cannot be read just then */
async function verdictMeanwhile(
  run: Pick<CommandRun, 'fork' | 'variables'>,
  setUp: CommandSetUp,
  name: Wrong['name'],
): Promise<string | undefined> {
  const alone = { ...setUp, ...onlyVerdict(name, setUp.verdicts) };
  return (await judgeBooks({ ...run, isCalm: true }, alone, judgeMeanwhile)).verdict;
}

/** Judges a process by its books. @throws Error when they cannot be read although no fault strikes */
async function judgeBooks(
  { fork, variables, isCalm }: Pick<CommandRun, 'fork' | 'variables'> & { isCalm: boolean },
  setUp: CommandSetUp,
  judgeBy = judge,
): Promise<Pick<Trial, 'verdict' | 'verdictName'> & { facts: HuntFacts }> {
  const { real, told, over, books: from } = setUp;
  over?.throwIfAborted();
  const books = await readBooks(from, { port: told.port, env: variables, clock: real });
  const problem = books && 'problem' in books ? books.problem : undefined;
  if (isCalm && problem !== undefined) throw new Error(problem);
  const { wrong, facts } = await judgeBy(fork, setUp, books && 'orders' in books ? () => books : undefined);
  return { verdict: wrong?.sentence ?? problem, verdictName: wrong?.name, facts };
}

/** Sends bodies that a fault makes slow as much faster as the time of the sandbox passes. */
function atSpeed(outgoing: Outgoing, speed: number): Outgoing {
  return {
    ...outgoing,
    post({ bodyMs = 0, timeoutMs, ...request }) {
      const sentMs = bodyMs / speed;
      const slowly = bodyMs > 0 && { bodyMs: sentMs };
      return outgoing.post({ ...request, ...slowly, timeoutMs: timeoutMs - bodyMs + sentMs });
    },
  };
}
