/**
 * Which value of the other server stands for which of ours, over a whole run: an id or a time that comes again must be the
 * same again, and two that differ here must differ there.
 */
export interface Pairs {
  /** Pairs two values; false when one of them is paired with another already. */
  join(here: string, there: string): boolean;
  /** Returns what is paired with a value of ours. */
  thereOf(here: string): string | undefined;
  /** Returns a copy, to try out what would be paired. */
  copy(): Pairs;
}

export function createPairs(known: Iterable<[here: string, there: string]> = []): Pairs {
  const there = new Map(known);
  const here = new Map([...there].map(([ours, theirs]) => [theirs, ours]));
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
    copy: () => createPairs(there),
  };
}
