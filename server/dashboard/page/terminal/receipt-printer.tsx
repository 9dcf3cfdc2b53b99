import { useEffect, useRef } from 'preact/hooks';
import type { FleetTerminal, PrinterView } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { Exchange, framesOf } from './exchange.tsx';
import { PrinterFault } from './printer-fault.tsx';
import type { TerminalControls } from './use-terminal.ts';

/**
 * The receipt printer of a terminal: of a simulated one its paper, how it is and what can be done at it; of each what the
 * two say.
 */
export function ReceiptPrinter({
  terminal: { printer },
  controls,
  controllable,
}: {
  terminal: Pick<FleetTerminal, 'printer'>;
  controls: TerminalControls;
  controllable: boolean;
}) {
  const { state } = useDashboard();
  const frames = framesOf(state.watched.timeline.value?.entries ?? [], 'printer');
  if (!printer && frames.length === 0) return null;
  return (
    <section class="counter" aria-label="Receipt printer">
      <h2>Receipt printer</h2>
      {printer && (
        <>
          <Condition printer={printer} />
          <Paper printer={printer} />
          {controllable && <PrinterControls printer={printer} controls={controls} />}
        </>
      )}
      {frames.length > 0 && (
        <Exchange
          frames={frames}
          names={{ sender: 'Terminal', device: 'Printer' }}
          label="Exchange with the printer"
        />
      )}
    </section>
  );
}

const ERRORS: Record<PrinterView['error'], string> = {
  none: 'none',
  cutter: 'the cutter is stuck',
  mechanical: 'the mechanism is stuck',
  unrecoverable: 'it is broken',
  'head hot': 'the head is too hot',
};

const PAPERS: Record<PrinterView['paper'], string> = {
  enough: 'enough',
  'near end': 'near its end',
  out: 'out',
};

/** Returns how a printer is, in words: what, how, and whether it keeps it from printing. */
export function conditionRows({ paper, linesLeft, cover, error, drawer }: PrinterView) {
  const left = linesLeft === 1 ? 'a line left' : `${linesLeft.toLocaleString('en-GB')} lines left`;
  return [
    {
      name: 'Paper',
      value: paper === 'out' ? PAPERS.out : `${PAPERS[paper]}, ${left}`,
      isBad: paper === 'out',
    },
    { name: 'Cover', value: cover, isBad: cover === 'open' },
    { name: 'Error', value: ERRORS[error], isBad: error !== 'none' },
    { name: 'Drawer', value: drawer, isBad: false },
  ];
}

function Condition({ printer }: { printer: PrinterView }) {
  return (
    <dl class="facts printer-condition" aria-live="polite">
      {conditionRows(printer).map(({ name, value, isBad }) => (
        <div key={name} class={isBad ? 'bad' : ''}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The last receipts, newest last. */
function Paper({ printer: { printed, receipts } }: { printer: PrinterView }) {
  const paper = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (paper.current) paper.current.scrollTop = paper.current.scrollHeight;
  }, [printed]);
  if (receipts.length === 0) return <p class="quiet-note">A payment shows here what is printed.</p>;
  return (
    <div class="slip-window" ref={paper} tabIndex={0} role="group" aria-label="Paper of the receipt printer">
      {receipts.map(({ number, end, text }) => (
        <figure key={number}>
          <pre>{withoutMargin(text)}</pre>
          <figcaption>
            receipt {number}, {end}
          </figcaption>
        </figure>
      ))}
    </div>
  );
}

/** Returns a text without the blanks that all its lines begin with: paper is wider than the panel. */
export function withoutMargin(text: string): string {
  const lines = text.split('\n');
  const margins = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const margin = margins.length === 0 ? 0 : Math.min(...margins);
  return lines.map((line) => line.slice(margin)).join('\n');
}

/** What a person does at the printer now: a button at each place, named by what it leads to. */
export function actsAt({ paper, cover, error, drawer }: PrinterView) {
  return [
    paper === 'out'
      ? { place: 'paper', label: 'Put paper in', control: 'paper' }
      : { place: 'paper', label: 'Take paper out', control: 'paper', argument: '0' },
    ...(paper === 'enough'
      ? [{ place: 'roll', label: 'Paper near its end', control: 'state', argument: 'near-end' }]
      : [{ place: 'roll', label: 'New roll', control: 'paper' }].filter(() => paper === 'near end')),
    cover === 'open'
      ? { place: 'cover', label: 'Close cover', control: 'cover', argument: 'closed' }
      : { place: 'cover', label: 'Open cover', control: 'cover', argument: 'open' },
    error === 'none'
      ? { place: 'error', label: 'Jam cutter', control: 'state', argument: 'cutter-error' }
      : { place: 'error', label: 'Mend', control: 'mend' },
    drawer === 'open'
      ? { place: 'drawer', label: 'Close drawer', control: 'drawer', argument: 'closed' }
      : { place: 'drawer', label: 'Open drawer', control: 'drawer', argument: 'open' },
    { place: 'restart', label: 'Restart', control: 'restart' },
  ];
}

function PrinterControls({ printer, controls }: { printer: PrinterView; controls: TerminalControls }) {
  return (
    <>
      <div class="counter-acts">
        {actsAt(printer).map(({ place, label, ...body }) => (
          // A button that has another label now keeps the focus.
          <button key={place} type="button" onClick={() => controls.act('control', body)}>
            {label}
          </button>
        ))}
      </div>
      <PrinterFault controls={controls} />
    </>
  );
}
