import { signal, type ReadonlySignal } from '@preact/signals';
import type { MachineShape, Subject, TimelineEntry } from '../../view.ts';

// Bounds the memory of a page that stays open for days.
const ENTRIES_MAX = 2_000;

interface Timeline {
  subject: Subject;
  machine: MachineShape | null;
  entries: readonly TimelineEntry[];
}

/** The subject that the page watches, and its timeline. */
export interface WatchedSubject {
  readonly subject: ReadonlySignal<Subject | null>;
  /** Null until the server has sent it. */
  readonly timeline: ReadonlySignal<Timeline | null>;
  watch(subject: Subject | null): void;
  /** Stops watching this subject. Returns false, and changes nothing, when another subject is watched. */
  unwatch(subject: Subject | null): boolean;
  /** Sets the timeline. Ignores a timeline of another subject. */
  setTimeline(timeline: Timeline): void;
  addEntry(entry: TimelineEntry): void;
  /** Removes the timeline. */
  clear(): void;
}

export function createWatchedSubject(): WatchedSubject {
  const subject = signal<Subject | null>(null);
  const timeline = signal<Timeline | null>(null);
  const watch = (to: Subject | null) => {
    subject.value = to;
    timeline.value = null;
  };
  return {
    subject,
    timeline,
    watch,
    unwatch(current) {
      if (subject.peek() !== current) return false;
      watch(null);
      return true;
    },
    setTimeline({ subject: of, machine, entries }) {
      const { kind, id } = subject.peek() ?? {};
      if (of.kind === kind && of.id === id) timeline.value = { subject: of, machine, entries };
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
