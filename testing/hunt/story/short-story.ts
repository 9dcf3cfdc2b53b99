import type { RecordedStep, StoryStep } from './story-step.ts';
import type { WrongMoment } from './wrong-moment.ts';

/** A story is read at a glance. */
const STEPS_MAX = 10;

/** What is left out where a story is too long, in this order. */
const LEFT_OUT: readonly ((step: RecordedStep) => boolean)[] = [
  ({ who, isRead }) => who === 'shop' && isRead,
  ({ who }) => who === 'terminal',
  ({ who }) => who === 'webhook',
  ({ who }) => who === 'shop',
  ({ who }) => who === 'money',
  ({ who }) => who === 'fault',
];

/**
 * Returns what happened under a plan, in at most ten steps. Where the shop first sends something else than without faults, a
 * step says what it sends there without them; another says from when on the verdict is wrong.
 * @param calm what happens without faults
 */
export function shortStory(
  steps: readonly RecordedStep[],
  calm: readonly RecordedStep[],
  moment?: WrongMoment,
): StoryStep[] {
  const other = firstOther(steps, calm);
  const compared = other ? placed(steps, other) : steps;
  const at = moment && lastOfStep(steps, moment.step);
  const whole = moment ? marked(compared, at, wrongStep(moment)) : compared;
  const kept = new Set([other?.step, at]);
  let short = joinedRepeats(whole.map((step) => ({ step, times: 1 })));
  for (const isLeftOut of LEFT_OUT)
    while (short.length > STEPS_MAX) {
      // From the middle: how it begins and how it ends says most.
      const left = short.filter(({ step }) => isLeftOut(step) && !kept.has(step));
      const middle = left[Math.floor(left.length / 2)];
      if (!middle) break;
      short = joinedRepeats(short.filter((group) => group !== middle));
    }
  return short.map(
    ({ step: { kind: _kind, isRead: _isRead, isEnd: _isEnd, process: _process, ...step }, times }) =>
      times === 1 ? step : { ...step, text: `${step.text} (${times} times)` },
  );
}

function wrongStep({ firstWrongMs, lastRightMs }: WrongMoment): RecordedStep {
  const before = lastRightMs < firstWrongMs ? `; at ${(lastRightMs / 1000).toFixed(1)} s it was right` : '';
  const text = `from here on it is wrong${before}`;
  return { atMs: firstWrongMs, who: 'verdict', text, kind: text, isRead: false };
}

/** Returns a step, or the last of the money that moved with it, as of a payment that succeeds. */
function lastOfStep(steps: readonly RecordedStep[], index: number): RecordedStep | undefined {
  const step = steps[index];
  if (!step || step.who === 'shop') return step;
  const after = steps.slice(index + 1).findIndex(({ who, atMs }) => who !== 'money' || atMs > step.atMs);
  return after < 0 ? steps.at(-1) : steps[index + after];
}

/** Adds a step at another one: before a request of the shop, after anything else, and at the end without one. */
function marked(
  steps: readonly RecordedStep[],
  at: RecordedStep | undefined,
  mark: RecordedStep,
): RecordedStep[] {
  if (!at) return [...steps, mark];
  const index = steps.indexOf(at);
  return steps.toSpliced(at.who === 'shop' ? index : index + 1, 0, mark);
}

/** Where the shop first sends something else than without faults. */
interface Other {
  /** Undefined where it sends nothing more. */
  step: RecordedStep | undefined;
  /** What it sends without faults; undefined where it sends nothing more then. */
  calm: RecordedStep | undefined;
}

function firstOther(steps: readonly RecordedStep[], calm: readonly RecordedStep[]): Other | undefined {
  const [own, without] = [firstCalls(steps), firstCalls(calm)];
  const length = Math.max(own.length, without.length);
  for (let index = 0; index < length; index += 1)
    if (own[index]?.kind !== without[index]?.kind) return { step: own[index], calm: without[index] };
  return undefined;
}

/** Returns the requests of the shop; of those of one operation that follow each other the first, since it may look often. */
function firstCalls(steps: readonly RecordedStep[]): RecordedStep[] {
  const calls = steps.filter(({ who }) => who === 'shop');
  return calls.filter(({ kind }, index) => kind !== calls[index - 1]?.kind);
}

/** Adds what the shop sends without faults before the step in place of which it does. */
function placed(steps: readonly RecordedStep[], { step, calm }: Other): RecordedStep[] {
  const at = step ? steps.indexOf(step) : steps.length;
  const { atMs } = step ?? steps.at(-1) ?? { atMs: 0 };
  const text = calm ? `without faults: ${calm.kind}` : 'without faults the shop sends nothing more';
  return steps.toSpliced(at, 0, { atMs, who: 'calm', text, kind: text, isRead: false });
}

/** A step, and how often it happened. */
interface Repeated {
  step: RecordedStep;
  times: number;
}

/** Joins steps of one text that follow each other, such as the looks of a shop that waits. */
function joinedRepeats(steps: readonly Repeated[]): Repeated[] {
  const joined: Repeated[] = [];
  for (const { step, times } of steps) {
    const last = joined.at(-1);
    const isRepeat =
      last && (['who', 'text', 'line'] as const).every((name) => last.step[name] === step[name]);
    if (isRepeat) joined[joined.length - 1] = { ...last, times: last.times + times };
    else joined.push({ step, times });
  }
  return joined;
}
