import { useDashboard } from '../dashboard.ts';
import { hrefOf } from '../route.ts';
import { formatMajorUnits } from '../terminal/amount.ts';
import { amountOf, statusText } from '../format.ts';
import { Led, Outcome } from './led.tsx';

/** One terminal of the fleet. Renders again only when that terminal changes. */
export function Tile({ id, first, current }: { id: string; first: boolean; current?: boolean }) {
  const { state } = useDashboard();
  const terminal = state.fleet.get(id)?.value;
  if (!terminal) return null;
  const { name, serialNumber, online, action } = terminal;
  const status = statusText(terminal);
  const active = action?.status === 'InProgress';
  // In the order of the texts that it shows, so that speech input finds it by them (WCAG 2.2 §2.5.3).
  const texts = [name, ...(action ? [amountOf(action)] : []), status, online ? 'online' : 'offline'];
  return (
    <a
      class={`tile${active ? ' active' : ''}${online ? '' : ' offline'}`}
      href={hrefOf({ view: 'terminal', id })}
      tabIndex={first ? 0 : -1}
      aria-label={texts.join(', ')}
      aria-current={current ? 'true' : undefined}
      title={`${name} · ${serialNumber}\n${status}`}
    >
      <Led terminal={terminal} />
      <span class="tile-name">{name}</span>
      <span class="tile-amount">
        {action && formatMajorUnits(action.amountMinor)}
        <span class="tile-currency"> {action?.currency}</span>
      </span>
      <span class="tile-state">{status}</span>
      <Outcome action={action} />
    </a>
  );
}
