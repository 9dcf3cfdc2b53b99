import { useEffect, useMemo, useState } from 'preact/hooks';
import type { WebhookDelivery } from '../../view.ts';
import { useDashboard, useWatch } from '../dashboard.ts';
import { deliveriesOf, type Delivery } from './deliveries.ts';
import { DeliveryRow } from './delivery-row.tsx';

type Shown = 'all' | Delivery['standing'];
const FILTERS: { id: Shown; label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'retrying', label: 'Retrying' },
  { id: 'given up', label: 'Given up' },
  { id: 'delivered', label: 'Delivered' },
];

/** What was sent to the endpoints, how often, and when it is tried again. */
export function WebhooksView() {
  const { state } = useDashboard();
  useWatch(null);
  const listed = useListed();
  const [shown, show] = useState<Shown>('all');
  const attempts = state.attempts.value;
  const deliveries = useMemo(() => deliveriesOf(listed, attempts), [listed, attempts]);
  const rows = shown === 'all' ? deliveries : deliveries.filter(({ standing }) => standing === shown);
  const count = (id: Shown) =>
    id === 'all' ? deliveries.length : deliveries.filter(({ standing }) => standing === id).length;

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
            'None of them stands like that.'
          ) : (
            <>
              Nothing was sent yet. Register an endpoint with <code>POST /v1/webhooks</code>.
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

/** What there is to know from before this page was there. */
function useListed(): readonly WebhookDelivery[] {
  const { api, link, state } = useDashboard();
  const [listed, setListed] = useState<readonly WebhookDelivery[]>([]);
  const online = link.value.kind === 'online';
  useEffect(() => {
    document.title = 'Webhooks · Tapbench';
    if (!online) return;
    void api.get<{ deliveries: WebhookDelivery[] }>('/dashboard/webhooks').then((answer) => {
      if (answer.ok) setListed(answer.body.deliveries);
    });
  }, [online, state.attempts.value.length === 0]);
  return listed;
}
