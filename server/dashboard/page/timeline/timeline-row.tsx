import type { TimelineEntry } from '../../view.ts';
import { machineLabel } from '../chart/machine-layouts.ts';
import { EntryDetail } from './entry-detail.tsx';
import { formatElapsed, formatMilliseconds, formatTime } from '../format.ts';

/** A glyph for each kind of entry, so that direction and kind are visible at a glance. */
const GLYPHS: Record<TimelineEntry['kind'], { glyph: string; label: string }> = {
  request: { glyph: '⇄', label: 'request' },
  act: { glyph: '▸', label: 'done at the terminal' },
  'mqtt.command': { glyph: '↓', label: 'MQTT to the terminal' },
  'mqtt.report': { glyph: '↑', label: 'MQTT from the terminal' },
  'mqtt.refused': { glyph: '✕', label: 'refused MQTT from the terminal' },
  'fault.plan': { glyph: '☰', label: 'a plan of faults' },
  fault: { glyph: '⚡', label: 'a fault struck' },
  'serial.out': { glyph: '»', label: 'serial, to the reader' },
  'serial.in': { glyph: '«', label: 'serial, from the reader' },
  step: { glyph: '●', label: 'step' },
  posting: { glyph: '=', label: 'posted to the ledger' },
  event: { glyph: '◆', label: 'event' },
  webhook: { glyph: '➤', label: 'webhook' },
};

interface TimelineRowProps {
  entry: TimelineEntry;
  /** Its time, as the row shows it. */
  time: RowTime;
  /** The machine that the chart shows. Steps of other machines are labelled with their machine. */
  machineId: string | null;
  open: boolean;
  /** Whether the chart shows the state at this entry. */
  shown: boolean;
  /** Whether the entry is later than the moment shown. */
  later: boolean;
  first: boolean;
  pick: (entry: TimelineEntry) => void;
}

export function TimelineRow({ entry, time, machineId, open, shown, later, first, pick }: TimelineRowProps) {
  const { lane, kind, tone, title, seq, step } = entry;
  const other = step && step.machineId !== machineId && machineLabel(step.machineId);
  const { glyph, label } = GLYPHS[kind];
  return (
    <li class={`entry lane-${lane} tone-${tone}${shown ? ' shown' : ''}${later ? ' later' : ''}`}>
      <button
        class="entry-line"
        aria-expanded={open}
        aria-current={shown ? 'step' : undefined}
        tabIndex={first || shown ? 0 : -1}
        onClick={() => pick(entry)}
      >
        <time title={time.title} class={time.isReal ? 'real' : undefined}>
          {time.text}
        </time>
        <i class="rail-mark" aria-hidden="true" />
        <span class="entry-title">
          <i class="glyph" title={label} aria-hidden="true">
            {glyph}
          </i>
          <span class="unseen">{label}: </span>
          <span class="clip" title={title}>
            {title}
            {other && <small> {other}</small>}
          </span>
        </span>
      </button>
      {open && <EntryDetail entry={entry} id={`entry-${seq}`} />}
    </li>
  );
}

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
