/** What came of something that was done to the simulated world: done, or why it could not be. */
export type Deed = { ok: true } | { ok: false; problem: string };

export const DONE: Deed = { ok: true };

export function impossible(problem: string): Deed {
  return { ok: false, problem };
}
