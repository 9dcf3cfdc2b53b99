import { signal, type ReadonlySignal } from '@preact/signals';
import type { MachineShape, WatchTarget, TimelineEntry } from '../../view.ts';

// Bounds the memory of a page that stays open for days.
const ENTRIES_MAX = 2_000;

interface Timeline {
  target: WatchTarget;
  machine: MachineShape | null;
  entries: readonly TimelineEntry[];
}

/** The target that the page watches, and its timeline. */
export interface WatchedTimeline {
  readonly target: ReadonlySignal<WatchTarget | null>;
  /** Null until the server has sent it. */
  readonly timeline: ReadonlySignal<Timeline | null>;
  watch(target: WatchTarget | null): void;
  /** Stops watching this target. Returns false, and changes nothing, when another target is watched. */
  unwatch(target: WatchTarget | null): boolean;
  /** Sets the timeline. Ignores a timeline of another target. */
  setTimeline(timeline: Timeline): void;
  addEntry(entry: TimelineEntry): void;
  /** Removes the timeline. */
  clear(): void;
}

export function createWatchedTimeline(): WatchedTimeline {
  const target = signal<WatchTarget | null>(null);
  const timeline = signal<Timeline | null>(null);
  const watch = (to: WatchTarget | null) => {
    target.value = to;
    timeline.value = null;
  };
  return {
    target,
    timeline,
    watch,
    unwatch(current) {
      if (target.peek() !== current) return false;
      watch(null);
      return true;
    },
    setTimeline({ target: of, machine, entries }) {
      const { kind, id } = target.peek() ?? {};
      if (of.kind === kind && of.id === id) timeline.value = { target: of, machine, entries };
    },
    addEntry(entry) {
      const shown = timeline.peek();
      if (!shown) return;
      timeline.value = { ...shown, entries: merged(shown.entries, entry).slice(-ENTRIES_MAX) };
    },
    clear: () => void (timeline.value = null),
  };
}

/** Inserts an entry by sequence number, once. A long request arrives after the entries it caused. */
function merged(known: readonly TimelineEntry[], entry: TimelineEntry): readonly TimelineEntry[] {
  const last = known.at(-1);
  if (!last || last.seq < entry.seq) return [...known, entry];
  const others = known.filter(({ seq }) => seq !== entry.seq);
  return [...others, entry].sort((a, b) => a.seq - b.seq);
}
