/** Keys with a held job behind which others may be due. */
export function createSuccessorMarks() {
  const marks = new Map<string, number>();
  let latest = 0;
  return {
    add: (key: string) => void marks.set(key, ++latest),
    has: (key: string) => marks.has(key),
    /** Removes a mark. Returns whether there was one. */
    delete: (key: string) => marks.delete(key),
    /** Returns the function that removes the mark of a key, unless it has been marked again after this call. */
    remover() {
      const before = latest;
      return (key: string) => {
        if ((marks.get(key) ?? Infinity) <= before) marks.delete(key);
      };
    },
  };
}

/** Keys of which a due job is committed that is about to be claimed: a later job of theirs waits for it. */
export function createAwaitedKeys() {
  let unclaimed = new Set<string>();
  let inClaim = new Set<string>();
  return {
    add: (key: string) => void unclaimed.add(key),
    has: (key: string) => unclaimed.has(key) || inClaim.has(key),
    /** Begins a claim. The returned function ends it: after a failure its keys are still awaited. */
    beginClaim() {
      inClaim = unclaimed;
      unclaimed = new Set();
      return (outcome: 'claimed' | 'failed') => {
        if (outcome === 'failed') for (const key of inClaim) unclaimed.add(key);
        inClaim = new Set();
      };
    },
  };
}
