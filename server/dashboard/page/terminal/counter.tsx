import { useState } from 'preact/hooks';
import type { FleetTerminal } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { Exchange, framesOf } from './exchange.tsx';
import type { TerminalControls } from './use-terminal.ts';

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
  const frames = framesOf(state.watched.timeline.value?.entries ?? [], 'reader');
  return (
    <section class="counter" aria-label="Payment terminal">
      <h2>Payment terminal, {reader}</h2>
      {frames.length === 0 ? (
        <p class="quiet-note">A payment shows here what till and terminal say.</p>
      ) : (
        <Exchange
          frames={frames}
          names={{ sender: 'Till', device: 'Terminal' }}
          label="Exchange with the terminal"
        />
      )}
      {controllable && <TwinControls controls={controls} />}
    </section>
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
