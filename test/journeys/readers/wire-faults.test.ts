import { expect, test } from 'vitest';
import { payOverBadLine, BAD_LINE_READERS } from '../../kit/bad-line.ts';

// A few of them; test/system/readers/wire-faults.test.ts has a thousand for each driver.
test.each(BAD_LINE_READERS)(
  '$driver reader: over a faulty line each action ends once, for the right amount',
  async (story) => {
    const tally = await payOverBadLine({ ...story, seed: 'one', runs: 10 });
    expect(tally.Succeeded).toBeGreaterThan(0);
  },
  60_000,
);
