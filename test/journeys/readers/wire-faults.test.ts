import { expect, test } from 'vitest';
import { liveWithABadLine } from '../../kit/wire-story.ts';

const TAPPED = ['visa-contactless', 'mastercard-contactless', 'amex-contactless'];

// test/system/wire-faults.test.ts has many more of them.
test.each([
  { driver: 'pn532', cards: TAPPED },
  { driver: 'zvt', cards: TAPPED },
])(
  '$driver: over a bad line each action ends once, for the right amount',
  async (story) => {
    const tally = await liveWithABadLine({ ...story, seed: 'one', runs: 20 });
    console.log(story.driver, tally);
    expect(tally.Succeeded).toBeGreaterThan(0);
  },
  60_000,
);
