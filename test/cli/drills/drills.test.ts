import { expect, test } from 'vitest';
import { DRILLS } from '../../../cli/drills/drills.ts';
import { playInWorld } from './drill-world.ts';
import { LOSSES } from './losses.ts';

test('drills: each has a loss that is expected of it', () => {
  expect(Object.keys(LOSSES), 'LOSSES has a row for each drill, in their order').toEqual(Object.keys(DRILLS));
});

test.each(Object.entries(DRILLS))(
  'drill %s: its faults strike, the wrong integration loses what the story says, and the right one nothing',
  async (name, drill) => {
    const wrong = await playInWorld(name, drill, false);
    const right = await playInWorld(name, drill, true);
    const places = new Set(drill.faults.map(({ at }) => at));
    for (const { strikes, steps } of [wrong, right]) {
      expect(new Set(strikes.map(({ at }) => at))).toEqual(places);
      expect(steps.filter(({ who }) => who === 'fault').map(({ text }) => text)).toEqual(
        strikes.map(({ text }) => text),
      );
    }
    expect([wrong.inconclusive, right.inconclusive]).toEqual([null, null]);
    expect([wrong.verdict, right.verdict]).toEqual([expect.stringMatching(LOSSES[name]!), null]);
  },
);
