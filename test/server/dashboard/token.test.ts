import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROUTES } from '../../../server/routes.ts';
import { startWorld, type World } from '../../kit/world.ts';
import { terminalRoutes } from '../../../server/api/in-person/terminal.resource.ts';
import { smallServer } from '../platform/http/small-server.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

/** All that the token opens of the API: what the page calls. */
const OPENED = [
  'DELETE /sandboxes/{name}',
  'GET /sandbox/deliveries',
  'GET /sandbox/deliveries/{deliveryId}',
  'GET /sandbox/objects',
  'GET /sandbox/objects/{id}',
  'GET /sandbox/requests',
  'GET /sandbox/requests/{id}',
  'GET /sandbox/search',
  'GET /sandbox/webhooks',
  'GET /sandboxes',
  'GET /sandboxes/{name}',
  'POST /in-person/locations',
  'POST /in-person/terminals',
  'POST /in-person/terminals/{id}/cancel-action',
  'POST /in-person/terminals/{id}/confirm-receipt',
  'POST /in-person/terminals/{id}/payment',
  'POST /in-person/terminals/{id}/refund',
  'POST /sandbox/clock/advance',
  'POST /sandbox/deliveries/{deliveryId}/send',
  'POST /sandbox/terminals/{id}/cardholder',
  'POST /sandbox/terminals/{id}/network',
  'POST /sandbox/terminals/{id}/paper',
  'POST /sandbox/terminals/{id}/power',
  'POST /sandbox/terminals/{id}/present-card',
  'POST /sandbox/terminals/{id}/press-keys',
  'POST /sandbox/terminals/{id}/remove-card',
  'POST /sandboxes',
  'POST /sandboxes/{name}/dashboard-link',
];

test(
  'dashboard token: opens the operations of its buttons, and no other operation of the API',
  { tags: ['refusal:dashboard_token'] },
  async () => {
    const { call, services } = await smallServer(ROUTES);
    const headers = { authorization: services.settings.dashboardToken };
    const opened: string[] = [];
    for (const { operation, method, path, access } of ROUTES) {
      if (access === 'open') continue;
      const at = `${method} ${path.replaceAll(/\{\w+\}/g, 'x_1')}`;
      const { status, body } = await call(at, { headers, ...(method !== 'GET' && { body: {} }) });
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
    expect(opened.sort()).toEqual(OPENED);
    expect(ROUTES.length).toBeGreaterThan(OPENED.length * 5);
  },
);

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
