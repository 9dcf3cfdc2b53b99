import { ActionPanel } from './action-panel.tsx';
import { CardSlot } from './card-slot.tsx';
import { Display } from './display.tsx';
import { Receipt } from './receipt.tsx';
import { Switches } from './switches.tsx';
import type { PastTerminal } from './terminal-at.ts';

/** The terminal as it was at a moment: action, receipts, display, card, power, network and paper, without controls. */
export function PastPanel({
  past: { terminal, sessionState },
  caption,
  back,
}: {
  past: PastTerminal;
  /** The moment, in words. */
  caption: string;
  /** Leads back to the present; absent when there is nothing to go back to. */
  back?: { label: string; go: () => void } | undefined;
}) {
  return (
    <>
      <p class="past-note" role="status">
        <span>{caption}</span>
        {back && <button onClick={back.go}>{back.label}</button>}
      </p>
      {terminal.action && (
        <ActionPanel terminal={terminal} action={terminal.action} sessionState={sessionState} />
      )}
      <section class="device past" aria-label="Device at this moment">
        <Display terminal={terminal} />
        {terminal.deviceState && <CardSlot card={terminal.deviceState.card} />}
      </section>
      {terminal.deviceState && <Switches terminal={terminal} />}
      <Receipt terminal={terminal} />
    </>
  );
}
