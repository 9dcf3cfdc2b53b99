import { expect, test } from 'vitest';
import { ROUTES } from '../../../server/routes.ts';
import { createCliFixture, terminal } from '../cli-fixture.ts';

/** A file that cannot be written. */
const NOWHERE = '/nowhere/session.tapbench';

/** A command line for each operation under /sandbox; those of fleets are made by `tapbench sim`. */
const COMMAND_LINES: Record<string, string> = {
  'GET /sandbox/terminals': 'terminals',
  'GET /sandbox/terminals/{id}': 'present-card',
  'POST /sandbox/terminals/{id}/payment': 'pay tml_1 1742 --card visa-declined',
  'POST /sandbox/terminals/{id}/refund': 'refund tml_1 ps_1 --card visa-contactless',
  'POST /sandbox/terminals/{id}/settle': 'settle tml_1 charged',
  'POST /sandbox/terminals/{id}/present-card': 'present-card',
  'POST /sandbox/terminals/{id}/remove-card': 'remove-card',
  'POST /sandbox/terminals/{id}/press-keys': 'press-keys 1',
  'POST /sandbox/terminals/{id}/power': 'power off',
  'POST /sandbox/terminals/{id}/network': 'network off',
  'POST /sandbox/terminals/{id}/paper': 'paper 0',
  'POST /sandbox/terminals/{id}/reader': 'reader unplugged',
  'POST /sandbox/terminals/{id}/control': 'control receipts',
  'POST /sandbox/terminals/{id}/cardholder': 'cardholder none',
  'POST /sandbox/fleets': 'sim --terminals 2',
  'GET /sandbox/actions/{id}': 'action --action x',
  'GET /sandbox/actions/{id}/receipt': 'receipt --action x',
  'GET /sandbox/accounts': 'accounts',
  'PATCH /sandbox/accounts/{id}/settings': 'accounts settings x --set frozen=true',
  'POST /sandbox/accounts/{id}/verification': 'accounts verify x',
  'POST /sandbox/accounts/{id}/persons/{personId}/verification': 'accounts verify x x',
  'POST /sandbox/payouts/{id}/outcome': 'payout-status x Failed',
  'POST /sandbox/payout-methods/{id}/verification': 'verify-payout-method x Verified',
  'POST /sandbox/payment-sessions/{paymentSessionId}/decline-next': 'decline-next x stolen_card',
  'POST /sandbox/payment-sessions/{paymentSessionId}/fail-next': 'fail-next x Refund',
  'POST /sandbox/payment-sessions/{id}/authentication': 'authenticate x Authenticated',
  'POST /sandbox/payment-sessions/{id}/disputes': 'disputes open x',
  'POST /sandbox/disputes/{id}/outcome': 'disputes decide x Won',
  'GET /sandbox/requests': 'logs --once',
  'GET /sandbox/requests/{id}': 'logs x',
  'POST /sandbox/faults': 'faults add api.reply reset',
  'GET /sandbox/faults': 'faults',
  'GET /sandbox/faults/{id}': 'faults show x',
  'DELETE /sandbox/faults/{id}': 'faults delete x',
  'POST /sandbox/recordings': `record ${NOWHERE} -- true`,
  'GET /sandbox/recordings': 'recordings',
  'GET /sandbox/recordings/{id}/file': `recordings save x ${NOWHERE}`,
  'DELETE /sandbox/recordings/{id}': 'recordings delete x',
  'GET /sandbox/objects': 'objects customer',
  'GET /sandbox/objects/{id}': 'object x',
  'GET /sandbox/search': 'find x',
  'GET /sandbox/clock': 'clock',
  'POST /sandbox/clock/advance': 'clock advance 1d',
  'POST /sandbox/reset': 'reset',
  'POST /sandbox/events/{eventId}/deliver': 'events deliver x',
  'GET /sandbox/webhooks': 'webhooks health',
  'GET /sandbox/deliveries': 'webhooks deliveries',
  'GET /sandbox/deliveries/{deliveryId}': 'webhooks deliveries x',
  'POST /sandbox/deliveries/{deliveryId}/send': 'webhooks send x',
};

// `tapbench certify` calls them while it runs its cases (test/system/commands).
const OF_CERTIFICATES = '/sandbox/certificates';

test('commands: every operation under /sandbox has one', () => {
  const operations = ROUTES.filter(
    ({ path }) => path.startsWith('/sandbox/') && !path.startsWith(OF_CERTIFICATES),
  ).map((route) => route.operation);
  expect(Object.keys(COMMAND_LINES).toSorted()).toEqual(operations.toSorted());
});

test.each(Object.entries(COMMAND_LINES))('commands: %s is called by %s', async (operation, line) => {
  const on = createCliFixture();
  const [method, path] = operation.replace('{id}', line.includes(' x') ? 'x' : 'tml_1').split(' ') as [
    string,
    string,
  ];
  const called = path.replace(/\{\w+\}/g, 'x');
  on.answer('GET /v1/in-person/terminals', {
    status: 200,
    body: { items: [terminal(null)], paginationToken: null },
  });
  on.answer('GET /sandbox/terminals/tml_1', { status: 200, body: { online: true } });
  // No reply fits all: whether a command prints it is shown by its own test.
  on.answer(`${method} ${called}`, { status: 200, body: { online: true } });
  await on.run(...line.split(' '));
  expect(on.requests.map((request) => `${request.method} ${request.path.split('?')[0]}`)).toContain(
    `${method} ${called}`,
  );
});
