import type { FleetTerminal } from '../../view.ts';
import { Display } from './display.tsx';

/** A terminal that stands somewhere: its display as it was told, and nothing to press. */
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
