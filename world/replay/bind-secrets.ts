/**
 * Calls `bind` with each secret of an answer whose placeholder the recorded answer has.
 * @param recorded JSON of the recorded answer, with placeholders
 * @param replayed JSON of the replayed answer, with its secrets
 */
export function bindSecrets(
  recorded: unknown,
  replayed: unknown,
  bind: (secret: number, value: string) => void,
): void {
  if (typeof recorded === 'string' && typeof replayed === 'string')
    return bindInText(recorded, replayed, bind);
  if (typeof recorded !== 'object' || recorded === null || typeof replayed !== 'object' || replayed === null)
    return;
  for (const [name, value] of Object.entries(recorded))
    bindSecrets(value, (replayed as Record<string, unknown>)[name], bind);
}

// Ids in a text are as long in the recording as in the replay.
function bindInText(recorded: string, replayed: string, bind: (secret: number, value: string) => void): void {
  const [before = '', number, after = '', ...more] = recorded.split(/\{\{secret:(\d+)\}\}/);
  if (number === undefined || more.length > 0) return;
  bind(Number(number), replayed.slice(before.length, replayed.length - after.length));
}
