import { useDashboard } from '../dashboard.ts';
import { hrefOf } from '../route.ts';
import { formatMajorUnits } from '../amount.ts';
import { statusText } from '../format.ts';
import { Led, Outcome } from './led.tsx';
import { splitName } from './split-name.ts';

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
