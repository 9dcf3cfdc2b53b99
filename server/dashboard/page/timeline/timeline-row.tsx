import type { TimelineEntry } from '../../view.ts';
import { machineLabel } from '../chart/machine-label.ts';
import { EntryDetail } from './entry-detail.tsx';
import type { RowTime } from './row-times.ts';

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
