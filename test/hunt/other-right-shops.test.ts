import { expect, test } from 'vitest';
import { hunt } from '../../testing/hunt/hunt.ts';
import { OTHER_RIGHT_SHOPS } from './other-right-shops.ts';
import { PLANS, PROOF_TIMEOUT_MS, SEED } from './proof-size.ts';

for (const { name, shop } of OTHER_RIGHT_SHOPS)
  test(`hunt: raises no alarm about a shop that ${name}`, { timeout: PROOF_TIMEOUT_MS }, async () => {
    const { found, plans } = await hunt({ ...shop(), seed: SEED, plans: PLANS, seconds: 86_400 });
    expect(found).toBeUndefined();
    expect(plans).toBe(PLANS + 1);
  });
