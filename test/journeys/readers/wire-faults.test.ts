import { expect, test } from 'vitest';
import { liveWithABadLine, WIRE_STORIES } from '../../kit/wire-story.ts';

// A few of them; test/system/wire-faults.test.ts has a thousand for each driver.
test.each(WIRE_STORIES)(
  '$driver reader: over a faulty line each action ends once, for the right amount',
  async (story) => {
    const tally = await liveWithABadLine({ ...story, seed: 'one', runs: 10 });
    expect(tally.Succeeded).toBeGreaterThan(0);
  },
  60_000,
);
