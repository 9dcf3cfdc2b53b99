import { useEffect, useState } from 'preact/hooks';
import type { FleetTerminal } from '../../view.ts';
import { useDashboard, useWatch } from '../dashboard.ts';
import { FleetSidebar } from '../fleet/fleet-sidebar.tsx';
import { MachinePanes, type Pane, PaneSwitch } from '../timeline/machine-panes.tsx';
import { PastActionView, PastPanel } from './past-action-view.tsx';
import { terminalAt, type PastTerminal } from './terminal-at.ts';
import { Led } from '../fleet/tile.tsx';
import { Icon } from '../parts/icons.tsx';
import { ActionPanel } from './action-panel.tsx';
import { CardTray } from './card-tray.tsx';
import { Counter } from './counter.tsx';
import { Device, Display } from './device.tsx';
import { Receipt } from './receipt.tsx';
import { ReceiptPrinter } from './receipt-printer.tsx';
import { StartForm } from './start-form.tsx';
import { Switches } from './switches.tsx';
import { hrefOf } from '../route.ts';
import { useTerminalControls, type TerminalControls } from './use-terminal.ts';

/** A terminal with its latest action, or with an earlier one. */
export function TerminalView({ id, actionId }: { id: string; actionId?: string | undefined }) {
  const { state } = useDashboard();
  // Reading the list of terminals makes this component render again when it changes.
  void state.fleet.ids.value;
  const terminal = state.fleet.get(id)?.value;
  useEffect(() => {
    document.title = `${terminal?.name ?? 'Terminal'} · Tapbench`;
  }, [terminal?.name]);

  if (!terminal) {
    return (
      <>
        <h1 class="unseen">Terminal</h1>
        <p class="quiet-note">
          {state.loaded.value ? 'This terminal no longer exists.' : 'Loading terminal…'}{' '}
          <a href="#/">Back to fleet</a>
        </p>
      </>
    );
  }
  if (actionId !== undefined) return <PastActionView terminal={terminal} actionId={actionId} />;
  return <PresentView terminal={terminal} />;
}

/** The device, the chart of its machine and the timeline, side by side where there is room. */
function PresentView({ terminal }: { terminal: FleetTerminal }) {
  const { state } = useDashboard();
  const { id, action } = terminal;
  useWatch({ kind: 'terminal', id });
  const [pane, setPane] = useState<'device' | Pane>('device');
  // Null is the present; the key makes the panes forget the moment that they show.
  const [shown, setShown] = useState<number | null>(null);
  const [visit, setVisit] = useState(0);
  const entries = state.watched.timeline.value?.entries ?? [];
  const past = action && shown !== null ? terminalAt(terminal, action, entries, shown) : undefined;
  return (
    <div class="terminal-view" data-pane={pane}>
      <FleetSidebar current={id} />
      <PaneSwitch title={terminal.name} pane={pane} choose={setPane} />
      <TerminalPanel terminal={terminal} past={past} goLive={() => setVisit(visit + 1)} />
      <MachinePanes
        key={visit}
        onShow={setShown}
        actionId={action?.id ?? null}
        now={{ state: action?.state ?? null, deadlineMs: action?.deadlineMs ?? null }}
        over={action !== null && action.status !== 'InProgress'}
      />
    </div>
  );
}

/** The controls of one terminal: its action, its paper, its keys, the cards, its power and network. */
function TerminalPanel({
  terminal,
  past,
  goLive,
}: {
  terminal: FleetTerminal;
  /** The terminal at an earlier moment, shown in place of the present. */
  past: PastTerminal | undefined;
  goLive: () => void;
}) {
  const { state } = useDashboard();
  const controls = useTerminalControls(terminal);
  const { name, serialNumber, deviceType, simulated, online } = terminal;
  const controllable = simulated && state.mode.value === 'sandbox';
  return (
    <section class="terminal-panel" aria-label={`Terminal ${name}`}>
      <header class="terminal-panel-head">
        <a class="quiet square only-narrow" href="#/" aria-label="Back to fleet">
          <Icon name="back" />
        </a>
        <Led terminal={terminal} />
        <h1>{name}</h1>
        <span class="terminal-panel-presence">{online ? 'online' : 'offline'}</span>
        <p>
          {deviceType} · <span class="mono">{serialNumber}</span>
        </p>
      </header>
      <p class="history-link">
        <a href={hrefOf({ view: 'actions', id: terminal.id })}>All actions of this terminal</a>
      </p>
      {past ? (
        <PastPanel
          past={past}
          caption="The terminal as it was at the step shown"
          back={{ label: 'Back to now', go: goLive }}
        />
      ) : (
        <PresentControls terminal={terminal} controls={controls} controllable={controllable} />
      )}
    </section>
  );
}

function PresentControls({
  terminal,
  controls,
  controllable,
}: {
  terminal: FleetTerminal;
  controls: TerminalControls;
  controllable: boolean;
}) {
  const { action } = terminal;
  return (
    <>
      {/* First, so that a receipt moves neither the display nor the keys out of the window. */}
      {controllable ? (
        <Device terminal={terminal} controls={controls} />
      ) : (
        <PhysicalTerminal terminal={terminal} />
      )}
      {action && <ActionPanel terminal={terminal} action={action} controls={controls} />}
      {action?.status !== 'InProgress' && <StartForm terminal={terminal} controls={controls} />}
      {/* Where it prints at a printer beside it, the paper is there. */}
      {(!terminal.printer || action?.receiptPrintingSource === 'PointOfSale') && (
        <Receipt terminal={terminal} controls={controls} />
      )}
      <ReceiptPrinter terminal={terminal} controls={controls} controllable={controllable} />
      <Counter terminal={terminal} controls={controls} controllable={controllable} />
      {controllable && (
        <>
          <CardTray terminal={terminal} controls={controls} />
          <Switches terminal={terminal} controls={controls} />
        </>
      )}
    </>
  );
}

/** A physical terminal: its display as the terminal reports it, without controls. */
function PhysicalTerminal({ terminal }: { terminal: FleetTerminal }) {
  const { reader, simulated } = terminal;
  return (
    <section class="device real" aria-label="Device">
      <Display terminal={terminal} />
      <p class="device-note">
        {simulated
          ? 'With live keys, terminals are not simulated.'
          : `A physical reader${reader ? ` (${reader})` : ''}. Present cards and press keys on the device.`}
      </p>
    </section>
  );
}
