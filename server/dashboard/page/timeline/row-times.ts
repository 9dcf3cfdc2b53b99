import type { TimelineEntry } from '../../view.ts';
import { formatElapsed, formatMilliseconds, formatTime } from '../format.ts';

/** The time of an entry, as its row shows it. */
export interface RowTime {
  text: string;
  title: string;
  /** Whether it is real time, since the sandbox's clock stood still. */
  isReal: boolean;
}

/**
 * Returns the time of each entry: since the first one, and where the clock of the sandbox stands still, the real time
 * since it last moved.
 */
export function rowTimes(entries: readonly TimelineEntry[]): (entry: TimelineEntry) => RowTime {
  const startMs = entries[0]?.atMs ?? 0;
  const realBySeq = new Map<number, number>();
  let moved: TimelineEntry | undefined;
  for (const entry of entries) {
    if (entry.atMs !== moved?.atMs) moved = entry;
    else if (entry.realMs !== undefined && moved.realMs !== undefined)
      realBySeq.set(entry.seq, Math.max(0, entry.realMs - moved.realMs));
  }
  return ({ seq, atMs }) => {
    const utc = `${formatTime(atMs)} UTC`;
    const elapsed = formatElapsed(Math.max(0, atMs - startMs));
    const realMs = realBySeq.get(seq);
    if (realMs === undefined) return { text: elapsed, title: utc, isReal: false };
    const text = formatMilliseconds(realMs);
    return {
      text,
      title: `${utc}, ${elapsed}. ${text} of real time since the clock last moved`,
      isReal: true,
    };
  };
}
