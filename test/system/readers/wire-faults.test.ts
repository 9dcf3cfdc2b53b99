import { expect, test } from 'vitest';
import { payOverBadLine, BAD_LINE_READERS } from '../../kit/bad-line.ts';
import { countFrom } from '../../kit/count-from.ts';

// Each a world of its own, so that a seed that fails is short enough to look into. `SEEDS=25` runs a thousand payments.
const SEEDS = countFrom('SEEDS', 5);
const RUNS_EACH = 40;
const LIMIT_MS = 15 * 60_000;

test.each(BAD_LINE_READERS)(
  '$driver: payments over a bad line each end once, for the right amount',
  async (story) => {
    let runs = 0;
    let succeeded = 0;
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const tally = await payOverBadLine({
        ...story,
        seed: `${process.env['SEED'] ?? ''}${seed}`,
        runs: RUNS_EACH,
      });
      runs += tally.Succeeded + tally.Failed + tally.Cancelled;
      succeeded += tally.Succeeded;
    }
    expect(runs).toBe(SEEDS * RUNS_EACH);
    expect(succeeded).toBeGreaterThan(runs / 20);
  },
  LIMIT_MS,
);
