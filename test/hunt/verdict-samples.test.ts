import { expect, test } from 'vitest';
import {
  sampledMoment,
  sampleVerdict,
  type VerdictSample,
} from '../../testing/hunt/command/verdict-samples.ts';
import type { RecordedStep } from '../../testing/hunt/story/story-step.ts';
import { turn } from '../../world/virtual-clock.ts';

test('sampleVerdict: asks after each step, once it is answered, and knows what happened meanwhile', async () => {
  const answers: ((verdict: string | undefined) => void)[] = [];
  const samples = sampleVerdict(() => new Promise((resolve) => answers.push(resolve)));
  const answer = async (verdict?: string) => {
    await turn();
    answers.at(-1)!(verdict);
    await turn();
  };
  samples.onStep(0);
  await answer();
  samples.onStep(1);
  await turn();
  samples.onStep(2);
  samples.onStep(3);
  await answer('charged 2 times');
  await answer('charged 2 times');
  await turn();
  expect(answers).toHaveLength(3);
  expect(await samples.end()).toEqual([
    { from: 1, to: 1, verdict: undefined },
    { from: 2, to: 4, verdict: 'charged 2 times' },
    { from: 4, to: 4, verdict: 'charged 2 times' },
  ]);
});

test('sampleVerdict: leaves out what cannot be judged, and asks no more when it has ended', async () => {
  let asked = 0;
  const samples = sampleVerdict(async () => {
    asked += 1;
    if (asked === 1) throw new Error('the books cannot be read');
    return undefined;
  });
  samples.onStep(0);
  await turn();
  await turn();
  samples.onStep(1);
  await turn();
  await turn();
  expect(await samples.end()).toEqual([{ from: 2, to: 2, verdict: undefined }]);
  samples.onStep(2);
  await turn();
  expect(asked).toBe(2);
});

const stepAt = (atMs: number, who: RecordedStep['who'], kind: string): RecordedStep => ({
  atMs,
  who,
  kind,
  text: kind,
  isRead: kind.startsWith('GET '),
});
const WRONG = 'charged 2 times';
const RUN = [
  stepAt(0, 'shop', 'POST payment'),
  stepAt(100, 'money', '17.42 GBP'),
  stepAt(200, 'shop', 'GET payment'),
  stepAt(300, 'webhook', 'captured'),
  stepAt(400, 'money', '17.42 GBP'),
  stepAt(500, 'shop', 'GET payment'),
];
/** The same plan in another run, which looks more often, and is slower. */
const TRACED = [
  stepAt(0, 'shop', 'POST payment'),
  stepAt(150, 'money', '17.42 GBP'),
  stepAt(300, 'shop', 'GET payment'),
  stepAt(350, 'shop', 'GET payment'),
  stepAt(400, 'webhook', 'captured'),
  stepAt(700, 'money', '17.42 GBP'),
];
const sample = (from: number, to: number, verdict?: string): VerdictSample => ({ from, to, verdict });
const momentOf = (...samples: VerdictSample[]) =>
  sampledMoment({ samples, verdict: WRONG, steps: RUN }, TRACED);

test('sampledMoment: finds the step from which on it is wrong, and the last one before, in the other run', () => {
  const right = [sample(1, 1), sample(3, 3), sample(4, 4)];
  expect(momentOf(...right, sample(5, 5, WRONG))).toEqual({ step: 5, lastRightMs: 400, firstWrongMs: 700 });
});

test('sampledMoment: a sample that took several steps says the most that it can: wrong at its last, right at its first', () => {
  const samples = [sample(1, 3), sample(3, 5, WRONG)];
  expect(momentOf(...samples)).toEqual({ step: 5, lastRightMs: 0, firstWrongMs: 700 });
});

test('sampledMoment: a read is no step from which on it is wrong, as runs read more or less often', () => {
  // Found wrong after the second read, which the other run has before the money.
  expect(momentOf(sample(2, 2), sample(5, 6, WRONG))).toEqual({
    step: 5,
    lastRightMs: 150,
    firstWrongMs: 700,
  });
  // Nothing else happened since it was right.
  expect(momentOf(sample(2, 2), sample(3, 3, WRONG))).toEqual({
    step: 4,
    lastRightMs: 150,
    firstWrongMs: 400,
  });
});

test('sampledMoment: what is wrong for a while, or otherwise than at the end, is not yet the moment', () => {
  const samples = [sample(1, 1), sample(2, 2, WRONG), sample(4, 4), sample(5, 5, WRONG)];
  expect(momentOf(...samples)?.step).toBe(5);
  expect(momentOf(sample(1, 1), sample(2, 2, 'not paid'), sample(5, 5, WRONG))).toEqual({
    step: 5,
    lastRightMs: 150,
    firstWrongMs: 700,
  });
});

test('sampledMoment: says what goes wrong after the last step, and nothing of what is wrong from the first', () => {
  expect(momentOf(sample(1, 1), sample(5, 5))).toEqual({ step: 6, lastRightMs: 700, firstWrongMs: 700 });
  expect(momentOf(sample(1, 1, WRONG))).toBeUndefined();
  expect(momentOf()).toBeUndefined();
});

test('sampledMoment: says nothing where the other run has no step like the one from which on it is wrong', () => {
  const moment = sampledMoment(
    { samples: [sample(1, 1), sample(5, 5, WRONG)], verdict: WRONG, steps: RUN },
    TRACED.slice(0, 5),
  );
  expect(moment).toBeUndefined();
});

test('sampledMoment: what happened more often than in the other run, besides the money, is not waited for', () => {
  const steps = [...RUN.slice(0, 4), stepAt(350, 'webhook', 'captured'), ...RUN.slice(4)];
  const samples = [sample(1, 1), sample(6, 6, WRONG)];
  expect(sampledMoment({ samples, verdict: WRONG, steps }, TRACED)).toEqual({
    step: 5,
    lastRightMs: 0,
    firstWrongMs: 700,
  });
});
