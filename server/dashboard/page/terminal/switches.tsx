import type { FleetTerminal } from '../../view.ts';
import { Icon, type IconName } from '../parts/icons.tsx';
import type { TerminalControls } from './use-terminal.ts';

const ROLL_SHEETS = 1_000;

/** Switches for the power, the network and the paper of a simulated terminal. */
export function Switches({
  terminal,
  controls,
}: {
  terminal: FleetTerminal;
  /** Absent at an earlier moment: the switches then only show how they stood. */
  controls?: TerminalControls;
}) {
  const { deviceState, printer } = terminal;
  // Until the simulator has answered once, a terminal that is online is assumed to have power and network.
  const power = deviceState?.power ?? 'on';
  const network = deviceState?.network ?? (terminal.online ? 'on' : 'off');
  const paper = printer ? printer.paper !== 'out' : (deviceState?.paperSheets ?? 1) > 0;
  const flip = (state: 'on' | 'off') => ({ state: state === 'on' ? 'off' : 'on' });
  return (
    <section class="switches" aria-label="Power, network and paper">
      <Switch
        icon="power"
        label="Power"
        on={power === 'on'}
        flip={controls && (() => controls.act('power', flip(power)))}
      />
      <Switch
        icon="network"
        label="Network"
        on={network === 'on'}
        flip={controls && (() => controls.act('network', flip(network)))}
      />
      <Switch
        icon="paper"
        label="Paper"
        on={paper}
        title={deviceState && `${deviceState.paperSheets} sheets`}
        flip={controls && (() => controls.act('paper', { sheets: paper ? 0 : ROLL_SHEETS }))}
      />
    </section>
  );
}

interface SwitchProps {
  icon: IconName;
  label: string;
  on: boolean;
  title?: string | undefined;
  flip: (() => void) | undefined;
}

function Switch({ icon, label, on, title, flip }: SwitchProps) {
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={on}
      title={title}
      disabled={!flip}
      onClick={flip}
    >
      <Icon name={icon} />
      {label}
      <i class="switch-track" aria-hidden="true" />
    </button>
  );
}
