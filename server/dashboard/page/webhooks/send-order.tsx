import { DottedName } from '../parts/names.tsx';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Delivery, DeliverySummary } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { formatMilliseconds } from '../format.ts';
import { Icon } from '../parts/icons.tsx';
import { AttemptResult } from './attempt-list.tsx';
import { moved } from './delivery-row.tsx';
import { timeText } from './endpoint-list.tsx';

interface SendOrderProps {
  deliveries: readonly DeliverySummary[];
  onChange: (deliveries: readonly DeliverySummary[]) => void;
  onClose: () => void;
}

/** What came of sending one: the delivery with its new attempt, or why it was not sent. */
type Outcome = 'sending' | Delivery | { problem: string };

/** Selected deliveries in the order in which they are sent again, one after the other, with their replies. */
export function SendOrder({ deliveries, onChange, onClose }: SendOrderProps) {
  const { api } = useDashboard();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [busy, setBusy] = useState(false);
  const stopped = useRef(false);
  const { list, move } = useMoves(deliveries, onChange);

  const send = async () => {
    const results = new Map<string, Outcome>();
    const set = (id: string, outcome: Outcome) => setOutcomes(new Map(results.set(id, outcome)));
    stopped.current = false;
    setBusy(true);
    for (const { id } of deliveries) {
      if (stopped.current) break;
      set(id, 'sending');
      const answer = await api.answer('POST /sandbox/deliveries/{deliveryId}/send', {
        params: { deliveryId: id },
      });
      set(id, answer.ok ? answer.body : { problem: answer.problem });
    }
    setBusy(false);
  };
  return (
    <div class="item-detail">
      <div class="detail-head delivery-head">
        <h1>Send again</h1>
        <button disabled={busy} onClick={onClose}>
          Close
        </button>
      </div>
      <p class="quiet-line">Each is sent once, after the reply to the one before.</p>
      <SortButtons deliveries={deliveries} busy={busy} onChange={onChange} />
      <ol class="send-order" ref={list}>
        {deliveries.map((delivery, index) => (
          <li key={delivery.id}>
            <OrderLine delivery={delivery} outcome={outcomes.get(delivery.id)} place={index + 1} />
            <OrderButtons
              delivery={delivery}
              busy={busy}
              onMove={(by) => move(index, by)}
              isFirst={index === 0}
              isLast={index === deliveries.length - 1}
              onRemove={() => onChange(deliveries.filter(({ id }) => id !== delivery.id))}
            />
          </li>
        ))}
      </ol>
      {deliveries.length === 0 && <p class="quiet-note">Select deliveries in the list.</p>}
      <div class="detail-buttons">
        <button class="primary" disabled={busy || deliveries.length === 0} onClick={send}>
          {busy ? 'Sending…' : `Send ${deliveries.length} in this order`}
        </button>
        {busy && <button onClick={() => (stopped.current = true)}>Stop</button>}
      </div>
      <p role="status" class="quiet-line">
        {summaryOf([...outcomes.values()], busy)}
      </p>
    </div>
  );
}

function SortButtons({
  deliveries,
  busy,
  onChange,
}: Pick<SendOrderProps, 'deliveries' | 'onChange'> & { busy: boolean }) {
  // Ids of events are in order of time.
  const oldestFirst = () => deliveries.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1));
  return (
    <div class="detail-buttons">
      <button disabled={busy} onClick={() => onChange(oldestFirst())}>
        Oldest first
      </button>
      <button disabled={busy} onClick={() => onChange(oldestFirst().toReversed())}>
        Newest first
      </button>
      <button disabled={busy} onClick={() => onChange(deliveries.toReversed())}>
        Reverse
      </button>
    </div>
  );
}

/** Moves deliveries, and keeps the focus on the button that moved one. */
function useMoves(deliveries: readonly DeliverySummary[], onChange: SendOrderProps['onChange']) {
  const list = useRef<HTMLOListElement>(null);
  const focused = useRef<{ id: string; by: 1 | -1 } | undefined>(undefined);
  useLayoutEffect(() => {
    if (!focused.current) return;
    const { id, by } = focused.current;
    focused.current = undefined;
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>('[data-move]') ?? [])];
    const ofDelivery = buttons.filter((button) => button.dataset['delivery'] === id && !button.disabled);
    (ofDelivery.find((button) => button.dataset['move'] === String(by)) ?? ofDelivery[0])?.focus();
  });
  const move = (index: number, by: 1 | -1) => {
    focused.current = { id: deliveries[index]!.id, by };
    onChange(moved(deliveries, index, by));
  };
  return { list, move };
}

interface OrderLineProps {
  delivery: DeliverySummary;
  outcome: Outcome | undefined;
  place: number;
}

function OrderLine({ delivery, outcome, place }: OrderLineProps) {
  const { eventType, objectId, url, createdTimestamp } = delivery;
  return (
    <div class="order-line">
      <b class="order-place">{place}</b>
      <b class="mono">
        <DottedName name={eventType} />
      </b>
      <time title="UTC">{timeText(createdTimestamp)}</time>
      <span class="mono order-about">{objectId}</span>
      <span class="mono order-about">{url}</span>
      {outcome !== undefined && (
        <span class="order-outcome">
          <OutcomeText outcome={outcome} />
        </span>
      )}
    </div>
  );
}

function OutcomeText({ outcome }: { outcome: Outcome }) {
  if (outcome === 'sending') return <>sending…</>;
  if ('problem' in outcome) return <span class="bad-words">{outcome.problem}</span>;
  const attempt = outcome.attemptLog.at(-1)!;
  return (
    <>
      <AttemptResult attempt={attempt} /> {formatMilliseconds(attempt.elapsedMs)}
      {attempt.problem !== null && <span class="bad-words"> {attempt.problem}</span>}
      {attempt.reply !== null && attempt.reply.body !== '' && (
        <code class="clip order-reply">{attempt.reply.body.slice(0, 200)}</code>
      )}
    </>
  );
}

interface OrderButtonsProps {
  delivery: DeliverySummary;
  busy: boolean;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

function OrderButtons({ delivery, busy, isFirst, isLast, onMove, onRemove }: OrderButtonsProps) {
  const { id, eventType, objectId } = delivery;
  const what = `${eventType} of ${objectId}`;
  return (
    <div class="order-buttons">
      <button
        class="quiet square small"
        data-delivery={id}
        data-move="-1"
        aria-label={`Move ${what} up`}
        title="Move up"
        disabled={busy || isFirst}
        onClick={() => onMove(-1)}
      >
        <Icon name="up" size={14} />
      </button>
      <button
        class="quiet square small"
        data-delivery={id}
        data-move="1"
        aria-label={`Move ${what} down`}
        title="Move down"
        disabled={busy || isLast}
        onClick={() => onMove(1)}
      >
        <Icon name="down" size={14} />
      </button>
      <button
        class="quiet square small"
        aria-label={`Remove ${what}`}
        title="Remove"
        disabled={busy}
        onClick={onRemove}
      >
        <Icon name="close" size={14} />
      </button>
    </div>
  );
}

function summaryOf(outcomes: readonly Outcome[], busy: boolean): string {
  if (outcomes.length === 0) return '';
  const sent = outcomes.filter(
    (outcome): outcome is Delivery => typeof outcome === 'object' && 'attemptLog' in outcome,
  );
  const accepted = sent.filter(({ attemptLog }) => {
    const status = attemptLog.at(-1)?.reply?.status ?? 0;
    return status >= 200 && status < 300;
  });
  return `${sent.length} sent, ${accepted.length} accepted${busy ? '' : '.'}`;
}
