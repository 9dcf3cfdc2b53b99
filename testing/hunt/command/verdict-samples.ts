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
 * was wrong from the beginning, and where the other story has no such steps.
 */
export function sampledMoment(
  { samples, verdict, steps }: SampledRun,
  story: readonly RecordedStep[],
): WrongMoment | undefined {
  const last = samples.findLastIndex((sample) => sample.verdict !== verdict);
  const stepsOf = (some: readonly VerdictSample[], when: 'from' | 'to') =>
    some.flatMap((sample) => sameStep(steps, sample[when] - 1, story) ?? []);
  // Wrong at the latest when it had said so, and right at the earliest when it was asked.
  const later = samples.slice(last + 1);
  const wrong = later.length === 0 ? story.length : stepsOf(later, 'to')[0];
  const right = stepsOf(samples.slice(0, last + 1), 'from').findLast((step) => step < (wrong ?? 0));
  if (wrong === undefined || right === undefined) return undefined;
  const firstWrongMs = (story[wrong] ?? story.at(-1)!).atMs;
  return { step: wrong, lastRightMs: story[right]!.atMs, firstWrongMs };
}

/** Returns the index of the same step in another story: as many of its kind come before it there. */
function sameStep(
  steps: readonly RecordedStep[],
  index: number,
  story: readonly RecordedStep[],
): number | undefined {
  const { who, kind } = steps[index]!;
  const isAlike = (step: RecordedStep) => step.who === who && step.kind === kind;
  const before = steps.slice(0, index).filter(isAlike).length;
  return story.flatMap((step, at) => (isAlike(step) ? [at] : []))[before];
}
