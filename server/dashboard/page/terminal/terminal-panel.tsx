import type { FleetTerminal } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { Led } from '../fleet/tile.tsx';
import { Icon } from '../parts/icons.tsx';
import { ActionPanel } from './action-panel.tsx';
import { CardTray } from './card-tray.tsx';
import { Device } from './device.tsx';
import { Receipt } from './receipt.tsx';
import { StartForm } from './start-form.tsx';
import { Switches } from './switches.tsx';
import { hrefOf } from '../route.ts';
import { PastPanel } from './past-panel.tsx';
import type { PastTerminal } from './terminal-at.ts';
import { useTerminalControls, type TerminalControls } from './use-terminal.ts';
import { Display } from './display.tsx';

/** The controls of one terminal: its action, its paper, its keys, the cards, its power and network. */
export function TerminalPanel({
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
      <Receipt terminal={terminal} controls={controls} />
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
