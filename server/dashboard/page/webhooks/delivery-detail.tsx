import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Delivery } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { formatCountdown } from '../format.ts';
import { problem as toast, type ApiResult, inOrder } from '../link/api.ts';
import { type PlanStrike, StruckNote } from '../faults/strikes.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icons.tsx';
import { ObjectLink, ObjectLinks, DottedName } from '../parts/names.tsx';
import { StatusPill } from '../requests/request-row.tsx';
import { hrefOf } from '../route.ts';
import { now } from '../time.ts';
import { AttemptList } from './attempt-list.tsx';
import { deliveryIdOf, DeliveryPill } from './delivery-row.tsx';
import type { DeliveryFilters } from '../list-filters.ts';
import { timeText } from './endpoint-list.tsx';
import { SignedBody } from './signed-body.tsx';

interface DeliveryDetailProps {
  id: string;
  filters: DeliveryFilters;
  /** What struck its attempts. */
  strikes: readonly PlanStrike[];
}

/** A delivery with what caused it, its signature, its body, and what each attempt sent and got. */
export function DeliveryDetail({ id, filters, strikes }: DeliveryDetailProps) {
  const { api, link, state } = useDashboard();
  const [delivery, setDelivery] = useState<Delivery | string | undefined>();
  const [busy, setBusy] = useState(false);
  const online = link.value.kind === 'online';
  const params = { deliveryId: id };
  const lastAttempt = state.attempts.value.findLast((attempt) => deliveryIdOf(attempt) === id);
  const show = useMemo(
    () => inOrder((answer: ApiResult<Delivery>) => setDelivery(answer.ok ? answer.body : answer.problem)),
    [],
  );
  useEffect(() => {
    if (online) void show(api.answer('GET /sandbox/deliveries/{deliveryId}', { params }));
  }, [id, online, lastAttempt]);
  const send = async () => {
    setBusy(true);
    const answer = await api.answer('POST /sandbox/deliveries/{deliveryId}/send', { params });
    if (answer.ok) setDelivery(answer.body);
    toast.value = answer.ok ? undefined : answer.problem;
    setBusy(false);
  };
  return (
    <div class="item-detail">
      <a class="detail-back" href={hrefOf({ view: 'webhooks', filters })}>
        <Icon name="back" size={14} />
        All deliveries
      </a>
      {typeof delivery !== 'object' && <h1 class="unseen">Delivery {id}</h1>}
      {typeof delivery === 'string' && <p class="quiet-note">{delivery}</p>}
      {typeof delivery === 'object' && (
        <>
          <header class="detail-head delivery-head">
            <DeliveryPill status={delivery.status} />
            <h1 class="mono">
              <DottedName name={delivery.eventType} />
            </h1>
            <button disabled={busy || !delivery.endpoint.active} onClick={send}>
              <Icon name="again" size={14} />
              {busy ? 'Sending…' : 'Send again'}
            </button>
          </header>
          <StruckNote strikes={strikes} />
          <Facts delivery={delivery} />
          <AttemptList delivery={delivery} />
          <SignedBody delivery={delivery} />
        </>
      )}
    </div>
  );
}

function Facts({ delivery }: { delivery: Delivery }) {
  const { eventId, objectId, objectIds, accountId, url, endpoint, createdTimestamp } = delivery;
  const others = objectIds.filter((each) => each !== objectId && each !== accountId);
  const facts: [string, preact.ComponentChildren][] = [
    ['Caused by', <Cause delivery={delivery} />],
    ['Object', <ObjectLink id={objectId} />],
    ...(others.length === 0 ? [] : [['Also about', <ObjectLinks ids={others} />] as [string, preact.VNode]]),
    [
      'Event',
      <>
        {eventId} <CopyButton text={eventId} what="id of the event" />
      </>,
    ],
    ['Recorded', `${timeText(createdTimestamp)} UTC`],
    ['Account', accountId],
    ['Endpoint', `${url}${endpoint.deleted ? ' (deleted)' : endpoint.active ? '' : ' (inactive)'}`],
    ...nextFact(delivery),
  ];
  return (
    <dl class="detail-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="mono">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function nextFact({ nextAttemptTimestamp: next }: Delivery): [string, string][] {
  if (next === null) return [];
  const leftMs = next * 1000 - now.value;
  return [['Next attempt', leftMs > 0 ? `${timeText(next)} UTC, in ${formatCountdown(leftMs)}` : 'now']];
}

/** The request that caused the event, with a link to it. */
function Cause({ delivery: { request, objectId } }: { delivery: Delivery }) {
  if (request === null) return <span class="quiet-line">no stored request</span>;
  const { id, method, path, status, whileItRan } = request;
  return (
    <>
      <a href={hrefOf({ view: 'requests', id })}>
        {method} {path}
      </a>{' '}
      <StatusPill status={status} />
      {!whileItRan && <span class="quiet-line cause-note">the latest request about {objectId} before</span>}
    </>
  );
}
