import { expect, test } from 'vitest';
import { readTrace } from '../../server/traces/trace-file.ts';
import { hunt, type Verdict } from '../../testing/hunt/hunt.ts';
import { describeStory } from '../../testing/hunt/story/story-text.ts';
import { findWrongMoment } from '../../testing/hunt/story/wrong-moment.ts';
import { chargedAgain } from './tills/charged-again.ts';
import { resultLost } from './tills/result-lost.ts';

/** Finds the moment of a plan that is wrong at some of its moments, 100 ms apart. */
async function momentOf(wrong: readonly boolean[]) {
  let looks = 0;
  const steps = wrong.map((_, index) => ({ atMs: index * 100 }));
  const moment = await findWrongMoment(steps, async (step) => {
    looks += 1;
    return wrong[step];
  });
  return { moment, looks };
}

test('findWrongMoment: finds the first step from which on it is wrong, and the one before', async () => {
  const wrong = Array.from({ length: 100 }, (_, index) => index >= 42);
  const { moment, looks } = await momentOf(wrong);
  expect(moment).toEqual({ step: 42, lastRightMs: 4_100, firstWrongMs: 4_200 });
  expect(looks).toBeLessThan(12);
  expect((await momentOf([true, true])).moment).toBeUndefined();
});

test('findWrongMoment: books that are wrong until the shop has written are not yet the moment', async () => {
  // Each search by halves comes to the moments 2 and 3 first.
  const wrong = [false, false, true, true, false, false, false, true];
  expect((await momentOf(wrong)).moment).toEqual({ step: 7, lastRightMs: 600, firstWrongMs: 700 });
});

test('findWrongMoment: says what goes wrong after the last step, and nothing of what cannot be judged', async () => {
  expect((await momentOf([false, false])).moment).toEqual({ step: 2, lastRightMs: 100, firstWrongMs: 100 });
  expect((await momentOf([])).moment).toBeUndefined();
  expect(await findWrongMoment([{ atMs: 0 }], async () => undefined)).toBeUndefined();
});

test('hunt: says when a till that charges again goes wrong: as the money is taken a second time', async () => {
  const { found } = await hunt({ ...chargedAgain(false), seed: 1 });
  const { story, lastRightMs, firstWrongMs } = found!;
  const index = story.findIndex(({ who }) => who === 'verdict');
  expect(story[index - 1]).toMatchObject({ who: 'money', atMs: firstWrongMs });
  expect(story.filter(({ who, atMs }) => who === 'money' && atMs <= firstWrongMs!)).toHaveLength(2);
  expect(lastRightMs).toBeLessThan(firstWrongMs!);
});

test('hunt: its trace has the verdict, the story and the books', async () => {
  const { found } = await hunt({ ...resultLost(false), seed: 5 });
  const { summary } = await readTrace(found!.trace);
  expect(summary.found).toEqual({ verdict: found!.verdict, story: describeStory(found!) });
  expect(summary.found!.story.at(-1)).toMatch(/^order-1: .* taken; in the books it is not paid$/);
});

test('hunt: says nothing of the moment where its own verdict throws while the payment is under way', async () => {
  const ownVerdict: Verdict = ({ payments }) => {
    if (payments.some(({ captured }) => captured === 0)) throw new Error('the payment is under way');
    return payments.length > 1 ? 'two were captured' : undefined;
  };
  const till = { ...chargedAgain(false), withoutVerdicts: ['chargedOnce' as const], verdicts: [ownVerdict] };
  const { found } = await hunt({ ...till, seed: 1 });
  expect(found).toMatchObject({ verdict: 'two were captured', confirmed: { runs: 2, wrong: 2 } });
  expect(found).not.toHaveProperty('firstWrongMs');
});
