import { expect, test } from 'vitest';
import { addDefaultTerminal } from '../../../cli/server/default-terminal.ts';
import { hostingServer } from './hosting-server.ts';

const HOUR_MS = 3_600_000;

type Hosting = Awaited<ReturnType<typeof hostingServer>>;

const post = ({ call }: Hosting, path: string, body: object = {}, key = 'ci-run-1') =>
  call(`POST ${path}`, { body, headers: { 'idempotency-key': key } });

/** Leaves the store as a server does that is killed when its work is done and the answer is not kept. */
async function killBeforeAnswer(hosting: Hosting): Promise<void> {
  const { store } = hosting.server.services;
  await store.run('UPDATE idempotency_keys SET status = NULL, answer = NULL');
  await hosting.restart();
}

async function names({ call }: Hosting): Promise<string[]> {
  return (await call('GET /sandboxes')).body.items.map(({ name }: { name: string }) => name);
}

test.each([
  ['named', { name: 'ci' }],
  ['without a name', {}],
  ['a fork', { from: 'default', name: 'ci' }],
])(
  'sandboxes: %s, created by a server that was killed before the answer was kept, is returned to the next attempt',
  async (_kind, input) => {
    const hosting = await hostingServer({ setUp: addDefaultTerminal });
    const first = await post(hosting, '/sandboxes', input);
    await killBeforeAnswer(hosting);
    const second = await post(hosting, '/sandboxes', input);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await names(hosting)).toEqual(['default', first.body.name]);
    const customers = await hosting.call('GET /v1/customers', { key: second.body.secretKey });
    expect(customers.status).toBe(200);
    // Its answer is kept now.
    const third = await post(hosting, '/sandboxes', input);
    expect(third.raw.toString()).toBe(second.raw.toString());
  },
);

test('sandboxes: the key of one that was created without a kept answer is refused for another request', async () => {
  const hosting = await hostingServer();
  await post(hosting, '/sandboxes', { name: 'ci' });
  await killBeforeAnswer(hosting);
  expect((await post(hosting, '/sandboxes', { name: 'other' })).status).toBe(422);
  expect((await post(hosting, '/sandboxes', { name: 'other' }, 'ci-run-2')).status).toBe(200);
  expect(await names(hosting)).toEqual(['default', 'ci', 'other']);
});

test('sandboxes: after 24 hours the same request creates another sandbox', async () => {
  const hosting = await hostingServer();
  const input = { expiresInSeconds: null };
  const first = await post(hosting, '/sandboxes', input);
  await hosting.realClock.advance(24 * HOUR_MS);
  const second = await post(hosting, '/sandboxes', input);
  expect(await names(hosting)).toEqual(['default', first.body.name, second.body.name]);
});

test('snapshots: one that was made by a server that was killed before the answer was kept is returned to the next attempt', async () => {
  const hosting = await hostingServer();
  await hosting.create({ name: 'ci' });
  const path = '/sandboxes/ci/snapshots';
  const first = await post(hosting, path);
  await killBeforeAnswer(hosting);
  const second = await post(hosting, path);
  expect([second.status, second.body]).toEqual([200, first.body]);
  await killBeforeAnswer(hosting);
  expect((await post(hosting, '/sandboxes/default/snapshots')).status).toBe(422);
  expect((await hosting.call(`GET ${path}`)).body.items).toEqual([first.body]);
});

test('snapshots: after 24 hours the same request makes another snapshot', async () => {
  const hosting = await hostingServer();
  await hosting.create({ name: 'ci', expiresInSeconds: null });
  const path = '/sandboxes/ci/snapshots';
  const first = await post(hosting, path);
  await hosting.realClock.advance(24 * HOUR_MS);
  const second = await post(hosting, path);
  expect((await hosting.call(`GET ${path}`)).body.items).toEqual([first.body, second.body]);
});
