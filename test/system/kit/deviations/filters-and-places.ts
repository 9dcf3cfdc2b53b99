import type { Deviation } from '../deviating-server.ts';

/** Servers that ignore a filter, or whose deviation a comparison once missed or put to the wrong place. */
export const FILTER_AND_PLACE_DEVIATIONS: Deviation[] = [
  {
    name: 'the filter by e-mail address is ignored',
    area: 'customers',
    scenarios: 'customers/by-address',
    at: 'GET /customers',
    ask: ({ url }) => url.searchParams.delete('email'),
    differs: { '2 count items': 'rule', '3 count items': 'rule' },
  },
  {
    name: 'the times of a list are ignored',
    area: 'payments',
    scenarios: 'payments/list-of-a-time',
    at: 'GET /payment-sessions',
    ask({ url }) {
      url.searchParams.delete('startTimestamp');
      url.searchParams.delete('endTimestamp');
    },
    reply: ({ body }, { url }) => {
      // The oldest of the day are others.
      if (url.searchParams.get('ascending') === 'true') body.items = body.items.slice(0, 5);
    },
    differs: { '2 count items': 'rule' },
  },
  {
    name: 'the times of a list of subscriptions are ignored',
    area: 'subscriptions',
    scenarios: 'subscriptions/list',
    at: 'GET /subscriptions',
    ask({ url }) {
      url.searchParams.delete('startTimestamp');
      url.searchParams.delete('endTimestamp');
    },
    differs: { '2 count items': 'rule' },
  },
  {
    name: 'the category of files is ignored',
    area: 'files',
    scenarios: 'files/upload',
    at: 'GET /files',
    ask: ({ url }) => url.searchParams.delete('category'),
    differs: { '3 count items': 'rule' },
  },
  {
    name: 'the payout of balance transactions is ignored',
    area: 'money',
    scenarios: 'money/balance-transactions-of-payout',
    at: 'GET /balance-transactions',
    ask: ({ url }) => url.searchParams.delete('payoutId'),
    differs: { '2 count items': 'rule' },
  },
  {
    name: 'an unknown payout is not found',
    area: 'money',
    scenarios: 'money/balance-transactions-of-payout',
    at: 'GET /balance-transactions',
    reply: (reply) =>
      Object.assign(reply, {
        status: 404,
        body: { requestId: crypto.randomUUID(), code: '404', errors: [{ code: 'not_found', message: 'no' }] },
      }),
    differs: { '2 status': 'choice' },
  },
  {
    name: 'the country of prices is ignored',
    area: 'in-person',
    scenarios: 'in-person/catalogue',
    at: 'GET /in-person/skus',
    reply: ({ body }) => (body.items[0].country = 'US'),
    differs: { '1 value items.*.country': 'rule' },
  },
  {
    name: 'a currency that was asked for has no balance',
    area: 'money',
    scenarios: 'money/balances',
    at: 'GET /balances',
    reply({ body }, { url }) {
      if (url.searchParams.getAll('currency').length > 1) body.items.pop();
    },
    differs: { '1 count items': 'rule' },
  },
  {
    name: 'an event is recorded twice',
    area: 'events',
    scenarios: 'payments/void',
    at: 'GET /events',
    reply({ body }) {
      const event = body.items.find(({ eventType }: { eventType: string }) => eventType.endsWith('voided'));
      if (event) body.items.unshift({ ...event, id: 'ev_01J9Z5W7D2M8Q4K6R1T3V5X7Y9' });
    },
    differs: { '3 count': 'rule' },
  },
  {
    name: 'an event is recorded again after it was seen',
    area: 'events',
    scenarios: 'payments/void',
    at: 'GET /events',
    reply({ body }, _asked, memory) {
      const event = body.items.find(({ eventType }: { eventType: string }) => eventType.endsWith('voided'));
      if (event && memory.has('seen')) body.items.unshift({ ...event, id: 'ev_01J9Z5W7D2M8Q4K6R1T3V5X7Y9' });
      if (event) memory.set('seen', true);
    },
    differs: { '3 count': 'rule' },
  },
  {
    name: 'a token is not the id of an item',
    area: 'payments',
    scenarios: 'payments/list',
    at: 'GET /payment-sessions',
    ask({ url }) {
      const token = url.searchParams.get('startsAfter');
      if (token !== null) url.searchParams.set('startsAfter', Buffer.from(token, 'base64').toString());
    },
    reply({ body }) {
      if (body.paginationToken) body.paginationToken = Buffer.from(body.paginationToken).toString('base64');
    },
    differs: { '2 form paginationToken': 'choice' },
  },
  {
    name: 'the last page has a token',
    area: 'customers',
    scenarios: 'api/last-page',
    at: 'GET /customers',
    reply: ({ body }) => (body.paginationToken = body.items.at(-1)?.id ?? null),
    differs: { '1 type paginationToken': 'rule' },
  },
  {
    name: 'the time of creation is five seconds off',
    area: 'payments',
    scenarios: 'payments/void',
    at: 'GET /payment-sessions/{id}',
    reply: ({ body }) => (body.createdTimestamp -= 5),
    differs: { '4 time createdTimestamp': 'rule' },
  },
  {
    name: 'JSON is called text/html',
    area: 'payments',
    scenarios: 'payments/create-minimal',
    at: 'POST /payment-sessions',
    reply: (reply) => (reply.contentType = 'text/html; charset=utf-8'),
    differs: { '0 content': 'fact' },
  },
  {
    name: 'endpoints are listed oldest first',
    area: 'webhooks',
    scenarios: 'webhooks/list',
    at: 'GET /webhooks',
    reply: ({ body }) => body.items.reverse(),
    differs: { '2 order items': 'rule' },
  },
  {
    name: 'ascending is ignored',
    area: 'api',
    scenarios: 'api/ascending',
    at: 'GET /customers',
    ask({ url }) {
      if (url.searchParams.get('ascending') !== 'yes') url.searchParams.delete('ascending');
    },
    differs: { '4 order items': 'rule', '5 order items': 'rule', '6 order items': 'rule' },
  },
  {
    name: 'True is no spelling of true',
    area: 'api',
    scenarios: 'api/ascending',
    at: 'GET /customers',
    ask({ url }) {
      if (url.searchParams.get('ascending') === 'True') url.searchParams.set('ascending', 'no');
    },
    differs: { '5 status': 'choice' },
  },
  {
    name: 'a link is valid for a day',
    area: 'accounts',
    scenarios: 'accounts/link',
    at: 'POST /account-links',
    reply: ({ body }) => (body.expiresTimestamp += 79_200),
    differs: { '0 time expiresTimestamp': 'choice' },
  },
  {
    name: 'the code of a refusal is a number',
    area: 'api',
    scenarios: 'api/unknown-path',
    at: 'GET /nothing',
    reply: ({ body }) => (body.code = 404),
    differs: { '0 type code': 'choice' },
  },
  {
    name: 'the number of a bank account is returned',
    area: 'payout methods',
    scenarios: 'payout-methods/create',
    at: 'POST /accounts/{id}/payout-methods',
    reply: ({ body }) => (body.bankAccount.accountNumber = '00000111'),
    differs: { '0 added bankAccount.accountNumber': 'rule' },
  },
  {
    name: 'the secret of an endpoint is told again',
    area: 'webhooks',
    scenarios: 'webhooks/create',
    at: 'GET /webhooks/{id}',
    reply: ({ body }) => (body.secret = 'whs_f9d333cc-3a46-4951-8c3b-a0c888b343ba'),
    differs: { '1 added secret': 'rule' },
  },
  {
    name: 'a member that is not known is kept',
    area: 'api',
    scenarios: 'api/unknown-members',
    at: 'POST /customers',
    reply: ({ body }) => (body.favouriteColour = 'green'),
    differs: { '0 added favouriteColour': 'choice' },
  },
  {
    name: 'an error has no message',
    area: 'payments',
    scenarios: 'payments/amount-missing',
    at: 'POST /payment-sessions',
    reply: ({ body }) => (body.errors[0].message = ''),
    differs: { '0 value errors.*.message': 'rule' },
  },
];
