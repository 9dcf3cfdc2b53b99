import { useDashboard } from '../dashboard.ts';
import { hrefOf } from '../route.ts';
import { formatMajorUnits, statusText } from '../format.ts';
import type { ActionView, FleetTerminal } from '../../view.ts';
import { Icon } from '../parts/icons.tsx';

/** One terminal of the fleet. Renders again only when that terminal changes. */
export function Tile({ id, first, current }: { id: string; first: boolean; current?: boolean }) {
  const { state } = useDashboard();
  const terminal = state.fleet.get(id)?.value;
  if (!terminal) return null;
  const { name, serialNumber, online, action } = terminal;
  const status = statusText(terminal);
  const active = action?.status === 'InProgress';
  const [start, number] = splitName(name);
  // Its name for assistive technology is its text, so that speech input finds it by what it shows (WCAG 2.2 §2.5.3).
  return (
    <a
      class={`tile${active ? ' active' : ''}${online ? '' : ' offline'}`}
      href={hrefOf({ view: 'terminal', id })}
      tabIndex={first ? 0 : -1}
      aria-current={current ? 'true' : undefined}
      title={`${name} · ${serialNumber}\n${status}`}
    >
      <Led terminal={terminal} />
      <span class="tile-name">
        <span>{start}</span>
        {number}
      </span>
      <Comma />
      {action && (
        <>
          <span class="tile-amount">
            {formatMajorUnits(action.amountMinor)}
            <span class="tile-currency"> {action.currency}</span>
          </span>
          <Comma />
        </>
      )}
      <span class="tile-state">{status}</span>
      {status !== 'offline' && <span class="unseen">, {online ? 'online' : 'offline'}</span>}
      <Outcome action={action} />
    </a>
  );
}

function Comma() {
  return <span class="unseen">, </span>;
}

/** The status of a terminal as a light: a ring when offline, filled when online, with a halo during an action. */
export function Led({ terminal: { online, action } }: { terminal: FleetTerminal }) {
  const working = action?.status === 'InProgress';
  return <i class={`led ${online ? (working ? 'working' : 'on') : 'off'}`} aria-hidden="true" />;
}

const ICONS = { Succeeded: 'check', Failed: 'cross', Cancelled: 'slash' } as const;
const TONES = { Succeeded: 'good', Failed: 'bad', Cancelled: 'plain' } as const;

/** The outcome of the last action, by shape and colour. */
function Outcome({ action }: { action: ActionView | null }) {
  if (!action || action.status === 'InProgress') return <span class="outcome" />;
  return (
    <span class={`outcome ${TONES[action.status]}`}>
      <Icon name={ICONS[action.status]} size={14} />
    </span>
  );
}

// More digits than a fleet has terminals.
const DIGITS_MAX = 6;

/** Splits a name before the number at its end, which distinguishes it from others and is never clipped. */
export function splitName(name: string): [start: string, number: string] {
  const digits = /\d*$/.exec(name)![0].slice(-DIGITS_MAX);
  return [name.slice(0, name.length - digits.length), digits];
}
