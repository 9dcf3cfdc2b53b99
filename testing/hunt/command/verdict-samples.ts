import { turn } from '../../../world/virtual-clock.ts';
import type { RecordedStep } from '../story/story-step.ts';
import type { WrongMoment } from '../story/wrong-moment.ts';

/** What a verdict said while a run went on. */
export interface VerdictSample {
  /** Number of steps of the story when it was asked, and when it had said so. */
  from: number;
  to: number;
  /** What is wrong; undefined when nothing is. */
  verdict: string | undefined;
}

interface VerdictSamples {
  /** Asks for the verdict after a step of the story, once that of the steps before has come. */
  onStep(index: number): void;
  /** Asks no more. Resolves with what the verdict said, in order. */
  end(): Promise<readonly VerdictSample[]>;
}

/** Creates what asks for the verdict of a run after each step. @param ask throws where that cannot be judged */
export function sampleVerdict(ask: () => Promise<string | undefined>): VerdictSamples {
  const samples: VerdictSample[] = [];
  let steps = 0;
  let isOver = false;
  let asking: Promise<void> | undefined;

  async function askUntilLast(): Promise<void> {
    for (let asked = 0; asked < steps && !isOver;) {
      // What the step does has begun then.
      await turn();
      asked = steps;
      const from = steps;
      const add = (verdict: string | undefined) => void samples.push({ from, to: steps, verdict });
      // It cannot be judged while the process that has the books is down.
      await ask().then(add, () => {});
    }
    asking = undefined;
  }

  return {
    onStep(index) {
      steps = index + 1;
      asking ??= askUntilLast();
    },
    async end() {
      isOver = true;
      await asking;
      return samples;
    },
  };
}

/** A run that went wrong, in which the verdict was sampled. */
interface SampledRun {
  samples: readonly VerdictSample[];
  /** What was wrong at the end. */
  verdict: string;
  steps: readonly RecordedStep[];
}

/**
 * Returns when a run went wrong for good, in the story of another run of the same plan: that of the trace. Undefined where it
 * was wrong from the beginning, and where not as much money moves in the other story. Reads do not count: they change nothing, and
 * how often a shop looks differs from run to run, as the order of what happens at one time does.
 */
export function sampledMoment(
  { samples, verdict, steps }: SampledRun,
  story: readonly RecordedStep[],
): WrongMoment | undefined {
  const last = samples.findLastIndex((sample) => sample.verdict !== verdict);
  const [right, wrong] = [samples[last], samples[last + 1]];
  if (!right) return undefined;
  // It is right while no more has happened than when it was asked.
  const begun = countedKinds(steps.slice(0, right.from));
  const isMore = (_: RecordedStep, index: number) => !hasAll(begun, countedKinds(story.slice(0, index + 1)));
  const more = story.findIndex(isMore);
  const lastRight = story.findLastIndex(({ isRead }, index) => !isRead && (more < 0 || index < more));
  if (lastRight < 0) return undefined;
  // It is wrong once all has happened that had when it had said so. The money is the same in both; how often something is
  // tried, and what is still to come of it, differs from run to run.
  const before = steps.slice(0, wrong?.to).filter(({ who }) => who !== 'shop');
  const all = countedKinds(story);
  if (wrong && !hasAll(all, countedKinds(before.filter(({ who }) => who === 'money')))) return undefined;
  const ended = new Map(
    [...countedKinds(before)].map(([name, count]) => [name, Math.min(count, all.get(name) ?? 0)]),
  );
  const isAll = ({ isRead }: RecordedStep, index: number) =>
    !isRead && index > lastRight && hasAll(countedKinds(story.slice(0, index + 1)), ended);
  const found = wrong ? story.findIndex(isAll) : -1;
  const step = found < 0 ? story.length : found;
  const { atMs: firstWrongMs } = story[step] ?? story.at(-1)!;
  return { step, lastRightMs: story[lastRight]!.atMs, firstWrongMs };
}

/** Returns how often each kind of step happened, besides reads. */
function countedKinds(steps: readonly RecordedStep[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { who, kind, isRead } of steps)
    if (!isRead) counts.set(`${who} ${kind}`, (counts.get(`${who} ${kind}`) ?? 0) + 1);
  return counts;
}

function hasAll(counts: ReadonlyMap<string, number>, wanted: ReadonlyMap<string, number>): boolean {
  return [...wanted].every(([name, count]) => (counts.get(name) ?? 0) >= count);
}
