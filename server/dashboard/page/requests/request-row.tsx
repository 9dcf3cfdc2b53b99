import type { RequestSummary } from '../../view.ts';
import { formatMilliseconds, formatTime } from '../format.ts';
import { hrefOf } from '../route.ts';
import type { RequestFilters } from '../list-filters.ts';
import { type PlanStrike, StruckMark } from '../faults/strikes.tsx';
import { IgnoredKeyMark } from './ignored-key.tsx';

interface RequestRowProps {
  item: RequestSummary;
  isOpen: boolean;
  filters: RequestFilters;
  /** What struck it. */
  strikes: readonly PlanStrike[];
}

/** A request in a list; opens it with the filters of the list. */
export function RequestRow({ item, isOpen, filters, strikes }: RequestRowProps) {
  const { id, method, path, status, receivedTimestamp, elapsedMs } = item;
  return (
    <li>
      <a
        class="request-row"
        href={hrefOf({ view: 'requests', id, filters })}
        aria-current={isOpen ? 'true' : undefined}
      >
        <StatusPill status={status} />
        <b class="mono">{method}</b>
        <span class="request-path mono clip" title={path}>
          <StruckMark strikes={strikes} />
          <IgnoredKeyMark item={item} />
          {shortPath(path)}
        </span>
        <span class="request-elapsed">{formatMilliseconds(elapsedMs)}</span>
        <time title="UTC">{formatTime(receivedTimestamp * 1000)}</time>
      </a>
    </li>
  );
}

// What begins an id, and its end: of a ULID, of two, or of a UUID.
const IDS = /([a-z]+_)[0-9A-Za-z_-]{16,}([0-9A-Za-z]{4})(?=\/|$)/g;

/** Returns a path with each id shortened, so that the operation after it is in view: `/v1/customers/cus_…5XP5`. */
export function shortPath(path: string): string {
  return path.replaceAll(IDS, '$1…$2');
}

/** The status of a reply, coloured by its class. */
export function StatusPill({ status }: { status: number | null }) {
  const tone = status === null || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good';
  return <span class={`pill ${tone}`}>{status ?? 'closed'}</span>;
}
