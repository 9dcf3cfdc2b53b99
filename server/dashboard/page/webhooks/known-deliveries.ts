import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { WebhookDelivery } from '../../view.ts';
import type { Api } from '../link/api.ts';
import type { PageState } from '../page-state.ts';
import { deliveriesOf, type Delivery } from './deliveries.ts';

/** What the server listed last: what there is to know from before this page was there. */
const listed = signal<readonly WebhookDelivery[]>([]);

export async function loadDeliveries(api: Api): Promise<void> {
  const answer = await api.get<{ deliveries: WebhookDelivery[] }>('/dashboard/webhooks');
  if (answer.ok) listed.value = answer.body.deliveries;
}

/** Every delivery that the page knows of, as it stands now. */
export function knownDeliveries({ attempts }: Pick<PageState, 'attempts'>): ReadonlySignal<Delivery[]> {
  return computed(() => deliveriesOf(listed.value, attempts.value));
}
