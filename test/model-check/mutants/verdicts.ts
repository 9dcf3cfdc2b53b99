import { allMutants } from './all-mutants.ts';
import { inSeededOrder } from './mutant.ts';
import { EXPLORATIONS, Trial, type Verdict } from './trial.ts';

/** Which mutants are tried. */
export interface Part {
  seed: number;
  /** How many of all, in the order of the seed. */
  sample: number;
  /** Of these each `parts`-th, from `index` on. */
  index: number;
  parts: number;
  /** Whether mutants that no single step shows are left without runs. */
  stepsOnly?: boolean;
  /** How many of the explorations are made, from the smallest on; all by default. */
  explorations?: number;
}

/** Tries one mutant after another. */
export async function* verdictsOf({
  seed,
  sample,
  index,
  parts,
  stepsOnly = false,
  explorations,
}: Part): AsyncGenerator<Verdict> {
  // First, so that the explorations note the places that they come to.
  const mutants = allMutants(seed);
  const trial = await Trial.create(EXPLORATIONS.slice(0, explorations));
  const chosen = inSeededOrder(mutants, seed).slice(0, sample);
  for (const mutant of chosen.filter((_, at) => at % parts === index))
    yield trial.verdictOn(mutant, { stepsOnly });
}
