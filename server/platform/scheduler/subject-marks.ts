/** Subjects with a held job behind which others may be due. */
export function createFollowerMarks() {
  const marks = new Map<string, number>();
  let latest = 0;
  return {
    add: (subject: string) => void marks.set(subject, ++latest),
    has: (subject: string) => marks.has(subject),
    /** Removes a mark. Returns whether there was one. */
    delete: (subject: string) => marks.delete(subject),
    /** Returns the function that removes the mark of a subject, unless it has been marked again after this call. */
    remover() {
      const before = latest;
      return (subject: string) => {
        if ((marks.get(subject) ?? Infinity) <= before) marks.delete(subject);
      };
    },
  };
}

/** Subjects of which a due job is committed that is about to be claimed: a later job of theirs waits for it. */
export function createAwaitedSubjects() {
  let unclaimed = new Set<string>();
  let inClaim = new Set<string>();
  return {
    add: (subject: string) => void unclaimed.add(subject),
    has: (subject: string) => unclaimed.has(subject) || inClaim.has(subject),
    /** Begins a claim. The returned function ends it: after a failure its subjects are still awaited. */
    beginClaim() {
      inClaim = unclaimed;
      unclaimed = new Set();
      return (outcome: 'claimed' | 'failed') => {
        if (outcome === 'failed') for (const subject of inClaim) unclaimed.add(subject);
        inClaim = new Set();
      };
    },
  };
}
