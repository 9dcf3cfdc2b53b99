import type { FleetTerminal } from '../../view.ts';
import { Display } from './display.tsx';

/** A physical terminal: its display as the terminal reports it, without controls. */
export function PhysicalTerminal({ terminal }: { terminal: FleetTerminal }) {
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
