/** What came of something that was done to the simulated world: done, or why it could not be. */
export type SimulationResult = { ok: true } | { ok: false; problem: string };

export const SUCCESS: SimulationResult = { ok: true };

export function failure(problem: string): SimulationResult {
  return { ok: false, problem };
}
