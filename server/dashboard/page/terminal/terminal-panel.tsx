import type { FleetTerminal } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { Led } from '../fleet/led.tsx';
import { Icon } from '../parts/icons.tsx';
import { ActionPanel } from './action-panel.tsx';
import { CardTray } from './card-tray.tsx';
import { Device } from './device.tsx';
import { Paper } from './paper.tsx';
import { RealTerminal } from './real-terminal.tsx';
import { StartForm } from './start-form.tsx';
import { Switches } from './switches.tsx';
import { useDeeds } from './use-terminal.ts';

/** The terminal as a thing to be used: what it does, its paper, its keys, the cards, its plugs. */
export function TerminalPanel({ terminal }: { terminal: FleetTerminal }) {
  const { state } = useDashboard();
  const deeds = useDeeds(terminal);
  const { name, serialNumber, deviceType, simulated, online, action } = terminal;
  const inHand = simulated && state.mode.value === 'sandbox';
  return (
    <section class="terminal-panel" aria-label={`Terminal ${name}`}>
      <header class="terminal-panel-head">
        <a class="quiet square only-narrow" href="#/" aria-label="To the fleet">
          <Icon name="back" />
        </a>
        <Led terminal={terminal} />
        <h1>{name}</h1>
        <span class="terminal-panel-presence">{online ? 'online' : 'offline'}</span>
        <p>
          {deviceType} · <span class="mono">{serialNumber}</span>
        </p>
      </header>
      {action && <ActionPanel terminal={terminal} action={action} deeds={deeds} />}
      {action?.status !== 'InProgress' && <StartForm terminal={terminal} deeds={deeds} />}
      <Paper terminal={terminal} deeds={deeds} />
      {inHand ? (
        <>
          <Device terminal={terminal} deeds={deeds} />
          <CardTray terminal={terminal} deeds={deeds} />
          <Switches terminal={terminal} deeds={deeds} />
        </>
      ) : (
        <RealTerminal terminal={terminal} />
      )}
    </section>
  );
}
