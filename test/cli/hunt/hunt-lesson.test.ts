import { expect, test } from 'vitest';
import { lessonLines } from '../../../cli/hunt/hunt-lesson.ts';
import type { HuntedFault } from '../../../testing/hunt/hunted-fault.ts';

const operation = 'POST /v1/in-person/terminals/{id}/payment';

const drillOf = (...plan: HuntedFault[]) => lessonLines(plan).find((line) => line.includes('tapbench drill'));

test('lessonLines: name the drill of the very fault, or of another fault at the same place', () => {
  const reset: HuntedFault = { at: 'api.reply', what: 'reset', when: { operation, nth: 1 } };
  expect(lessonLines([reset])).toEqual([
    'a correct integration looks for a payment with the order in its metadata, and sends it again only when there is none: docs/lost-replies.md',
    'see it:     tapbench drill lost-reply',
  ]);
  expect(drillOf({ ...reset, what: 'delay', delayMs: 1_000 })).toContain('webhook-before-reply');
  expect(drillOf({ ...reset, what: 'no-reply', delayMs: 1_000 })).toContain('lost-reply');
});

test('lessonLines: say nothing of a plan that no drill strikes', () => {
  expect(lessonLines([])).toEqual([]);
  expect(lessonLines([{ at: 'integrator', what: 'stop-before-reply', when: { nth: 1 } }])).toEqual([]);
  expect(lessonLines([{ at: 'api.reply', what: 'reset', when: { operation: 'GET /v1/accounts' } }])).toEqual(
    [],
  );
});
