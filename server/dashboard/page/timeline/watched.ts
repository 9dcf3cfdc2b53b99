import { signal, type ReadonlySignal } from '@preact/signals';
import type { MachineShape, Subject, TimelineEntry } from '../../view.ts';

// A page that is left open for days keeps what a person can still scroll through.
const ENTRIES_KEPT = 2_000;

interface Timeline {
  subject: Subject;
  machine: MachineShape | null;
  entries: readonly TimelineEntry[];
}

/** The subject that the page watches, and its timeline. */
export interface Watched {
  readonly subject: ReadonlySignal<Subject | null>;
  /** Null until the server has sent it. */
  readonly timeline: ReadonlySignal<Timeline | null>;
  turnTo(subject: Subject | null): void;
  /** Stops watching this subject. Returns false, and changes nothing, when another one is watched by now. */
  leave(subject: Subject | null): boolean;
  /** Sets the timeline; ignores one of another subject than the watched one. */
  begin(timeline: Timeline): void;
  add(entry: TimelineEntry): void;
  forget(): void;
}

export function createWatched(): Watched {
  const subject = signal<Subject | null>(null);
  const timeline = signal<Timeline | null>(null);
  const turnTo = (to: Subject | null) => {
    subject.value = to;
    timeline.value = null;
  };
  return {
    subject,
    timeline,
    turnTo,
    leave(from) {
      if (subject.peek() !== from) return false;
      turnTo(null);
      return true;
    },
    begin({ subject: of, machine, entries }) {
      const { kind, id } = subject.peek() ?? {};
      if (of.kind === kind && of.id === id) timeline.value = { subject: of, machine, entries };
    },
    add(entry) {
      const shown = timeline.peek();
      if (!shown) return;
      timeline.value = { ...shown, entries: merged(shown.entries, entry).slice(-ENTRIES_KEPT) };
    },
    forget: () => void (timeline.value = null),
  };
}

/** In the order of their numbers, each once: a long call arrives after the entries that follow from it. */
function merged(known: readonly TimelineEntry[], entry: TimelineEntry): readonly TimelineEntry[] {
  const last = known.at(-1);
  if (!last || last.seq < entry.seq) return [...known, entry];
  const others = known.filter(({ seq }) => seq !== entry.seq);
  return [...others, entry].sort((a, b) => a.seq - b.seq);
}
