import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { after } from '../../../../protocol/clock.ts';
import type { FleetTerminal, ActionView } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { pageClock } from '../time.ts';
import type { TerminalControls } from './use-terminal.ts';

/** Copies that were torn off, as `action copy`, so that they are not shown again when the terminal is reopened. */
const torn = signal<ReadonlySet<string>>(new Set());
/** Actions that the page has seen running. Only their receipts are animated. */
const seenRunning = new Set<string>();

const TEARING_MS = 300;

type Texts = Record<CopyName, string>;

/** The receipt as the printer prints it, or the prompt at the point of sale to confirm that it was printed there. */
export function Receipt({
  terminal,
  controls,
}: {
  terminal: FleetTerminal;
  /** Absent at an earlier moment: then nothing is torn off or confirmed. */
  controls?: TerminalControls;
}) {
  const { action } = terminal;
  if (controls && action?.status === 'InProgress') seenRunning.add(action.id);
  const copies = copiesOf(action).filter(({ copy }) => !controls || !torn.value.has(`${action?.id} ${copy}`));
  const texts = useReceipt(terminal, copies.length > 0);
  const [first] = copies;
  if (!action || !texts || !first) return null;
  return (
    <section class="paper" aria-label="Receipt">
      {/* Nothing can be torn off in the past, so all copies show. */}
      {(controls ? [first] : copies).map((shown) => (
        <Slip
          key={`${action.id} ${shown.copy}`}
          copy={shown}
          more={controls ? copies.length - 1 : 0}
          text={texts[shown.copy]}
          animated={controls !== undefined && seenRunning.has(action.id)}
          tear={() => (torn.value = new Set([...torn.peek(), `${action.id} ${shown.copy}`]))}
          confirm={
            controls && ((status) => controls.operate('confirm-receipt', { [shown.copy]: { status } }))
          }
        />
      ))}
    </section>
  );
}

interface SlipProps {
  copy: ReceiptCopy;
  text: string;
  animated: boolean;
  /** Number of copies behind this one. */
  more: number;
  tear: () => void;
  /** Absent at an earlier moment. */
  confirm: ((status: 'Succeeded' | 'Failed') => void) | undefined;
}

function Slip({ copy: { copy, status }, more, text, animated, tear, confirm }: SlipProps) {
  const [tearing, setTearing] = useState(false);
  const tearOff = () => {
    setTearing(true);
    after(pageClock, prefersReducedMotion() ? 0 : TEARING_MS, tear);
  };
  const unconfirmed = status === 'unconfirmed';
  return (
    <article class={`slip${tearing ? ' tearing' : ''}`} data-copy={copy}>
      <header>
        <b>{COPY_LABELS[copy]}</b>
        <span>
          {unconfirmed ? 'to be printed by the POS' : more > 0 ? 'in the printer, 1 of 2' : 'in the printer'}
        </span>
      </header>
      <div class="slip-window" tabIndex={0} role="group" aria-label={`${COPY_LABELS[copy]}, text`}>
        <pre class={animated ? 'printing' : ''}>{text}</pre>
      </div>
      {confirm && (
        <footer>
          {unconfirmed ? (
            <>
              <button class="primary" onClick={() => confirm('Succeeded')}>
                Printed
              </button>
              <button onClick={() => confirm('Failed')}>Failed to print</button>
            </>
          ) : (
            <button class="wide tear" disabled={tearing} onClick={tearOff}>
              Tear off
            </button>
          )}
        </footer>
      )}
    </article>
  );
}

/** Returns whether the user prefers reduced motion. */
function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Returns the text of both copies, once they are available. */
function useReceipt({ action }: FleetTerminal, wanted: boolean): Texts | undefined {
  const { api } = useDashboard();
  const [texts, setTexts] = useState<Texts>();
  const of = useRef<string | undefined>(undefined);
  const id = action?.id;
  const state = action?.state;
  useEffect(() => {
    if (of.current !== id) setTexts(undefined);
    of.current = id;
    if (!wanted || !id) return;
    let stale = false;
    void api.get<Texts>(`/dashboard/receipts/${id}`).then((answer) => {
      if (answer.ok && !stale) setTexts(answer.body);
    });
    return () => {
      stale = true;
    };
  }, [id, wanted, state]);
  return of.current === id ? texts : undefined;
}

export type CopyName = 'merchantCopy' | 'customerCopy';

/** A copy of a receipt that the page shows. */
interface ReceiptCopy {
  copy: CopyName;
  /** `unconfirmed`: the point of sale must confirm that it was printed. */
  status: 'printed' | 'unconfirmed';
}

const COPIES: readonly CopyName[] = ['merchantCopy', 'customerCopy'];
const PRINTED_STATES = ['approved.completing', 'approved.awaitingEnd', 'succeeded'];

/**
 * Returns the copies to show: those the terminal has printed, by the state of its machine, or the one that the point
 * of sale must confirm.
 */
export function copiesOf(action: ActionView | null): ReceiptCopy[] {
  if (!action) return [];
  const { state, status, receiptPrintingSource } = action;
  if (receiptPrintingSource === 'PointOfSale') {
    const required = COPIES.find((copy) => action[copy] === 'Required');
    return required && status === 'InProgress' ? [{ copy: required, status: 'unconfirmed' }] : [];
  }
  const both = status === 'Succeeded' || (status === 'InProgress' && PRINTED_STATES.includes(state ?? ''));
  const out = both
    ? COPIES
    : state === 'approved.printing.merchantCopy'
      ? COPIES.slice(0, 1)
      : state === 'approved.printing.customerCopy'
        ? COPIES
        : [];
  return out.filter((copy) => action[copy] !== 'Failed').map((copy) => ({ copy, status: 'printed' }));
}

const COPY_LABELS = { merchantCopy: 'Merchant copy', customerCopy: 'Customer copy' } as const;
