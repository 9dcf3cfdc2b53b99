import { expect, test } from 'vitest';
import {
  objectListQuery,
  requestQuery,
  parseRequestFilters,
} from '../../../../server/dashboard/page/list-filters.ts';
import { hrefOf, parseHash, type Route } from '../../../../server/dashboard/page/route.ts';

test('parseHash: reads the hash of every route, and says of any other that it is unknown', () => {
  const routes: Route[] = [
    { view: 'fleet' },
    { view: 'start' },
    { view: 'terminal', id: 'tml_1' },
    { view: 'terminal', id: 'tml_1', actionId: 'tmlact_1' },
    { view: 'actions', id: 'tml_1' },
    { view: 'webhooks', filters: {} },
    { view: 'objects', filters: {} },
    { view: 'faults' },
    { view: 'faults', id: 'plan_1' },
    { view: 'certificates' },
    { view: 'certificates', id: 'cert_1' },
    { view: 'drills' },
    { view: 'drills', id: 'lost-reply' },
    { view: 'objects', id: 'ps_1', filters: {} },
  ];
  for (const route of routes) expect(parseHash(hrefOf(route))).toEqual(route);
  for (const hash of ['', '#', '#token=dash_1', '#view']) expect(parseHash(hash)).toEqual({ view: 'fleet' });
  for (const path of ['nowhere', 'terminals', 'terminals/%', 'start/1', 'objects/ps_1/2'])
    expect(parseHash(`#/${path}`)).toEqual({ view: 'unknown', path });
});

test.each([
  ['#/webhooks', { view: 'webhooks', filters: {} }],
  [
    '#/webhooks/ev_1.wh_1?status=Failed&reply=5xx',
    { view: 'webhooks', id: 'ev_1.wh_1', filters: { status: 'Failed', reply: '5xx' } },
  ],
] as const)('route: %s names the deliveries that are shown, and the one that is open', (hash, route) => {
  expect(parseHash(hash)).toEqual(route);
  expect(hrefOf(route)).toBe(hash);
});

test('request filters: the address has those that are set, and others are ignored', () => {
  const filters = { status: '4xx', text: 'a b&c' };
  expect(requestQuery({ ...filters, path: '' })).toBe('status=4xx&text=a+b%26c');
  expect(parseRequestFilters('status=4xx&text=a+b%26c&other=1&path=')).toEqual(filters);
});

test.each([
  ['#/requests', { view: 'requests', filters: {} }],
  ['#/requests?status=404&object=cus_1', { view: 'requests', filters: { status: '404', object: 'cus_1' } }],
  ['#/requests/req_1?path=%2Fv1', { view: 'requests', id: 'req_1', filters: { path: '/v1' } }],
] as const)('route: %s names the requests that are shown, and the one that is open', (hash, route) => {
  expect(parseHash(hash)).toEqual(route);
  expect(hrefOf(route)).toBe(hash);
});

test('objectListQuery: lists payment sessions unless the address names another type that exists', () => {
  expect(objectListQuery({})).toBe('type=paymentSession');
  expect(objectListQuery({ type: 'toString', status: 'Captured' })).toBe(
    'type=paymentSession&status=Captured',
  );
  expect(objectListQuery({ type: 'payout', panel: 'machine' })).toBe('type=payout');
});
