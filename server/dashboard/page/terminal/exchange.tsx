import { useEffect, useRef } from 'preact/hooks';
import { PRINTER_NOTE } from '../../../../protocol/receipt-printer.ts';
import type { TimelineEntry } from '../../view.ts';
import { formatTime } from '../format.ts';

/** A frame between a terminal and a device at it. */
type Frame = Pick<TimelineEntry, 'seq' | 'atMs' | 'title'> & { bytes: string; isSent: boolean };

/** More than a payment has; older ones are in the timeline. */
const FRAMES_MAX = 60;

/** Returns the latest frames of a timeline with the reader, or those with the receipt printer, newest last. */
export function framesOf(entries: readonly TimelineEntry[], device: 'reader' | 'printer'): Frame[] {
  const frames = entries.flatMap(({ seq, atMs, title, kind, bytes }) => {
    const isPrinter = title.startsWith(PRINTER_NOTE);
    if (bytes === undefined || isPrinter !== (device === 'printer')) return [];
    const words = isPrinter ? title.slice(PRINTER_NOTE.length) : title;
    return [{ seq, atMs, title: words, bytes, isSent: kind === 'serial.out' }];
  });
  return frames.slice(-FRAMES_MAX);
}

/** Returns bytes in pairs, as far as a line has room for them. */
export function shownBytes(bytes: string): string {
  const pairs = bytes.match(/../g) ?? [];
  const shown = pairs.slice(0, BYTES_SHOWN).join(' ');
  return pairs.length > BYTES_SHOWN ? `${shown} … ${pairs.length} bytes` : shown;
}

const BYTES_SHOWN = 32;

/** What a terminal and a device say to each other: what each frame is, beside its bytes. */
export function Exchange({
  frames,
  names: { sender, device },
  label,
}: {
  frames: readonly Frame[];
  /** How the two ends are called. */
  names: { sender: string; device: string };
  label: string;
}) {
  const list = useRef<HTMLOListElement>(null);
  const last = frames.at(-1)?.seq;
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [last]);
  return (
    <ol class="exchange" ref={list} tabIndex={0} aria-label={`${label}, newest last`}>
      {frames.map(({ seq, atMs, title, bytes, isSent }) => (
        <li key={seq} class={isSent ? 'sent' : 'received'}>
          <b>{isSent ? sender : device}</b> <span>{title}</span> <time>{formatTime(atMs)}</time>
          <code>{shownBytes(bytes)}</code>
        </li>
      ))}
    </ol>
  );
}
