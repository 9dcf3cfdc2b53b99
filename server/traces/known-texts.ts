/** Texts that are looked for in others by comparison. */
interface KnownTexts {
  /** @param text as long as the shortest at least */
  add(text: string): void;
  /** Returns a text with something in place of each known one; of two at one place the longer. */
  replacedIn(text: string, replace: (known: string) => string): string;
}

/** Texts with the same beginning. */
interface Bucket {
  texts: Set<string>;
  /** Their lengths, the longest first. */
  lengths: number[];
}

/**
 * Creates an empty set of texts. To look for any number of them costs one pass: each place is compared with those that begin
 * with its next `lengthMin` characters.
 */
export function createKnownTexts(lengthMin: number): KnownTexts {
  const buckets = new Map<string, Bucket>();
  const firstCodes = new Set<number>();

  function knownAt(text: string, at: number): string | undefined {
    if (!firstCodes.has(text.charCodeAt(at))) return undefined;
    const bucket = buckets.get(text.slice(at, at + lengthMin));
    const length = bucket?.lengths.find((some) => bucket.texts.has(text.slice(at, at + some)));
    return length === undefined ? undefined : text.slice(at, at + length);
  }

  return {
    add(text) {
      const start = text.slice(0, lengthMin);
      const bucket = buckets.get(start) ?? { texts: new Set(), lengths: [] };
      buckets.set(start, bucket);
      bucket.texts.add(text);
      if (!bucket.lengths.includes(text.length))
        bucket.lengths = [...bucket.lengths, text.length].sort((one, other) => other - one);
      firstCodes.add(text.charCodeAt(0));
    },
    replacedIn(text, replace) {
      let [replaced, done] = ['', 0];
      for (let at = 0; at + lengthMin <= text.length; at += 1) {
        const known = knownAt(text, at);
        if (known === undefined) continue;
        replaced += text.slice(done, at) + replace(known);
        done = at + known.length;
        at = done - 1;
      }
      return done === 0 ? text : replaced + text.slice(done);
    },
  };
}
