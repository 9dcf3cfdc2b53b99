import type { TimelineEntry } from '../../view.ts';
import type { TimelineSubject } from './subjects.ts';

/** Returns the index of the entry that is shown; the last one when `shown` is null. */
export function indexOfShown(entries: readonly TimelineEntry[], shown: number | null): number {
  return shown === null ? entries.length - 1 : entries.findLastIndex(({ seq }) => seq <= shown);
}

/** Returns the number of the entry at an index within the list; null for the last one. */
export function shownAt(entries: readonly TimelineEntry[], index: number): number | null {
  const at = Math.max(0, index);
  return at >= entries.length - 1 ? null : entries[at]!.seq;
}

/**
 * Returns the action or object that the entries are about at an index: that of the entry there, or of the last one before it
 * that has one, or else of the first one after it.
 */
export function subjectAt(
  entries: readonly TimelineEntry[],
  index: number,
  subjects: readonly TimelineSubject[],
): string | null {
  const known = new Set(subjects.map(({ id }) => id));
  const subjectOf = ({ actionId, objectId }: TimelineEntry) =>
    [actionId, objectId].find((id) => id !== null && known.has(id));
  for (let at = index; at >= 0; at--) {
    const found = subjectOf(entries[at]!);
    if (found) return found;
  }
  return subjects[0]?.id ?? null;
}
