import { expect } from 'vitest';
import type { Answer, Json } from '../kit/http-call.ts';
import type { Receiver } from '../kit/receiver.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';

const EVENT_TYPES = ['Customer.created', 'PaymentSession.captured', 'Terminal.action_updated'];

/** Lists in which everything of a sandbox is found. */
const LISTS = [
  '/v1/customers',
  '/v1/payment-sessions',
  '/v1/events',
  '/v1/webhooks',
  '/v1/in-person/locations',
  '/v1/in-person/terminals',
  '/sandbox/terminals',
  '/sandbox/clock',
];

/** One of many clients of a server, with a sandbox and a webhook endpoint of its own. */
export interface SandboxClient {
  sandbox: Json;
  days: number;
  receiver: Receiver;
  /** Ids of its objects, by the names that paths give them: the parameter, or for `id` the folder. */
  ids: Record<string, string>;
  api(method: string, path: string, body?: object): Promise<Answer>;
  /** Returns all that it can read with its key, and all webhooks that it received. */
  read(): Promise<string>;
}

/** Creates a sandbox, advances its clock by `days`, and takes an online payment and one at its terminal. */
export async function openSandboxClient(
  tapbench: Tapbench,
  receiver: Receiver,
  days: number,
): Promise<SandboxClient> {
  const created = await tapbench.api('POST', '/sandboxes', { name: `client-${days}` });
  const sandbox = created.body;
  const ids: SandboxClient['ids'] = {};
  const api: SandboxClient['api'] = (method, path, body) =>
    tapbench.api(method, path, body, { authorization: sandbox.secretKey });
  const client: SandboxClient = {
    sandbox,
    days,
    receiver,
    ids,
    api,
    async read() {
      const bodies = await Promise.all(LISTS.map(async (path) => good(await api('GET', path))));
      return JSON.stringify([...bodies, receiver.deliveries.map(({ event }) => event)]);
    },
  };
  good(await api('POST', '/sandbox/clock/advance', { seconds: days * 86_400 }));
  const endpoint = { url: receiver.url, active: true, eventTypes: EVENT_TYPES };
  ids['webhookId'] = good(await api('POST', '/v1/webhooks', endpoint)).id;
  ids['customerId'] = good(await api('POST', '/v1/customers', { email: `${days}@example.com` })).id;
  await payOnline(client);
  await payAtTerminal(client);
  await waitFor(`the webhooks of client ${days}`, () => captured(receiver).length === 2);
  ids['accounts'] = sandbox.accountId;
  ids['locations'] = good(await api('GET', '/v1/in-person/locations')).items[0].id;
  ids['eventId'] = captured(receiver)[0]!.event.id;
  return client;
}

const captured = ({ deliveries }: Receiver) =>
  deliveries.filter(({ event }) => event.eventType === 'PaymentSession.captured');

async function payOnline({ api, ids, days }: SandboxClient): Promise<void> {
  const input = { amount: 1000 + days, currency: 'GBP', customerEmail: `${days}@example.com` };
  const { id, clientSecret } = good(await api('POST', '/v1/payment-sessions', input));
  const cardDetails = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2035', cvc: '123' };
  const attempt = { clientSecret, cardDetails };
  const paid = good(await api('POST', '/v1/payment-sessions/attempt-payment', attempt));
  expect([days, paid.status]).toEqual([days, 'Captured']);
  const transactions = good(await api('GET', `/v1/payment-sessions/${id}/transactions`));
  Object.assign(ids, { paymentSessionId: id, paymentTransactionId: transactions.items[0].id });
}

async function payAtTerminal({ api, ids, days, sandbox }: SandboxClient): Promise<void> {
  const path = `/v1/in-person/terminals/${sandbox.terminals[0].id}`;
  const body = { amounts: { requested: 2000 + days }, currency: 'GBP' };
  const started = await waitFor(`the terminal of client ${days} to be online`, async () => {
    const answer = await api('POST', `${path}/payment`, body);
    return answer.status === 200 ? answer.body : undefined;
  });
  await waitFor(`the payment of client ${days} at its terminal`, async () => {
    const { action } = good(await api('GET', path));
    return action.status === 'Succeeded';
  });
  Object.assign(ids, { terminals: sandbox.terminals[0].id, actions: started.action.id });
}

function good({ status, body }: Answer): Json {
  expect([status, body.errors]).toEqual([200, undefined]);
  return body;
}
