/**
 * Which value of the other server stands for which of ours, over a whole run: an id or a time that comes again must be the
 * same again, and two that differ here must differ there.
 */
export interface Pairs {
  /** Pairs two values; false when one of them is paired with another already. */
  join(here: string, there: string): boolean;
  /** Returns what is paired with a value of ours. */
  thereOf(here: string): string | undefined;
}

export function createPairs(): Pairs {
  const there = new Map<string, string>();
  const here = new Map<string, string>();
  return {
    join(ours, theirs) {
      const isNew = !there.has(ours) && !here.has(theirs);
      if (isNew) {
        there.set(ours, theirs);
        here.set(theirs, ours);
      }
      return there.get(ours) === theirs;
    },
    thereOf: (ours) => there.get(ours),
  };
}
