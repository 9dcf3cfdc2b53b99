import { expect, test } from 'vitest';
import { PAGES, ROUTES } from '../../../../server/routes.ts';
import { servePages } from '../../../../server/platform/http/pages/page.ts';
import { smallServer } from './small-server.ts';

test('routes: two servers of one process share them, and each call sees the objects of its own server', async () => {
  const servers = [await smallServer(ROUTES), await smallServer(ROUTES)];
  const emails = ['ana@example.com', 'sam@example.com'];
  for (const [index, { call }] of servers.entries()) {
    expect((await call('POST /v1/customers', { body: { email: emails[index] } })).status).toBe(200);
  }
  for (const [index, { call }] of servers.entries()) {
    const { body } = await call('GET /v1/customers');
    expect(body.items.map(({ email }: { email: string }) => email)).toEqual([emails[index]]);
  }
});

test('routes: a reset of one server leaves the objects of another', async () => {
  const [reset, kept] = [await smallServer(ROUTES), await smallServer(ROUTES)];
  await kept.call('POST /v1/customers', { body: { email: 'ana@example.com' } });
  expect((await reset.call('POST /sandbox/reset')).status).toBe(200);
  expect((await kept.call('GET /v1/customers')).body.items).toHaveLength(1);
});

test('routes: rate limits of one server do not count the calls of another', async () => {
  const busy = await smallServer(ROUTES, { rateLimit: 'on' });
  const idle = await smallServer(ROUTES, { rateLimit: 'on' });
  const statuses = [];
  for (let count = 0; count < 11; count += 1) statuses.push((await busy.call('GET /v1/events')).status);
  expect(statuses.at(-1)).toBe(429);
  expect((await idle.call('GET /v1/events')).status).toBe(200);
});

test('pages: two servers of one process share them, and a link opens on its own server alone', async () => {
  const withPages = () => smallServer(ROUTES, {}, {}, (http) => servePages(http, PAGES));
  const [own, other] = [await withPages(), await withPages()];
  const account = await own.call('POST /v1/accounts', {
    body: { onboardingFlow: 'Hosted', email: 'ana@example.com' },
  });
  const { body } = await own.call('POST /v1/account-links', {
    body: { accountId: account.body.id, redirectUrl: 'https://shop.example/back' },
  });
  const { pathname, search } = new URL(body.url);
  const open = ({ call }: typeof own) =>
    call(`GET ${pathname}${search}`, { headers: { authorization: null } });
  expect([(await open(own)).status, (await open(other)).status]).toEqual([200, 404]);
});
