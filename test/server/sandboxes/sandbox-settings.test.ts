import { expect, test } from 'vitest';
import { startWorld } from '../../../testing/world/user-world.ts';
import { hostingServer } from './hosting-server.ts';

const SESSION = { amount: 1000, currency: 'GBP' };

type Hosting = Awaited<ReturnType<typeof hostingServer>>;

/** Returns whether a second request with the same idempotency key gets the first answer again. */
async function honoursKeys({ call }: Hosting, key: string): Promise<boolean> {
  const headers = { 'idempotency-key': 'order-1' };
  const post = () => call('POST /v1/payment-sessions', { key, headers, body: SESSION });
  const first = await post();
  const second = await post();
  expect([first.status, second.status]).toEqual([200, 200]);
  return second.body.id === first.body.id;
}

const settingsOf = async ({ call }: Hosting, name: string) => {
  const { idempotencyKeys, strict } = (await call(`GET /sandboxes/${name}`)).body;
  return { idempotencyKeys, strict };
};

test('sandbox settings: a sandbox has those of the server, or its own', async () => {
  const hosting = await hostingServer({ settings: { idempotencyKeys: 'off' } });
  const plain = await hosting.create({ name: 'plain' });
  const own = await hosting.create({ name: 'own', idempotencyKeys: 'on' });
  expect(await settingsOf(hosting, 'default')).toEqual({ idempotencyKeys: 'off', strict: 'off' });
  expect([plain.idempotencyKeys, own.idempotencyKeys]).toEqual(['off', 'on']);
  expect(await honoursKeys(hosting, plain.secretKey)).toBe(false);
  expect(await honoursKeys(hosting, own.secretKey)).toBe(true);
});

test('sandbox settings: a change holds from the next request on, and after a restart', async () => {
  const hosting = await hostingServer({ settings: { idempotencyKeys: 'off' } });
  const { secretKey } = await hosting.create({ name: 'ci' });
  expect(await honoursKeys(hosting, secretKey)).toBe(false);
  const changed = await hosting.call('PATCH /sandboxes/ci', { body: { idempotencyKeys: 'on' } });
  expect([changed.status, changed.body]).toMatchObject([200, { name: 'ci', idempotencyKeys: 'on' }]);
  expect(await honoursKeys(hosting, secretKey)).toBe(true);

  await hosting.restart();
  await hosting.call('PATCH /sandboxes/ci', { body: { strict: 'on' } });
  expect(await settingsOf(hosting, 'ci')).toEqual({ idempotencyKeys: 'off', strict: 'on' });
  expect(await honoursKeys(hosting, secretKey)).toBe(false);
  await hosting.call('PATCH /sandboxes/ci', { body: { strict: 'off' } });
  expect(await settingsOf(hosting, 'ci')).toEqual({ idempotencyKeys: 'on', strict: 'off' });
});

test('sandbox settings: a change while the sandbox is being opened is kept', async () => {
  const hosting = await hostingServer({ settings: { idempotencyKeys: 'off' } });
  const { secretKey } = await hosting.create({ name: 'ci' });
  const [, changed] = await Promise.all([
    hosting.call('GET /v1/customers', { key: secretKey }),
    hosting.call('PATCH /sandboxes/ci', { body: { idempotencyKeys: 'on' } }),
  ]);
  expect(changed.body.idempotencyKeys).toBe('on');
  expect(await honoursKeys(hosting, secretKey)).toBe(true);
  await hosting.restart();
  expect((await settingsOf(hosting, 'ci')).idempotencyKeys).toBe('on');
});

test('sandbox settings: a fork and a snapshot keep those of their source, unless they are given others', async () => {
  const source = await hostingServer({ settings: { idempotencyKeys: 'off' } });
  await source.create({ name: 'ci', idempotencyKeys: 'on' });
  const fork = await source.create({ name: 'fork', from: 'ci' });
  expect([fork.idempotencyKeys, await honoursKeys(source, fork.secretKey)]).toEqual(['on', true]);
  const strict = await source.create({ name: 'strict', from: 'ci', strict: 'on' });
  expect([strict.idempotencyKeys, strict.strict]).toEqual(['off', 'on']);

  const { body: snapshot } = await source.call('POST /sandboxes/ci/snapshots');
  const copy = await source.create({ from: snapshot.id });
  expect([copy.idempotencyKeys, copy.strict]).toEqual(['on', 'off']);
  const { raw } = await source.call(`GET /sandboxes/ci/snapshots/${snapshot.id}`);
  const target = await hostingServer({ settings: { idempotencyKeys: 'off', strict: 'on' } });
  const restored = await target.call('POST /sandboxes/restore', { raw });
  expect(restored.body).toMatchObject({ idempotencyKeys: 'on', strict: 'off' });
  expect(await honoursKeys(target, restored.body.secretKey)).toBe(true);
  const changed = await target.call('POST /sandboxes/restore?strict=on', { raw });
  expect(changed.body).toMatchObject({ idempotencyKeys: 'off', strict: 'on' });
});

test('sandbox settings: a fork, a snapshot and what is restored from it keep the pace of their source', async () => {
  const source = await hostingServer();
  const { pace } = await source.create({ name: 'plain' });
  expect([pace, (await source.create({ name: 'ci', pace: 'instant' })).pace]).toEqual(['real', 'instant']);
  expect((await source.create({ name: 'fork', from: 'ci' })).pace).toBe('instant');
  expect((await source.create({ name: 'slow', from: 'ci', pace: 'real' })).pace).toBe('real');

  const { body: snapshot } = await source.call('POST /sandboxes/ci/snapshots');
  expect((await source.create({ from: snapshot.id })).pace).toBe('instant');
  const { raw } = await source.call(`GET /sandboxes/ci/snapshots/${snapshot.id}`);
  const target = await hostingServer();
  expect((await target.call('POST /sandboxes/restore', { raw })).body.pace).toBe('instant');
  expect((await target.call('POST /sandboxes/restore?pace=real', { raw })).body.pace).toBe('real');
});

test.each<[string, string, object, number, string]>([
  ['no setting', 'ci', {}, 400, 'idempotencyKeys or `strict` or `pace` is required'],
  ['another pace', 'ci', { pace: 'slow' }, 400, 'pace'],
  ['another value', 'ci', { strict: 'yes' }, 400, 'strict'],
  [
    'keys in a strict sandbox',
    'ci',
    { strict: 'on', idempotencyKeys: 'on' },
    400,
    'idempotencyKeys must be off',
  ],
  ['an unknown sandbox', 'none', { strict: 'on' }, 404, 'sandbox'],
])('sandbox settings: %s is refused', async (_what, name, body, status, message) => {
  const { call, create } = await hostingServer();
  await create({ name: 'ci' });
  const refused = await call(`PATCH /sandboxes/${name}`, { body });
  expect([refused.status, refused.body.errors[0].message]).toEqual([
    status,
    expect.stringContaining(message),
  ]);
});

test(
  'sandbox settings: `default` keeps those of the server',
  { tags: ['refusal:default_settings'] },
  async () => {
    const { call } = await hostingServer();
    const { status, body } = await call('PATCH /sandboxes/default', { body: { strict: 'on' } });
    expect([status, body.errors[0].message]).toEqual([
      400,
      expect.stringContaining('IDEMPOTENCY_KEYS, STRICT or PACE'),
    ]);
  },
);

test(
  'sandbox settings: they do not change while the sandbox is recorded',
  { tags: ['refusal:sandbox_is_recorded'] },
  async () => {
    const { call, create } = await hostingServer();
    const { secretKey: key } = await create({ name: 'ci' });
    const recording = await call('POST /sandbox/recordings', { key, body: {} });
    const body = { strict: 'on' };
    expect((await call('PATCH /sandboxes/ci', { body })).status).toBe(409);
    await call(`DELETE /sandbox/recordings/${recording.body.id}`, { key });
    expect((await call('PATCH /sandboxes/ci', { body })).status).toBe(200);
  },
);

test('sandbox settings: a test world takes them as options', async () => {
  const postTwice = async (options: Parameters<typeof startWorld>[0]) => {
    const world = await startWorld(options);
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'order-1' };
    const post = () => world.api.raw('POST', '/v1/payment-sessions', JSON.stringify(SESSION), headers);
    const ids = [(await post()).body, (await post()).body].map(({ id }) => id as string);
    await world.close();
    return new Set(ids).size;
  };
  expect(await postTwice({ idempotencyKeys: 'on' })).toBe(1);
  expect(await postTwice({ idempotencyKeys: 'off' })).toBe(2);
  expect(await postTwice({ idempotencyKeys: 'on', strict: 'on' })).toBe(2);
});
