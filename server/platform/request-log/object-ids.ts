const OBJECTS_MAX = 100;

const OBJECT_ID =
  /\b(?!whs_)[a-z]{2,8}_(?:[0-7][0-9A-HJKMNP-TV-Z]{25}(?:_[0-7][0-9A-HJKMNP-TV-Z]{25})?|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9A-Za-z])/g;

/** Returns the ids of objects in some texts, each once, in order; a hundred at most. */
export function objectIdsIn(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const [id] of text.matchAll(OBJECT_ID)) {
      if (found.size === OBJECTS_MAX) break;
      found.add(id);
    }
  }
  return [...found];
}
