import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hunt, type HuntOptions } from '../../testing/hunt/hunt.ts';
import { KNOWN_DEFECTS } from './known-defects.ts';
import { PLANS, PROOF_TIMEOUT_MS, REPEATS, SEED, SEEDS } from './proof-size.ts';

for (const { name, till, verdict, only } of KNOWN_DEFECTS) {
  for (const seed of SEEDS)
    test(
      `hunt: finds within a minute that a till ${name}, and the same each time (seed ${seed})`,
      { timeout: PROOF_TIMEOUT_MS },
      async ({ annotate }) => {
        const first = await huntOnce(till(false), seed);
        expect(first.found?.verdict).toMatch(verdict);
        expect(first.found?.plan.length).toBeLessThanOrEqual(3);
        if (only !== undefined)
          expect(first.found?.plan).toEqual([only].flat().map((fault) => expect.objectContaining(fault)));
        for (let times = 1; times < REPEATS; times += 1)
          expect(await huntOnce(till(false), seed)).toEqual(first);
        await annotate(`${first.plans} plans: ${JSON.stringify(first.found)}`);
      },
    );

  test(
    `hunt: raises no alarm about a till that no longer ${name}`,
    { timeout: PROOF_TIMEOUT_MS },
    async () => {
      const { found, plans } = await hunt({ ...till(true), seed: SEED, plans: PLANS, seconds: 86_400 });
      expect(found).toBeUndefined();
      expect(plans).toBe(PLANS + 1);
    },
  );
}

/** Returns all of a result, with a digest in place of the bytes of its trace: those too have to be the same each time. */
async function huntOnce(options: HuntOptions, seed: string) {
  const { plans, found } = await hunt({ ...options, seed, seconds: 60 });
  if (!found) return { plans };
  const trace = createHash('sha256').update(found.trace).digest('hex');
  return { plans, found: { ...found, trace } };
}
