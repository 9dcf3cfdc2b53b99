import { useEffect, useState } from 'preact/hooks';
import type { DeliverySummary } from '../../view.ts';
import { useDashboard, useWatch } from '../dashboard.ts';
import { strikesOf, strikesOn, type PlanStrike } from '../faults/strikes.tsx';
import { useFaultPlans } from '../faults/fault-plans.ts';
import { FilterForm } from '../parts/filter-form.tsx';
import { useLiveList } from '../parts/live-list.ts';
import { navigate } from '../routing.ts';
import { afterAttempts, DeliveryRow } from './delivery-row.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import { deliveryQuery, type DeliveryFilters } from '../list-filters.ts';
import { EndpointList, useEndpoints } from './endpoint-list.tsx';
import { SendOrder } from './send-order.tsx';

const STATUSES = [
  { status: '', label: 'All' },
  { status: 'Retrying', label: 'Retrying' },
  { status: 'Failed', label: 'Failed' },
  { status: 'Delivered', label: 'Delivered' },
] as const;

/** The webhook endpoints with their health, the deliveries to them, and one of these with its attempts. */
export function WebhooksView({ id, filters }: { id: string | undefined; filters: DeliveryFilters }) {
  const { api, link, state } = useDashboard();
  useWatch(null);
  const endpoints = useEndpoints(true);
  const query = deliveryQuery(filters);
  const online = link.value.kind === 'online';
  const list = useLiveList<DeliverySummary>(api, { path: '/sandbox/deliveries', query, online });
  const strikes = strikesOf(useFaultPlans().plans);
  const [selected, select] = useState<readonly DeliverySummary[]>([]);
  const [orderedAt, setOrderedAt] = useState<{ id: string | undefined } | undefined>();
  // Opening a delivery closes the order.
  const isOrdering = orderedAt !== undefined && orderedAt.id === id;
  useEffect(() => {
    document.title = 'Webhooks · Tapbench';
  }, []);
  const items = list.items && afterAttempts(list.items, state.attempts.value);
  const hasMain = id !== undefined || isOrdering;
  const Title = hasMain ? 'h2' : 'h1';
  return (
    <section class={hasMain ? 'list-page with-detail' : 'list-page'} aria-labelledby="webhooks-title">
      <div class="list-side">
        <div class="view-head">
          <Title id="webhooks-title">Webhooks</Title>
          <StatusButtons filters={filters} />
          {endpoints && <EndpointList endpoints={endpoints} filters={filters} />}
          <FilterForm
            key={query}
            fields={FIELDS}
            filters={filters}
            onFilter={(next) => navigate({ view: 'webhooks', filters: next })}
          />
        </div>
        {list.problem !== undefined && <p class="quiet-note bad-words">{list.problem}</p>}
        {items?.length === 0 && list.problem === undefined && (
          <p class="quiet-note">{query ? 'No delivery fits these filters.' : 'No deliveries yet.'}</p>
        )}
        {items !== undefined && items.length > 0 && (
          <DeliveryItems
            items={items}
            filters={filters}
            openId={isOrdering ? undefined : id}
            selected={selected}
            select={select}
            strikes={strikes}
          />
        )}
        {list.loadOlder && (
          <button class="older" onClick={() => void list.loadOlder?.()}>
            Show older deliveries
          </button>
        )}
        <Selection selected={selected} onSend={() => setOrderedAt({ id })} onClear={() => select([])} />
      </div>
      {isOrdering ? (
        <SendOrder deliveries={selected} onChange={select} onClose={() => setOrderedAt(undefined)} />
      ) : id === undefined ? (
        <p class="quiet-note list-hint">
          Select a delivery to see what was sent, how it was signed and what came back.
        </p>
      ) : (
        <DeliveryDetail id={id} filters={filters} strikes={strikesOn(strikes, id.split('.'))} key={id} />
      )}
    </section>
  );
}

interface ItemsProps {
  items: readonly DeliverySummary[];
  filters: DeliveryFilters;
  openId: string | undefined;
  selected: readonly DeliverySummary[];
  select: (deliveries: readonly DeliverySummary[]) => void;
  strikes: readonly PlanStrike[];
}

function DeliveryItems({ items, filters, openId, selected, select, strikes }: ItemsProps) {
  const isSelected = ({ id }: DeliverySummary) => selected.some((each) => each.id === id);
  const toggle = (delivery: DeliverySummary) =>
    select(isSelected(delivery) ? selected.filter(({ id }) => id !== delivery.id) : [...selected, delivery]);
  return (
    <ul class="item-list delivery-list" aria-label="Deliveries, newest first">
      {items.map((delivery) => (
        <DeliveryRow
          key={delivery.id}
          delivery={delivery}
          filters={filters}
          isOpen={delivery.id === openId}
          isSelected={isSelected(delivery)}
          onSelect={() => toggle(delivery)}
          strikes={strikesOn(strikes, [delivery.eventId, delivery.webhookId])}
        />
      ))}
    </ul>
  );
}

interface SelectionProps {
  selected: readonly DeliverySummary[];
  onSend: () => void;
  onClear: () => void;
}

function Selection({ selected, onSend, onClear }: SelectionProps) {
  if (selected.length === 0) return null;
  return (
    <div class="selection" role="group" aria-label="Selected deliveries">
      <b>{selected.length} selected</b>
      <button class="primary" onClick={onSend}>
        Send again…
      </button>
      <button onClick={onClear}>Clear</button>
    </div>
  );
}

function StatusButtons({ filters }: { filters: DeliveryFilters }) {
  return (
    <div class="segments" role="group" aria-label="Status">
      {STATUSES.map(({ status, label }) => (
        <button
          key={label}
          aria-pressed={(filters.status ?? '') === status}
          onClick={() => navigate({ view: 'webhooks', filters: { ...filters, status } })}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

const FIELDS = [
  { name: 'event', label: 'Event', placeholder: 'captured, ev_…' },
  { name: 'object', label: 'Object', placeholder: 'ps_… cus_…' },
  { name: 'reply', label: 'Reply', placeholder: '500, 5xx, none' },
  { name: 'text', label: 'Text', placeholder: 'in body or reply' },
] as const;
