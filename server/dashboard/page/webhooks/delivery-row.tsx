import type { DeliverySummary, WebhookAttempt } from '../../view.ts';
import { formatCountdown } from '../format.ts';
import { type PlanStrike, StruckMark } from '../faults/strikes.tsx';
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

/** Returns deliveries as they are after the attempts that were made since they were listed. */
export function afterAttempts(
  listed: readonly DeliverySummary[],
  attempts: readonly WebhookAttempt[],
): DeliverySummary[] {
  const latest = new Map(attempts.map((attempt) => [deliveryIdOf(attempt), attempt]));
  return listed.map((delivery) => {
    const attempt = latest.get(delivery.id);
    return attempt && attempt.attempt > delivery.attempts ? afterAttempt(delivery, attempt) : delivery;
  });
}

export function deliveryIdOf({ eventId, webhookId }: WebhookAttempt): string {
  return `${eventId}.${webhookId}`;
}

function afterAttempt(
  delivery: DeliverySummary,
  { attempt, atMs, answer, acknowledged, nextMs }: WebhookAttempt,
): DeliverySummary {
  const lastAttemptTimestamp = Math.floor(atMs / 1000);
  const nextAttemptTimestamp = nextMs === null ? null : Math.ceil(nextMs / 1000);
  const attempted = { ...delivery, attempts: attempt, lastResult: answer, lastAttemptTimestamp };
  if (acknowledged) return { ...attempted, status: 'Delivered', nextAttemptTimestamp };
  if (nextMs !== null) return { ...attempted, status: 'Retrying', nextAttemptTimestamp };
  // A failure by hand does not undo an earlier success.
  const status = delivery.status === 'Delivered' ? 'Delivered' : 'Failed';
  return { ...attempted, status, nextAttemptTimestamp };
}

/** Returns a list with an item moved by a number of places, as far as there are places. */
export function moved<Item>(items: readonly Item[], from: number, by: number): Item[] {
  const to = Math.min(items.length - 1, Math.max(0, from + by));
  const others = items.toSpliced(from, 1);
  return others.toSpliced(to, 0, items[from]!);
}
