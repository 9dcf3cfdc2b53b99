import type { ActionView, FleetTerminal } from '../../view.ts';
import { Icon } from '../parts/icons.tsx';

/** The status of a terminal as a light: a ring when offline, filled when online, with a halo during an action. */
export function Led({ terminal: { online, action } }: { terminal: FleetTerminal }) {
  const working = action?.status === 'InProgress';
  return <i class={`led ${online ? (working ? 'working' : 'on') : 'off'}`} aria-hidden="true" />;
}

const ICONS = { Succeeded: 'check', Failed: 'cross', Cancelled: 'slash' } as const;
const TONES = { Succeeded: 'good', Failed: 'bad', Cancelled: 'plain' } as const;

/** The outcome of the last action, by shape and colour. */
export function Outcome({ action }: { action: ActionView | null }) {
  if (!action || action.status === 'InProgress') return <span class="outcome" />;
  return (
    <span class={`outcome ${TONES[action.status]}`}>
      <Icon name={ICONS[action.status]} size={14} />
    </span>
  );
}
