import { formatMinor } from '../../../../protocol/money.ts';
import { formatDate, formatTime } from '../format.ts';
import { hrefOf } from '../route.ts';
import type { ObjectFilters } from '../list-filters.ts';
import type { ObjectSummary } from './stored-object.ts';
import { toneOf } from './object-kinds.ts';

interface ObjectRowProps {
  item: ObjectSummary;
  isOpen: boolean;
  filters: ObjectFilters;
}

/** An object in a list; opens it with the filters of the list. */
export function ObjectRow({ item, isOpen, filters }: ObjectRowProps) {
  const { id, label, status, createdTimestamp, deleted } = item;
  const amount = amountOf(item);
  return (
    <li>
      <a href={hrefOf({ view: 'objects', id, filters })} aria-current={isOpen ? 'true' : undefined}>
        <span class="object-name">
          <b class={label === null ? 'mono clip' : 'clip'}>{label ?? id}</b>
          {label !== null && <span class="mono clip">{id}</span>}
        </span>
        <span class="object-amount">{amount}</span>
        <span class="object-status">
          {status !== null && <ObjectStatus status={status} />}
          {deleted && <span class="pill bad">deleted</span>}
        </span>
        {createdTimestamp !== null && (
          <time title={`${formatDate(createdTimestamp * 1000)} UTC`}>
            {formatTime(createdTimestamp * 1000)}
          </time>
        )}
      </a>
    </li>
  );
}

/** Returns the amount of an object with its currency; undefined for one without an amount. */
export function amountOf({ amount, currency }: ObjectSummary): string | undefined {
  return amount === null || currency === null ? undefined : formatMinor(amount, currency);
}

/** The status of an object, coloured by what it means. */
export function ObjectStatus({ status }: { status: string }) {
  return <span class={`pill ${toneOf(status)}`.trimEnd()}>{status}</span>;
}
