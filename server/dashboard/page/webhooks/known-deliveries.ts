import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { WebhookDelivery } from '../../view.ts';
import type { Api } from '../link/api.ts';
import type { PageState } from '../page-state.ts';
import { deliveriesOf, type Delivery } from './deliveries.ts';

/** The deliveries of the last response of `/dashboard/webhooks`. */
const listed = signal<readonly WebhookDelivery[]>([]);

export async function loadDeliveries(api: Api): Promise<void> {
  const answer = await api.get<{ deliveries: WebhookDelivery[] }>('/dashboard/webhooks');
  if (answer.ok) listed.value = answer.body.deliveries;
}

/** Returns all deliveries, with the attempts since the list was loaded. */
export function knownDeliveries({ attempts }: Pick<PageState, 'attempts'>): ReadonlySignal<Delivery[]> {
  return computed(() => deliveriesOf(listed.value, attempts.value));
}
