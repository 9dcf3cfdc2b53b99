import type { RequestSummary } from '../../view.ts';
import { formatMilliseconds, formatTime } from '../format.ts';
import { hrefOf } from '../route.ts';
import type { RequestFilters } from '../list-filters.ts';
import type { PlanStrike } from '../faults/plan-strikes.ts';
import { StruckMark } from '../faults/struck-mark.tsx';
import { IgnoredKeyMark } from './ignored-key.tsx';
import { shortPath } from './short-path.ts';
import { StatusPill } from './status-pill.tsx';

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
