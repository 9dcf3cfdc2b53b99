import type { Json } from '../http-call.ts';
import type { Deviation, Reply } from '../deviating-server.ts';

/** Changes each event of a type in a reply, which is one event or a list of them. */
const onEvents = ({ body }: Reply, eventType: string, change: (event: Json) => void) => {
  const events: Json[] = body.items ?? [body];
  for (const event of events) if (event.eventType === eventType) change(event);
};

const TRANSACTIONS = 'GET /payment-sessions/{id}/transactions';

/** Servers whose lists or events are otherwise. */
export const LIST_AND_EVENT_DEVIATIONS: Deviation[] = [
  {
    name: 'a spelling of true counts as false',
    area: 'customers',
    scenarios: 'api/ascending',
    at: 'GET /customers',
    ask({ url }) {
      if (url.searchParams.get('ascending') === '1') url.searchParams.set('ascending', 'false');
    },
    differs: { '6 order items': 'choice' },
  },
  {
    name: 'a page is longer than its limit',
    area: 'payments',
    scenarios: 'payments/transactions',
    at: TRANSACTIONS,
    ask: ({ url }) => url.searchParams.delete('limit'),
    reply({ body }) {
      body.paginationToken ??= body.items.length > 2 ? body.items[1].id : null;
    },
    differs: { '4 count items': 'rule' },
  },
  {
    name: 'a page longer than the longest is given',
    area: 'payout methods',
    scenarios: 'payout-methods/list',
    at: 'GET /accounts/{id}/payout-methods',
    ask: ({ url }) => url.searchParams.set('limit', '25'),
    differs: { '2 status': 'rule' },
  },
  {
    name: 'the last page has no token at all',
    area: 'customers',
    scenarios: 'api/last-page',
    at: 'GET /customers',
    reply: ({ body }) => delete body.paginationToken,
    differs: { '1 null paginationToken': 'rule' },
  },
  {
    name: 'a token is ignored',
    area: 'payments',
    scenarios: 'payments/transactions',
    at: TRANSACTIONS,
    ask: ({ url }) => url.searchParams.delete('startsAfter'),
    differs: { '5 count items': 'rule' },
  },
  {
    name: 'a list has another name',
    area: 'disputes',
    scenarios: 'disputes/list',
    at: 'GET /disputes',
    reply({ body }) {
      if (!body.items) return;
      body.data = body.items;
      delete body.items;
    },
    differs: { '0 missing items': 'rule', '0 added data': 'new' },
  },
  {
    name: 'a list has nothing around it',
    area: 'in-person',
    scenarios: 'in-person/locations',
    at: 'GET /in-person/locations',
    reply: (reply) => (reply.body = reply.body.items),
    differs: { '1 type': 'rule', '2 type': 'rule' },
  },
  {
    name: 'an object is in the list twice',
    area: 'payments',
    scenarios: 'payments/list-of-a-time',
    at: 'GET /payment-sessions',
    reply: ({ body }) => body.items.push(...body.items),
    differs: { '1 count items': 'rule' },
  },
  {
    name: 'an object is not in the list',
    area: 'payments',
    scenarios: 'payments/list-of-a-time',
    at: 'GET /payment-sessions',
    reply: ({ body }) => (body.items = []),
    differs: { '1 count items': 'rule' },
  },
  {
    name: 'what a list says of an object is stale',
    area: 'payments',
    scenarios: 'payments/transactions',
    at: TRANSACTIONS,
    reply({ body }) {
      for (const item of body.items) if (item.type === 'Capture') item.status = 'Pending';
    },
    differs: { '4 value items.*.status': 'rule', '5 value items.*.status': 'rule' },
  },
  {
    name: 'a balance is in text',
    area: 'money',
    scenarios: 'money/balances',
    at: 'GET /balances',
    reply({ body }) {
      for (const item of body.items) item.available.amount = String(item.available.amount);
    },
    differs: { '0 type items.*.available.amount': 'rule', '1 type items.*.available.amount': 'rule' },
  },
  {
    name: 'an event shows the object as it was before',
    area: 'events',
    scenarios: 'customers/update',
    at: '*',
    reply: (reply) => onEvents(reply, 'Customer.updated', ({ data }) => delete data.firstName),
    differs: { '2 missing data.firstName': 'rule' },
  },
  {
    name: 'an event has a state of its own',
    area: 'events',
    scenarios: 'payments/void',
    at: '*',
    reply: (reply) => onEvents(reply, 'PaymentSession.voided', ({ data }) => (data.status = 'Approved')),
    differs: { '3 value data.status': 'rule' },
  },
  {
    name: 'an event has no metadata',
    area: 'events',
    scenarios: 'payments/void',
    at: '*',
    reply: (reply) => onEvents(reply, 'PaymentSession.voided', ({ data }) => delete data.metadata),
    differs: { '3 missing data.metadata': 'rule' },
  },
  {
    name: 'the time of an event is in milliseconds',
    area: 'events',
    scenarios: 'persons/delete',
    at: '*',
    reply: (reply) => onEvents(reply, 'Person.deleted', (event) => (event.lastUpdatedTimestamp *= 1000)),
    differs: { '2 time lastUpdatedTimestamp': 'rule' },
  },
  {
    name: 'an event has only the id of its object',
    area: 'events',
    scenarios: 'customers/delete',
    at: '*',
    reply: (reply) => onEvents(reply, 'Customer.deleted', (event) => (event.data = { id: event.data.id })),
    differs: {
      '2 missing data.email': 'rule',
      '2 missing data.metadata': 'rule',
      '2 missing data.createdTimestamp': 'rule',
      '2 missing data.lastUpdatedTimestamp': 'rule',
    },
  },
  {
    name: 'a type of event has another name',
    area: 'events',
    scenarios: 'customers/delete',
    at: '*',
    reply: (reply) => onEvents(reply, 'Customer.deleted', (event) => (event.eventType = 'Customer.removed')),
    differs: { '2 outcome': 'rule' },
  },
  {
    name: 'an event is missing',
    area: 'events',
    scenarios: 'payout-methods/delete',
    at: 'GET /events',
    reply({ body }) {
      body.items = body.items.filter((event: Json) => event.eventType !== 'PayoutMethod.deleted');
    },
    differs: { '2 outcome': 'rule' },
  },
  {
    name: 'an endpoint listens to fewer events',
    area: 'webhooks',
    scenarios: 'webhooks/event-types',
    at: 'POST /webhooks',
    reply: ({ body }) => body.eventTypes.pop(),
    differs: { '0 count eventTypes': 'rule' },
  },
  {
    name: 'a list is in the other order',
    area: 'payments',
    scenarios: 'payments/transactions',
    at: TRANSACTIONS,
    reply: ({ body }) => body.items.reverse(),
    differs: { '4 order items': 'rule' },
  },
  {
    name: 'an event has the client secret',
    area: 'events',
    scenarios: 'payments/pay-events',
    at: '*',
    reply: (reply) =>
      onEvents(
        reply,
        'PaymentSession.approved',
        ({ data }) => (data.clientSecret = `${data.id}_secret_f9d333cc-3a46-4951-8c3b-a0c888b343ba`),
      ),
    differs: { '2 added data.clientSecret': 'choice' },
  },
];
