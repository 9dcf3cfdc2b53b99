import { expect, test } from 'vitest';
import type { Scene } from '../../../cli/drills/drill.ts';
import { DRILLS } from '../../../cli/drills/drills.ts';
import { sell } from '../../../cli/drills/plays/shop.ts';
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

test('drill of a stand-alone terminal: an integration that gives up at once is judged by what is settled later', async () => {
  const drill = DRILLS['unknown-outcome']!;
  const givesUp = { ...drill, play: async (scene: Scene) => void (await sell(scene)) };
  const { verdict, steps } = await playInWorld('unknown-outcome', givesUp, false);
  expect(steps.map(({ text }) => text)).toContainEqual(
    expect.stringContaining('somebody settles the payment'),
  );
  expect(verdict).toMatch(
    /17\.42 GBP were taken for the order order-1, and the shop says that it is not paid/,
  );
});

test('drill of a stand-alone terminal: at another terminal its fault never strikes, and nothing is shown', async () => {
  const { twin: _, ...drill } = DRILLS['unknown-outcome']!;
  const { verdict, inconclusive, strikes } = await playInWorld('unknown-outcome', drill, true);
  expect([verdict, strikes]).toEqual([null, []]);
  expect(inconclusive).toMatch(
    /a fault of the drill never struck, so that nothing was tested: The first such/,
  );
});
