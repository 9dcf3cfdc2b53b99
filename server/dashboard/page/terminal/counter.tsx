import { useEffect, useRef, useState } from 'preact/hooks';
import { PRINTER_NOTE } from '../../../../protocol/printer-note.ts';
import type { FleetTerminal, TimelineEntry } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { formatTime } from '../format.ts';
import type { TerminalControls } from './use-terminal.ts';

/** A frame between the till and its payment terminal. */
type Frame = Pick<TimelineEntry, 'seq' | 'atMs' | 'title'> & { bytes: string; isSent: boolean };

/** More than a payment has; older ones are in the timeline. */
const FRAMES_MAX = 60;

/** Returns the latest frames between till and payment terminal of a timeline, newest last. */
export function framesOf(entries: readonly TimelineEntry[]): Frame[] {
  const frames = entries.flatMap(({ seq, atMs, title, kind, bytes }) =>
    bytes === undefined || title.startsWith(PRINTER_NOTE)
      ? []
      : [{ seq, atMs, title, bytes, isSent: kind === 'serial.out' }],
  );
  return frames.slice(-FRAMES_MAX);
}

/** Returns bytes in pairs, as far as a line has room for them. */
export function shownBytes(bytes: string): string {
  const pairs = bytes.match(/../g) ?? [];
  const shown = pairs.slice(0, BYTES_SHOWN).join(' ');
  return pairs.length > BYTES_SHOWN ? `${shown} … ${pairs.length} bytes` : shown;
}

const BYTES_SHOWN = 32;

/** What terminals report as their reader that are the till of a payment terminal. */
export const PAYMENT_TERMINALS = ['zvt', 'caisse-ap', 'ecr17', 'concert', 'nexo'];

/** The exchange of a terminal with the payment terminal that it is the till of, and what can be done at a simulated one. */
export function Counter({
  terminal: { reader },
  controls,
  controllable,
}: {
  terminal: Pick<FleetTerminal, 'reader'>;
  controls: TerminalControls;
  controllable: boolean;
}) {
  const { state } = useDashboard();
  if (reader === null || !PAYMENT_TERMINALS.includes(reader)) return null;
  return (
    <section class="counter" aria-label="Payment terminal">
      <h2>Payment terminal, {reader}</h2>
      <Exchange frames={framesOf(state.watched.timeline.value?.entries ?? [])} />
      {controllable && <TwinControls controls={controls} />}
    </section>
  );
}

function Exchange({ frames }: { frames: readonly Frame[] }) {
  const list = useRef<HTMLOListElement>(null);
  const last = frames.at(-1)?.seq;
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [last]);
  if (frames.length === 0) return <p class="quiet-note">A payment shows here what till and terminal say.</p>;
  return (
    <ol class="exchange" ref={list} tabIndex={0} aria-label="Exchange with the terminal, newest last">
      {frames.map(({ seq, atMs, title, bytes, isSent }) => (
        <li key={seq} class={isSent ? 'sent' : 'received'}>
          <b>{isSent ? 'Till' : 'Terminal'}</b> <span>{title}</span> <time>{formatTime(atMs)}</time>
          <code>{shownBytes(bytes)}</code>
        </li>
      ))}
    </ol>
  );
}

const FAULTS = [
  { fault: 'lost', label: 'Lose the next answer' },
  { fault: 'cut', label: 'Cut the line after the charge', afterApproval: true },
];

function TwinControls({ controls }: { controls: TerminalControls }) {
  const [receipts, setReceipts] = useState<string>();
  const showReceipts = async () => setReceipts(await controls.ask('receipts'));
  return (
    <>
      <div class="counter-acts">
        {FAULTS.map(({ fault, label, afterApproval }) => (
          <button
            key={label}
            type="button"
            onClick={() =>
              controls.act('control', {
                control: afterApproval ? 'fault-after-approval' : 'fault',
                argument: fault,
              })
            }
          >
            {label}
          </button>
        ))}
        <button type="button" onClick={showReceipts}>
          Show its receipts
        </button>
      </div>
      {receipts !== undefined && (
        <div class="slip-window" tabIndex={0} role="group" aria-label="Receipts of the payment terminal">
          <pre>{receipts}</pre>
        </div>
      )}
    </>
  );
}
