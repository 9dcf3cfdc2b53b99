import { useDashboard } from '../dashboard.ts';
import { addressOf } from '../places.ts';
import { writeAmount } from '../terminal/amount.ts';
import { amountOf, statusText } from '../wording.ts';
import { Led, Outcome } from './led.tsx';

/** One terminal of the fleet. Renders again only when that terminal changes. */
export function Tile({ id, first, current }: { id: string; first: boolean; current?: boolean }) {
  const { state } = useDashboard();
  const terminal = state.fleet.get(id)?.value;
  if (!terminal) return null;
  const { name, serialNumber, online, action } = terminal;
  const words = statusText(terminal);
  const active = action?.status === 'InProgress';
  const label = `${name}, ${online ? 'online' : 'offline'}, ${words}${action ? `, ${amountOf(action)}` : ''}`;
  return (
    <a
      class={`tile${active ? ' active' : ''}${online ? '' : ' offline'}`}
      href={addressOf({ view: 'terminal', id })}
      tabIndex={first ? 0 : -1}
      aria-label={label}
      aria-current={current ? 'true' : undefined}
      title={`${name} · ${serialNumber}\n${words}`}
    >
      <Led terminal={terminal} />
      <span class="tile-name">{name}</span>
      <span class="tile-amount">
        {action && writeAmount(action.amountMinor)}
        <span class="tile-currency"> {action?.currency}</span>
      </span>
      <span class="tile-state">{words}</span>
      <Outcome action={action} />
    </a>
  );
}
