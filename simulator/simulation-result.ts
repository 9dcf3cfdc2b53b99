/** Result of a simulated action: success with what the device has to say, or the reason why it is not possible. */
export type SimulationResult = { ok: true; answer?: string } | { ok: false; problem: string };

export const SUCCESS: SimulationResult = { ok: true };

export function failure(problem: string): SimulationResult {
  return { ok: false, problem };
}
