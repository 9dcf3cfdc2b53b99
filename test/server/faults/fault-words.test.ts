import { expect, test } from 'vitest';
import { CUT_POINTS, type CutPointName } from '../../../server/platform/faults/cut-points.ts';
import { faultWords } from '../../../server/platform/faults/fault-words.ts';

test.each([
  [{}, 'the first one'],
  [{ nth: 2 }, 'the 2nd one'],
  [{ nth: 11, times: 1 }, 'the 11th one'],
  [{ times: 3 }, 'the first 3'],
  [{ nth: 2, times: 1000 }, 'the 2nd to the 1,001st'],
  [{ percent: 10, times: 1000 }, 'each with a chance of 10 %, 1,000 times at most'],
  [{ percent: 10, nth: 3 }, 'each from the 3rd on with a chance of 10 %, once'],
  [{ forMs: 60_000 }, 'each for 1 min'],
  [{ forMs: 5_500, nth: 2, times: 3 }, 'each from the 2nd on for 5.5 s, 3 times at most'],
  [{ forMs: 10_800_000, percent: 50 }, 'each with a chance of 50 % for 3 h'],
  [{ message: 'action.completed', id: 'tml_1' }, 'message action.completed, of tml_1, the first one'],
])('faultWords: %j strikes %s', (when, which) => {
  expect(faultWords({ at: 'message.report', what: 'lost', when }).which).toBe(which);
});

test('faultWords: says where, and what happens for how long', () => {
  expect(faultWords({ at: 'api.reply', what: 'delay', delayMs: 1_500 })).toEqual({
    where: CUT_POINTS['api.reply'].title,
    which: 'the first one',
    what: 'It is sent after 1.5 s.',
  });
  expect(faultWords({ at: 'terminal.state', what: 'power-cut' }).what).toContain('after 5 s');
  for (const [at, { faults }] of Object.entries(CUT_POINTS))
    for (const what of Object.keys(faults))
      expect(faultWords({ at: at as CutPointName, what }).what).not.toMatch(/`|^\w+(-\w+)*$/);
});
