import { useEffect, useMemo, useState } from 'preact/hooks';
import { after } from '../../../../protocol/clock.ts';
import type { Lane, TimelineEntry } from '../../view.ts';
import { Icon } from '../parts/icons.tsx';
import type { RowTime } from '../timeline/timeline-row.tsx';
import { LANES } from '../timeline/steps.ts';
import { pageClock } from '../time.ts';
import type { ListedTimeline } from './timeline-select.tsx';

interface PositionStripProps {
  entries: readonly TimelineEntry[];
  shown: number | null;
  show: (shown: number | null) => void;
  timeOf: (entry: TimelineEntry) => RowTime;
}

const ROWS: readonly Lane[] = LANES.map(({ id }) => id);
// More entries than this share a column of the strip.
const COLUMNS_MAX = 400;
const ROW_HEIGHT = 6;

/** The whole recording from left to right, an entry beside the other, with a slider for the moment that is shown. */
export function PositionStrip({ entries, shown, show, timeOf }: PositionStripProps) {
  const at = indexOfShown(entries, shown);
  const entry = entries[at];
  const marks = useMemo(() => marksOf(entries), [entries]);
  const columns = Math.min(entries.length, COLUMNS_MAX);
  const move = (to: number) => show(shownAt(entries, to));
  const { isPlaying, toggle } = usePlay(entries, at, move);
  if (!entry) return null;
  const time = timeOf(entry);
  return (
    <section class="position" aria-label="Moment shown">
      <button
        class="quiet square"
        aria-label={isPlaying ? 'Pause' : 'Play'}
        title={isPlaying ? 'Pause' : 'Play'}
        disabled={entries.length < 2}
        onClick={toggle}
      >
        <Icon name={isPlaying ? 'pause' : 'play'} />
      </button>
      <button class="quiet square" aria-label="Entry before" disabled={at <= 0} onClick={() => move(at - 1)}>
        <Icon name="back" />
      </button>
      <button
        class="quiet square"
        aria-label="Entry after"
        disabled={at >= entries.length - 1}
        onClick={() => move(at + 1)}
      >
        <Icon name="forward" />
      </button>
      <div class="position-track">
        <svg
          viewBox={`0 0 ${columns} ${ROWS.length * ROW_HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {marks.map(({ name, path }) => (
            <path key={name} class={`mark-${name}`} d={path} />
          ))}
        </svg>
        <input
          type="range"
          min={0}
          max={entries.length - 1}
          value={at}
          aria-label="Entry"
          aria-valuetext={`${at + 1} of ${entries.length}: ${entry.title}`}
          style={{ '--at': entries.length > 1 ? at / (entries.length - 1) : 1 }}
          onInput={({ currentTarget }) => move(Number(currentTarget.value))}
        />
      </div>
      <output class="position-text">
        <span class="mono">
          {at + 1}/{entries.length}
        </span>
        <time class={time.isReal ? 'real' : undefined} title={time.title}>
          {time.text}
        </time>
      </output>
    </section>
  );
}

/** Moves from entry to entry by itself while it plays; from the first one when it starts at the end. */
function usePlay(entries: readonly TimelineEntry[], at: number, move: (to: number) => void) {
  const [isPlaying, setIsPlaying] = useState(false);
  const isAtEnd = at >= entries.length - 1;
  useEffect(() => {
    if (!isPlaying) return undefined;
    if (isAtEnd) return setIsPlaying(false);
    const timer = after(pageClock, playPauseMs(entries[at]!, entries[at + 1]!), () => move(at + 1));
    return () => timer.cancel();
  }, [isPlaying, at]);
  const toggle = () => {
    if (isAtEnd && !isPlaying) move(0);
    setIsPlaying(!isPlaying);
  };
  return { isPlaying, toggle };
}

type TimedEntry = Pick<TimelineEntry, 'atMs'>;

/** Returns how long an entry is shown before the next one: as long as it was, but long enough to be seen and no longer than a moment. */
export function playPauseMs({ atMs }: TimedEntry, next: TimedEntry): number {
  return Math.min(1_500, Math.max(200, next.atMs - atMs));
}

/** A column for each entry, or for some of them, with a mark in the row of each lane; bad entries in a path of their own. */
function marksOf(entries: readonly TimelineEntry[]): { name: string; path: string }[] {
  const columns = Math.min(entries.length, COLUMNS_MAX);
  const marked = new Map<string, Set<number>>([...ROWS, 'bad'].map((name) => [name, new Set()]));
  entries.forEach(({ lane, tone }, index) => {
    const column = Math.floor((index / entries.length) * columns);
    const row = ROWS.indexOf(lane);
    marked.get(tone === 'bad' ? 'bad' : lane)?.add(column * ROWS.length + row);
  });
  return [...marked].map(([name, places]) => ({
    name,
    path: [...places]
      .map((place) => {
        const row = place % ROWS.length;
        return `M${(place - row) / ROWS.length} ${row * ROW_HEIGHT}h1v${ROW_HEIGHT - 1}h-1z`;
      })
      .join(''),
  }));
}

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
export function timelineAt(
  entries: readonly TimelineEntry[],
  index: number,
  timelines: readonly ListedTimeline[],
): string | null {
  const known = new Set(timelines.map(({ id }) => id));
  const timelineOf = ({ actionId, objectId }: TimelineEntry) =>
    [actionId, objectId].find((id) => id !== null && known.has(id));
  for (let at = index; at >= 0; at--) {
    const found = timelineOf(entries[at]!);
    if (found) return found;
  }
  return timelines[0]?.id ?? null;
}
