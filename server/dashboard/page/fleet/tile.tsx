import { useDashboard } from '../dashboard.ts';
import { hrefOf } from '../route.ts';
import { formatMajorUnits } from '../terminal/amount.ts';
import { statusText } from '../format.ts';
import { Led, Outcome } from './led.tsx';

/** One terminal of the fleet. Renders again only when that terminal changes. */
export function Tile({ id, first, current }: { id: string; first: boolean; current?: boolean }) {
  const { state } = useDashboard();
  const terminal = state.fleet.get(id)?.value;
  if (!terminal) return null;
  const { name, serialNumber, online, action } = terminal;
  const status = statusText(terminal);
  const active = action?.status === 'InProgress';
  return (
    <a
      class={`tile${active ? ' active' : ''}${online ? '' : ' offline'}`}
      href={hrefOf({ view: 'terminal', id })}
      tabIndex={first ? 0 : -1}
      aria-current={current ? 'true' : undefined}
      title={`${name} · ${serialNumber}\n${status}`}
    >
      <Led terminal={terminal} />
      <span class="tile-name">{name}</span>{' '}
      <span class="tile-amount">
        {action && formatMajorUnits(action.amountMinor)}
        <span class="tile-currency"> {action?.currency}</span>
      </span>{' '}
      <span class="tile-state">{status}</span>
      {/* The name of the link is what it shows, in every layout (WCAG 2.2 §2.5.3), and what only the light says. */}
      <span class="unseen">, {online ? 'online' : 'offline'}</span>
      <Outcome action={action} />
    </a>
  );
}
