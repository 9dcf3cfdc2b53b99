import { useEffect, useMemo, useState } from 'preact/hooks';
import { useDashboard, useWatch } from '../dashboard.ts';
import type { Delivery } from './deliveries.ts';
import { loadDeliveries, knownDeliveries } from './known-deliveries.ts';
import { DeliveryRow } from './delivery-row.tsx';

type StatusFilter = 'all' | Delivery['status'];
const FILTERS: { id: StatusFilter; label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'retrying', label: 'Retrying' },
  { id: 'failed', label: 'Failed' },
  { id: 'delivered', label: 'Delivered' },
];

/** The webhook deliveries: their events, their attempts and the time of the next retry. */
export function WebhooksView() {
  const { state, api, link } = useDashboard();
  useWatch(null);
  const online = link.value.kind === 'online';
  useEffect(() => {
    document.title = 'Webhooks · Tapbench';
    // A reset deletes the deliveries and empties the list of attempts, so they are loaded again then.
    if (online) void loadDeliveries(api);
  }, [online, state.attempts.value.length === 0]);
  const [shown, show] = useState<StatusFilter>('all');
  const deliveries = useMemo(() => knownDeliveries(state), [state]).value;
  const rows = shown === 'all' ? deliveries : deliveries.filter(({ status }) => status === shown);
  const count = (id: StatusFilter) =>
    id === 'all' ? deliveries.length : deliveries.filter(({ status }) => status === id).length;

  return (
    <section class="webhooks" aria-labelledby="webhooks-title">
      <div class="view-head">
        <h1 id="webhooks-title">Webhooks</h1>
        <div class="segments" role="group" aria-label="Show">
          {FILTERS.map(({ id, label }) => (
            <button key={id} aria-pressed={shown === id} onClick={() => show(id)}>
              {label} <b>{count(id)}</b>
            </button>
          ))}
        </div>
      </div>
      {rows.length === 0 ? (
        <p class="quiet-note">
          {deliveries.length > 0 ? (
            'No deliveries with this status.'
          ) : (
            <>
              No deliveries yet. Register an endpoint with <code>POST /v1/webhooks</code>.
            </>
          )}
        </p>
      ) : (
        <ul class="deliveries">
          {rows.map((delivery) => (
            <DeliveryRow key={delivery.key} delivery={delivery} />
          ))}
        </ul>
      )}
    </section>
  );
}
