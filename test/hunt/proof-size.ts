import { countFrom } from '../kit/count-from.ts';

/*
 * How much the proofs of the known defects try: little by default. CONTRIBUTING.md says how all of it is run.
 */

export const SEED = process.env['HUNT_SEED'] ?? 'one';
/** Seeds with which each defect is looked for: the first, and others made from it. */
export const SEEDS = Array.from({ length: countFrom('HUNT_SEEDS', 1) }, (_, index) =>
  index === 0 ? SEED : `${SEED} ${index + 1}`,
);
/** How often each hunt is done. */
export const REPEATS = countFrom('HUNT_REPEATS', 2);
/** Plans that are tried against each till without a defect. */
export const PLANS = countFrom('HUNT_PLANS', 12);

/** Longer than any of it takes: a hunt has a limit of its own. */
export const PROOF_TIMEOUT_MS = 24 * 3_600_000;
