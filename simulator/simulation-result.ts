/** Result of a simulated action: success, or the reason why it is not possible. */
export type SimulationResult = { ok: true } | { ok: false; problem: string };

export const SUCCESS: SimulationResult = { ok: true };

export function failure(problem: string): SimulationResult {
  return { ok: false, problem };
}
