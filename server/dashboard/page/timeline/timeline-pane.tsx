import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Lane, TimelineEntry } from '../../view.ts';
import { type RowTime, TimelineRow } from './timeline-row.tsx';
import { LANES } from './steps.ts';
import { useRowWindow } from './row-window.ts';

interface TimelinePaneProps {
  entries: readonly TimelineEntry[];
  /** Sequence number of the entry that the chart shows the state at; null for the current state. */
  shown: number | null;
  show: (seq: number | null) => void;
  step: (by: -1 | 1) => void;
  loading: boolean;
  machineId: string | null;
  timeOf: (entry: TimelineEntry) => RowTime;
}

const ALL: ReadonlySet<Lane> = new Set(LANES.map(({ id }) => id));

/** The entries in order, across four lanes. */
export function TimelinePane(props: TimelinePaneProps) {
  const { entries, shown, show, step, loading, machineId, timeOf } = props;
  const [lanes, setLanes] = useState(ALL);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const list = useRef<HTMLOListElement>(null);
  const seen = useMemo(() => entries.filter(({ lane }) => lanes.has(lane)), [entries, lanes]);
  const last = seen.at(-1)?.seq;
  const at = shown === null ? seen.length - 1 : seen.findLastIndex(({ seq }) => seq <= shown);
  const isAtEnd = useAutoScroll(list, last, shown === null);
  const keepsEarlier = shown === null && !isAtEnd();
  const { start, end, showEarlier, showLater } = useRowWindow(seen.length, at, keepsEarlier);
  useLayoutEffect(() => {
    if (shown !== null) list.current?.querySelector('.shown')?.scrollIntoView({ block: 'nearest' });
  }, [shown]);

  const pick = ({ seq }: TimelineEntry) => {
    const wasOpen = open.has(seq);
    setOpen(toggled(open, seq));
    if (!wasOpen) show(seq === entries.at(-1)?.seq ? null : seq);
  };
  return (
    <section class="timeline" aria-label="Timeline">
      <header class="lane-heads">
        <span class="lane-time">Time</span>
        {LANES.map(({ id, label, about }) => (
          <button
            key={id}
            class={`lane-head lane-${id}`}
            aria-pressed={lanes.has(id)}
            title={`${label}: ${about}. Click to ${lanes.has(id) ? 'hide' : 'show'} them`}
            onClick={() => setLanes(toggled(lanes, id))}
          >
            {label}
          </button>
        ))}
      </header>
      {seen.length === 0 ? (
        <p class="quiet-note">{loading ? 'Loading timeline…' : 'No entries yet.'}</p>
      ) : (
        <ol
          class="entries"
          ref={list}
          onKeyDown={(event) => onKey(event, list.current!, step, () => show(null))}
        >
          {start > 0 && <MoreRows count={start} words="earlier" show={showEarlier} />}
          {seen.slice(start, end).map((entry, index) => (
            <TimelineRow
              key={entry.seq}
              entry={entry}
              machineId={machineId}
              time={timeOf(entry)}
              open={open.has(entry.seq)}
              shown={entry.seq === shown}
              later={shown !== null && entry.seq > shown}
              first={index === 0}
              pick={pick}
            />
          ))}
          {end < seen.length && <MoreRows count={seen.length - end} words="later" show={showLater} />}
        </ol>
      )}
    </section>
  );
}

function MoreRows({ count, words, show }: { count: number; words: string; show: () => void }) {
  return (
    <li class="more-rows">
      <button onClick={show}>
        {count} {words} {count === 1 ? 'entry' : 'entries'}
      </button>
    </li>
  );
}

function toggled<T>(set: ReadonlySet<T>, member: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(member)) next.add(member);
  return next;
}

/** Up and down move between entries; left and right between steps of the machine. */
function onKey(event: KeyboardEvent, list: HTMLElement, step: (by: -1 | 1) => void, live: () => void): void {
  const rows = [...list.querySelectorAll<HTMLElement>('.entry-line')];
  const at = rows.findIndex((row) => row === event.target);
  if (at < 0) return;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to !== undefined) rows[to]?.focus();
  else if (event.key === 'ArrowRight') step(1);
  else if (event.key === 'ArrowLeft') step(-1);
  else if (event.key === 'Escape') live();
  else return;
  event.preventDefault();
}

/**
 * Scrolls to the newest entry, unless the user has scrolled away from it or selected an earlier moment.
 * Returns a function that says whether the end of the list is in view.
 */
function useAutoScroll(
  list: { current: HTMLElement | null },
  last: number | undefined,
  live: boolean,
): () => boolean {
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const onScroll = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [list.current]);
  useLayoutEffect(() => {
    if (live && atEnd.current && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [last, live]);
  return () => atEnd.current;
}
