import type { ActionView, FleetTerminal } from '../../view.ts';
import { Icon } from '../parts/icons.tsx';

/** Presence and work as a light: a ring when it is away, full when it is there, with a halo while it works. */
export function Led({ terminal: { online, action } }: { terminal: FleetTerminal }) {
  const working = action?.status === 'InProgress';
  return <i class={`led ${online ? (working ? 'working' : 'on') : 'off'}`} aria-hidden="true" />;
}

const ICONS = { Succeeded: 'check', Failed: 'cross', Cancelled: 'slash' } as const;
const TONES = { Succeeded: 'good', Failed: 'bad', Cancelled: 'plain' } as const;

/** How the last action ended, by form and colour. */
export function Outcome({ action }: { action: ActionView | null }) {
  if (!action || action.status === 'InProgress') return <span class="outcome" />;
  return (
    <span class={`outcome ${TONES[action.status]}`}>
      <Icon name={ICONS[action.status]} size={14} />
    </span>
  );
}
