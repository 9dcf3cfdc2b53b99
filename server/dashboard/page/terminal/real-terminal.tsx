import type { FleetTerminal } from '../../view.ts';
import { Display } from './display.tsx';

/** A physical terminal: its display as the terminal reports it, without controls. */
export function RealTerminal({ terminal }: { terminal: FleetTerminal }) {
  const { reader, simulated } = terminal;
  return (
    <section class="device real" aria-label="Device">
      <Display terminal={terminal} typed={0} />
      <p class="device-note">
        {simulated
          ? 'With live keys nothing is simulated.'
          : `A real reader${reader ? ` (${reader})` : ''}: cards, keys and plugs are where it stands.`}
      </p>
    </section>
  );
}
