/** Where in a story a plan goes wrong and stays so. */
export interface WrongMoment {
  /**
   * Index of the first step at which it is wrong: just before a request of the shop, just after any other step. Their number
   * where it is wrong only after the last one.
   */
  step: number;
  /** Time of the step before, at which it is not wrong yet, in milliseconds since the scenario began. */
  lastRightMs: number;
  /** Time of the step, or of the last one. */
  firstWrongMs: number;
}

/** Books may be wrong for a moment, until the shop has written what it has heard: so many later steps are looked at too. */
const LOOKED_AT_AFTER = 2;
const ROUNDS_MAX = 4;

/**
 * Finds the step at which a plan goes wrong for good. Undefined where it is wrong from the first
 * one on, and where that cannot be found out.
 * @param steps of the story, in order
 * @param isWrongAt runs the plan until a step, and resolves with whether it is wrong then; undefined where that cannot be
 * judged
 */
export async function findWrongMoment(
  steps: readonly { atMs: number }[],
  isWrongAt: (step: number) => Promise<boolean | undefined>,
): Promise<WrongMoment | undefined> {
  let right = -1;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    let wrong = steps.length;
    while (wrong - right > 1) {
      const between = Math.floor((right + wrong) / 2);
      const isWrong = await isWrongAt(between);
      if (isWrong === undefined) return undefined;
      if (isWrong) wrong = between;
      else right = between;
    }
    const later = await rightAfter(wrong, steps.length, isWrongAt);
    if (later === undefined) return momentOf(steps, wrong);
    right = later;
  }
  return undefined;
}

/** Returns a step soon after another at which nothing is wrong; undefined where it stays wrong. */
async function rightAfter(
  wrong: number,
  count: number,
  isWrongAt: (step: number) => Promise<boolean | undefined>,
): Promise<number | undefined> {
  for (let step = wrong + 1; step <= Math.min(wrong + LOOKED_AT_AFTER, count - 1); step += 1)
    if ((await isWrongAt(step)) === false) return step;
  return undefined;
}

function momentOf(steps: readonly { atMs: number }[], wrong: number): WrongMoment | undefined {
  const last = steps[wrong - 1];
  return last && { step: wrong, lastRightMs: last.atMs, firstWrongMs: (steps[wrong] ?? last).atMs };
}
