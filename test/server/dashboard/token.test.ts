import { afterEach, beforeEach, expect, test } from 'vitest';
import { routesIn } from '../../../server/platform/http/route.ts';
import type { Mode } from '../../../server/platform/settings.ts';
import { ROUTES } from '../../../server/routes.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';
import { terminalRoutes } from '../../../server/api/in-person/terminals/terminal.resource.ts';
import { readSources } from '../../architecture/source-tree.ts';
import { smallServer } from '../platform/http/small-server.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

/** All that the token opens of the API: what the page calls. */
const OPENED = [
  'DELETE /sandbox/faults/{id}',
  'DELETE /sandbox/recordings/{id}',
  'DELETE /sandboxes/{name}',
  'DELETE /subscriptions/{subscriptionId}',
  'DELETE /subscriptions/{subscriptionId}/cancel',
  'GET /sandbox/certificates',
  'GET /sandbox/certificates/{id}',
  'GET /sandbox/certificates/{id}/cases/{caseId}/trace',
  'GET /sandbox/deliveries',
  'GET /sandbox/deliveries/{deliveryId}',
  'GET /sandbox/faults',
  'GET /sandbox/faults/{id}',
  'GET /sandbox/objects',
  'GET /sandbox/objects/{id}',
  'GET /sandbox/recordings',
  'GET /sandbox/recordings/{id}/file',
  'GET /sandbox/requests',
  'GET /sandbox/requests/{id}',
  'GET /sandbox/search',
  'GET /sandbox/webhooks',
  'GET /sandboxes',
  'GET /sandboxes/{name}',
  'PATCH /disputes/{disputeId}/evidence',
  'PATCH /sandbox/accounts/{id}/settings',
  'PATCH /sandboxes/{name}',
  'PATCH /subscriptions/{subscriptionId}/pause',
  'PATCH /subscriptions/{subscriptionId}/resume',
  'POST /disputes/{disputeId}/accept',
  'POST /disputes/{disputeId}/challenge',
  'POST /in-person/locations',
  'POST /in-person/terminals',
  'POST /in-person/terminals/{id}/cancel-action',
  'POST /in-person/terminals/{id}/confirm-receipt',
  'POST /in-person/terminals/{id}/payment',
  'POST /in-person/terminals/{id}/refund',
  'POST /payment-sessions/{paymentSessionId}/captures',
  'POST /payment-sessions/{paymentSessionId}/refunds',
  'POST /payment-sessions/{paymentSessionId}/voids',
  'POST /sandbox/accounts/{id}/persons/{personId}/verification',
  'POST /sandbox/accounts/{id}/verification',
  'POST /sandbox/certificates/{id}/acts/{number}/answer',
  'POST /sandbox/clock/advance',
  'POST /sandbox/deliveries/{deliveryId}/send',
  'POST /sandbox/disputes/{id}/outcome',
  'POST /sandbox/events/{eventId}/deliver',
  'POST /sandbox/faults',
  'POST /sandbox/payment-sessions/{id}/authentication',
  'POST /sandbox/payment-sessions/{id}/disputes',
  'POST /sandbox/payment-sessions/{paymentSessionId}/decline-next',
  'POST /sandbox/payment-sessions/{paymentSessionId}/fail-next',
  'POST /sandbox/payout-methods/{id}/verification',
  'POST /sandbox/payouts/{id}/outcome',
  'POST /sandbox/recordings',
  'POST /sandbox/terminals/{id}/cardholder',
  'POST /sandbox/terminals/{id}/control',
  'POST /sandbox/terminals/{id}/network',
  'POST /sandbox/terminals/{id}/paper',
  'POST /sandbox/terminals/{id}/payment',
  'POST /sandbox/terminals/{id}/power',
  'POST /sandbox/terminals/{id}/present-card',
  'POST /sandbox/terminals/{id}/press-keys',
  'POST /sandbox/terminals/{id}/refund',
  'POST /sandbox/terminals/{id}/remove-card',
  'POST /sandbox/terminals/{id}/settle',
  'POST /sandboxes',
  'POST /sandboxes/{name}/dashboard-link',
];

/** What the token opens with live keys, where nothing is served besides the API. */
const OPENED_WITH_LIVE_KEYS = [
  'POST /in-person/locations',
  'POST /in-person/terminals',
  'POST /in-person/terminals/{id}/cancel-action',
  'POST /in-person/terminals/{id}/confirm-receipt',
  'POST /in-person/terminals/{id}/payment',
  'POST /in-person/terminals/{id}/refund',
];

const recordings = { list: () => [], find: () => undefined };

/** Returns the operations that do not refuse the token, in order. */
async function openedBy(mode: Mode): Promise<string[]> {
  const { call, services } = await smallServer(ROUTES, { mode }, { recordings, certificates: recordings });
  const headers = { authorization: services.settings.dashboardToken };
  const opened: string[] = [];
  for (const { operation, method, path, access } of routesIn(mode, ROUTES)) {
    if (access === 'open') continue;
    const at = `${method} ${path.replaceAll(/\{\w+\}/g, 'x_1')}`;
    const { status, body } = await call(at, {
      headers,
      ...(method !== 'GET' && { body: { title: false } }),
    });
    if (status === 403) {
      expect(body.errors[0].message).toContain('the token of the dashboard cannot be used');
    } else {
      expect([operation, status]).toEqual([
        operation,
        expect.toBeOneOf([...(method === 'GET' ? [200] : []), 400, 404, 409]),
      ]);
      opened.push(operation);
    }
  }
  return opened.sort();
}

test(
  'dashboard token: opens the operations of its buttons, and no other operation of the API',
  { tags: ['refusal:dashboard_token'] },
  async () => {
    expect(
      await openedBy('sandbox'),
      "OPENED of this test has each route with access 'dashboard' or 'sandboxDashboard'",
    ).toEqual(OPENED);
    expect(ROUTES.length).toBeGreaterThan(OPENED.length * 2);
  },
);

test('dashboard token: opens each operation that an object allows', () => {
  const named = readSources(['server/sandbox-controls/objects'])
    .filter(({ path }) => !path.endsWith('.resource.ts'))
    .flatMap(({ text }) =>
      [...text.matchAll(/operation: '([A-Z]+ [^']+)'/g)].map(([, operation]) => operation!),
    );
  expect(named).toContain('POST /disputes/{disputeId}/accept');
  expect(
    named.filter((operation) => !OPENED.includes(operation)),
    "its button would be refused: give the route access 'sandboxDashboard', or 'dashboard' under /sandbox, and name it in OPENED",
  ).toEqual([]);
});

test('dashboard token: with live keys it changes no payment, dispute or subscription', async () => {
  expect(await openedBy('live')).toEqual(OPENED_WITH_LIVE_KEYS);
  const { call, services } = await smallServer(ROUTES, { mode: 'live' });
  const authorization = services.settings.dashboardToken;
  for (const operation of [
    'POST /v1/payment-sessions/x_1/captures',
    'POST /v1/payment-sessions/x_1/voids',
    'POST /v1/payment-sessions/x_1/refunds',
    'POST /v1/disputes/x_1/accept',
    'POST /v1/disputes/x_1/challenge',
    'PATCH /v1/disputes/x_1/evidence',
    'PATCH /v1/subscriptions/x_1/pause',
    'PATCH /v1/subscriptions/x_1/resume',
    'DELETE /v1/subscriptions/x_1',
    'DELETE /v1/subscriptions/x_1/cancel',
  ] as const) {
    const withToken = await call(operation, { headers: { authorization }, body: {} });
    const withKey = await call(operation, { body: {} });
    expect([operation, withToken.status, withKey.status]).toEqual([operation, 403, 404]);
  }
});

test('dashboard token: a text that is nearly the token opens nothing', async () => {
  const { dashboardToken } = world.server.services.settings;
  const near = [dashboardToken.slice(0, -1), `${dashboardToken}x`, dashboardToken.toUpperCase()];
  for (const token of near) {
    const { status, body } = await world.api.withKey(token).get('/dashboard/cards');
    expect([status, body.errors[0].message]).toEqual([
      403,
      'the API key is unknown: use a key of this server',
    ]);
  }
  expect((await world.api.withKey(dashboardToken).get('/dashboard/cards')).status).toBe(200);
});

test('dashboard token: is valid at the next server with the same settings', async () => {
  const { dashboardToken } = world.server.services.settings;
  await world.restartServer();
  expect((await world.api.withKey(dashboardToken).get('/dashboard/cards')).status).toBe(200);
});

test("dashboard token: has its own rate limit, apart from the key's", async () => {
  const server = await smallServer(terminalRoutes, { rateLimit: 'on' });
  const path = 'POST /v1/in-person/terminals';
  const statuses = [];
  for (let calls = 0; calls < 11; calls += 1) statuses.push((await server.call(path, { body: {} })).status);
  expect(statuses.at(-1)).toBe(429);
  const authorization = server.services.settings.dashboardToken;
  expect((await server.call(path, { body: {}, headers: { authorization } })).status).toBe(400);
});
