import type { Input, Reply } from '../../protocol/api-client.ts';
import type { ServerApi } from '../client/api-client.ts';
import type { StartedAction } from './begun-actions.ts';

interface FoundPayment extends StartedAction {
  amount: number;
  currency: string;
}

// The most that /sandbox/objects searches for.
const TEXT_MAX = 200;

/** Returns the payment at a terminal that has this order in its metadata; undefined when none was started. */
export async function findPayment(api: ServerApi, orderId: string): Promise<FoundPayment | undefined> {
  // As the metadata is stored. What is longer is cut, and compared below.
  const text = JSON.stringify({ orderId }).slice(1, -1).slice(0, TEXT_MAX);
  for (const id of await idsOf(api, { type: 'paymentSession', text })) {
    const session = await api.call('GET /v1/payment-sessions/{paymentSessionId}', {
      params: { paymentSessionId: id },
    });
    if (session.metadata?.orderId !== orderId) continue;
    const [actionId] = await idsOf(api, { type: 'action', object: id, category: 'Payment' });
    if (actionId === undefined) continue;
    const { names } = await api.call('GET /sandbox/objects/{id}', { params: { id: actionId } });
    const terminalId = names.find((named) => named.id.startsWith('tml_'))!.id;
    return { terminalId, actionId, amount: session.amount, currency: session.currency };
  }
  return undefined;
}

type Page = Reply<'GET /sandbox/objects'>;

/** Returns the ids of all objects that fit, newest first. */
async function idsOf(api: ServerApi, filters: Input<'GET /sandbox/objects'>['query']): Promise<string[]> {
  const ids: string[] = [];
  for (let startsAfter: string | undefined; ;) {
    const page: Page = await api.call('GET /sandbox/objects', {
      query: { ...filters, limit: 50, startsAfter },
    });
    ids.push(...page.items.map(({ id }) => id));
    if (!page.paginationToken) return ids;
    startsAfter = page.paginationToken;
  }
}
