import type { DeliverySummary } from '../../view.ts';
import { formatCountdown } from '../format.ts';
import type { PlanStrike } from '../faults/plan-strikes.ts';
import { StruckMark } from '../faults/struck-mark.tsx';
import { hrefOf } from '../route.ts';
import { now } from '../time.ts';
import type { DeliveryFilters } from '../list-filters.ts';
import { timeText } from './endpoint-list.tsx';

const TONES = { Delivered: 'good', Retrying: 'warn', Failed: 'bad', Pending: 'plain' } as const;

interface DeliveryRowProps {
  delivery: DeliverySummary;
  filters: DeliveryFilters;
  isOpen: boolean;
  isSelected: boolean;
  onSelect: () => void;
  /** What struck its attempts. */
  strikes: readonly PlanStrike[];
}

export function DeliveryRow({ delivery, filters, isOpen, isSelected, onSelect, strikes }: DeliveryRowProps) {
  const { id, eventType, objectId, url, createdTimestamp } = delivery;
  return (
    <li>
      <label class="delivery-select">
        <input type="checkbox" checked={isSelected} onChange={onSelect} />
        <span class="unseen">
          Select {eventType} of {objectId} to {url}
        </span>
      </label>
      <a href={hrefOf({ view: 'webhooks', id, filters })} aria-current={isOpen ? 'true' : undefined}>
        <DeliveryPill status={delivery.status} />
        <b class="mono clip" title={eventType}>
          {eventType}
        </b>
        <time title="UTC">{timeText(createdTimestamp)}</time>
        <span class="mono clip delivery-about" title={`${objectId} to ${url}`}>
          {objectId} → {url.replace(/^https?:\/\//, '')}
        </span>
        <span class="delivery-result clip">
          <StruckMark strikes={strikes} /> <Result delivery={delivery} />
        </span>
      </a>
    </li>
  );
}

export function DeliveryPill({ status }: Pick<DeliverySummary, 'status'>) {
  return <span class={`pill ${TONES[status]}`}>{status.toLowerCase()}</span>;
}

/** What the last attempt got, how many there were, and when the next one is due. */
function Result({
  delivery: { attempts, lastResult, nextAttemptTimestamp: next },
}: {
  delivery: DeliverySummary;
}) {
  const leftMs = next === null ? undefined : next * 1000 - now.value;
  return (
    <>
      {lastResult}
      {attempts > 1 && ` · ${attempts} attempts`}
      {leftMs !== undefined && ` · ${leftMs > 0 ? `retry in ${formatCountdown(leftMs)}` : 'due now'}`}
    </>
  );
}
