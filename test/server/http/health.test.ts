import { expect, test } from 'vitest';
import { healthRoutes } from '../../../server/http/health.resource.ts';
import { smallServer } from './small-server.ts';

const nobody = { headers: { authorization: null } };

test('a server whose store and broker serve is well, and tells anybody', async () => {
  const { call } = await smallServer(healthRoutes);
  const { status, body } = await call('GET /healthz', nobody);
  expect([status, body]).toEqual([200, { status: 'ok', store: 'ok', broker: 'ok' }]);
});

test('without the broker it is not ready, and says what is missing', async () => {
  const { call, gateway } = await smallServer(healthRoutes);
  gateway.online = false;
  const { status, body } = await call('GET /healthz', nobody);
  expect([status, body.errors[0].message]).toEqual([503, 'not ready: broker not serving']);
  gateway.online = true;
  expect((await call('GET /healthz', nobody)).status).toBe(200);
});

test('without the store it is not ready either', async () => {
  const { call, gateway } = await smallServer((services) =>
    healthRoutes({ ...services, store: { ...services.store, get: () => Promise.reject(new Error('gone')) } }),
  );
  gateway.online = false;
  const { status, body } = await call('GET /healthz', nobody);
  expect([status, body.errors[0].message]).toEqual([503, 'not ready: store and broker not serving']);
});
