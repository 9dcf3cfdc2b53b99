import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { hostingServer } from './hosting-server.ts';

const CUSTOMER = { email: 'sam@example.com' };
const OTHER = { email: 'kim@example.com' };

type Host = Awaited<ReturnType<typeof hostingServer>>;

/** Makes a snapshot and downloads it. */
async function saved({ call }: Pick<Host, 'call'>, sandbox: string): Promise<{ id: string; file: Buffer }> {
  const made = await call(`POST /sandboxes/${sandbox}/snapshots`);
  expect(made.status).toBe(200);
  const { raw: file } = await call(`GET /sandboxes/${sandbox}/snapshots/${made.body.id}`);
  expect(file.length).toBe(made.body.bytes);
  return { id: made.body.id, file };
}

const restore = ({ call }: Pick<Host, 'call'>, raw: Buffer, query = '') =>
  call(`POST /sandboxes/restore${query}`, { raw });

/** Changes the lines of a snapshot. */
function edited(file: Buffer, edit: (lines: string[]) => string[]): Buffer {
  const lines = gunzipSync(file).toString().trimEnd().split('\n');
  return gzipSync(`${edit(lines).join('\n')}\n`);
}

const withHeader = (file: Buffer, change: object) =>
  edited(file, ([first = '', ...rest]) => [JSON.stringify({ ...JSON.parse(first), ...change }), ...rest]);

/** Changes the lines of a snapshot but for its end, which is made anew. */
function resealed(file: Buffer, edit: (lines: string[]) => string[]): Buffer {
  return edited(file, (lines) => {
    const changed = edit(lines.slice(0, -1));
    const sha256 = createHash('sha256')
      .update(changed.map((line) => `${line}\n`).join(''))
      .digest('hex');
    const rows = changed.filter((line) => line.startsWith('[')).length;
    return [...changed, JSON.stringify({ end: { rows, sha256 } })];
  });
}

test('snapshots: one restored elsewhere has the objects, ids, webhook secrets and time, and new keys', async () => {
  const source = await hostingServer();
  const { secretKey } = await source.create({ name: 'ci' });
  const shop = source.receivers.open('shop');
  const webhook = { url: shop.url, active: true, eventTypes: ['Customer.created'] };
  const hook = await source.call('POST /v1/webhooks', { key: secretKey, body: webhook });
  const customer = await source.call('POST /v1/customers', { key: secretKey, body: CUSTOMER });
  await expect.poll(() => shop.deliveries.length).toBe(1);
  await source.call('POST /sandbox/clock/advance', { key: secretKey, body: { seconds: 86_400 } });
  const events = await source.call('GET /v1/events', { key: secretKey });
  const { file } = await saved(source, 'ci');

  const target = await hostingServer();
  await target.realClock.advance(3_600_000);
  const restored = await restore(target, file, '?name=copy');
  expect([restored.status, restored.body]).toMatchObject([200, { name: 'copy', from: 'ci' }]);
  const key = restored.body.secretKey;
  expect(key).not.toBe(secretKey);
  expect((await target.call('GET /v1/customers', { key: secretKey })).status).toBe(403);
  expect((await target.call(`GET /v1/customers/${customer.body.id}`, { key })).body).toEqual(customer.body);
  expect((await target.call('GET /v1/events', { key })).body).toEqual(events.body);
  const sourceTime = (await source.call('GET /sandbox/clock', { key: secretKey })).body.nowTimestamp;
  const time = await target.call('GET /sandbox/clock', { key });
  expect(time.body).toMatchObject({ nowTimestamp: sourceTime, offsetSeconds: 86_400 - 3_600 });

  const receiver = target.receivers.open('shop');
  expect(receiver.url).toBe(shop.url);
  await target.call('POST /v1/customers', { key, body: OTHER });
  await expect.poll(() => receiver.deliveries.length).toBe(1);
  expect(receiver.signedWith(hook.body.secret)).toBe(true);
});

test('snapshots: the time of one that is restored may be behind real time, and never goes back', async () => {
  const host = await hostingServer();
  const { file } = await saved(host, 'default');
  await host.realClock.advance(7_200_000);
  const { body } = await restore(host, file, '?name=old&expiresInSeconds=0');
  expect(body.expiresTimestamp).toBeNull();
  const time = async () => (await host.call('GET /sandbox/clock', { key: body.secretKey })).body;
  expect((await time()).offsetSeconds).toBe(-7_200);
  await host.call('POST /sandbox/clock/advance', { key: body.secretKey, body: { seconds: 60 } });
  await host.restart();
  expect((await time()).offsetSeconds).toBe(-7_140);
});

test('snapshots: a sandbox is created from a kept one, with its terminals as they stood', async () => {
  const opened: [string, boolean, unknown][] = [];
  const host = await hostingServer({
    async onOpened({ settings }, { isNew, terminals }) {
      opened.push([settings.sandbox ?? '', isNew, terminals]);
      return async () => {};
    },
  });
  const terminals = [{ terminalId: 'tml_1', state: { version: 1 } }];
  host.server.services.program.onExport(async () => terminals);
  const before = await host.call('POST /v1/customers', { body: CUSTOMER });
  const { id } = await saved(host, 'default');
  const after = await host.call('POST /v1/customers', { body: OTHER });
  const { secretKey: key, from } = await host.create({ name: 'again', from: id });
  expect(from).toBe('default');
  const statusOf = async (customer: string) =>
    (await host.call(`GET /v1/customers/${customer}`, { key })).status;
  expect([await statusOf(before.body.id), await statusOf(after.body.id)]).toEqual([200, 404]);
  await host.call('GET /v1/in-person/terminals', { key });
  expect(opened).toEqual([['again', false, terminals]]);
});

test('snapshots: they are listed and deleted, and are deleted with their sandbox', async () => {
  const host = await hostingServer();
  await host.create({ name: 'ci' });
  const first = await saved(host, 'ci');
  await host.realClock.advance(1_000);
  const second = await saved(host, 'ci');
  await host.restart();
  const listed = async (name: string) =>
    (await host.call(`GET /sandboxes/${name}/snapshots`)).body.items.map(({ id }: { id: string }) => id);
  expect(await listed('ci')).toEqual([first.id, second.id]);
  expect(await listed('default')).toEqual([]);
  expect((await host.call(`GET /sandboxes/default/snapshots/${first.id}`)).status).toBe(404);
  expect((await host.call(`DELETE /sandboxes/ci/snapshots/${first.id}`)).body).toEqual({
    id: first.id,
    deleted: true,
  });
  expect(await listed('ci')).toEqual([second.id]);
  await host.call('DELETE /sandboxes/ci');
  await host.create({ name: 'ci' });
  expect(await listed('ci')).toEqual([]);
  expect((await host.call('POST /sandboxes', { body: { from: second.id } })).status).toBe(404);
});

test('snapshots: their number is limited', { tags: ['refusal:too_many_snapshots'] }, async () => {
  const host = await hostingServer({ snapshots: { countMax: 1 } });
  await saved(host, 'default');
  const { status, body } = await host.call('POST /sandboxes/default/snapshots');
  expect([status, body.errors[0].message]).toEqual([
    409,
    'there are 1 snapshots (SNAPSHOTS_MAX): delete one first',
  ]);
});

test('snapshots: of several that are made at once as many are as there may be', async () => {
  const host = await hostingServer({ snapshots: { countMax: 2 } });
  const answers = await Promise.all([1, 2, 3, 4].map(() => host.call('POST /sandboxes/default/snapshots')));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409]);
  expect((await host.call('GET /sandboxes/default/snapshots')).body.items).toHaveLength(2);
});

test('snapshots: their size is limited', { tags: ['refusal:snapshot_too_large'] }, async () => {
  const { file } = await saved(await hostingServer(), 'default');
  const host = await hostingServer({ snapshots: { bytesMax: 1_000 } });
  const refused = [await host.call('POST /sandboxes/default/snapshots'), await restore(host, file)];
  for (const { status, body } of refused)
    expect([status, body.errors[0].message]).toEqual([
      413,
      'the snapshot is larger than 0.001 MB (SNAPSHOT_MB_MAX)',
    ]);
  expect((await host.call('GET /sandboxes/default/snapshots')).body.items).toEqual([]);
  expect((await host.call('GET /sandboxes')).body.items).toHaveLength(1);
});

test.each<[string, (file: Buffer) => Buffer]>([
  ['nothing', () => Buffer.alloc(0)],
  ['a text', () => Buffer.from('a text')],
  ['another gzip file', () => gzipSync('a text')],
  ['JSON lines', () => gzipSync('{"format":"other"}\n')],
])('snapshots: %s is no snapshot', { tags: ['refusal:not_a_snapshot'] }, async (_what, change) => {
  const host = await hostingServer();
  const { status, body } = await restore(host, change(Buffer.alloc(0)));
  expect([status, body.errors[0].message]).toEqual([400, 'the file is not a snapshot of a sandbox']);
});

test.each([
  ['format', { version: 2, writtenBy: '9.1.0' }],
  ['tables', { migration: 999, writtenBy: '9.1.0' }],
])(
  'snapshots: one with %s of a newer version is refused',
  { tags: ['refusal:snapshot_newer'] },
  async (_what, header) => {
    const host = await hostingServer();
    const { file } = await saved(host, 'default');
    const { status, body } = await restore(host, withHeader(file, header));
    expect([status, body.errors[0].message]).toEqual([
      400,
      'the snapshot was made by a newer version, Tapbench 9.1.0: upgrade this server',
    ]);
  },
);

test.each<[string, (file: Buffer) => Buffer, string]>([
  ['a part is missing', (file) => file.subarray(0, file.length - 200), 'it cannot be unpacked'],
  [
    'a line is missing',
    (file) => edited(file, (lines) => lines.toSpliced(3, 1)),
    'its checksum does not match',
  ],
  ['the end is missing', (file) => edited(file, (lines) => lines.slice(0, -1)), 'its end is missing'],
  ['a header is not valid', (file) => withHeader(file, { clockMs: 'now' }), 'its header'],
  [
    'its time is later than any clock is set to',
    (file) => withHeader(file, { clockMs: 8_640_000_000_000_000 }),
    'its header clockMs must be at most 253402300799999',
  ],
  [
    'a row is there twice',
    (file) =>
      resealed(file, (lines) => {
        const at = lines.findIndex((line) => line.startsWith('['));
        return lines.toSpliced(at, 0, lines[at]!);
      }),
    'a row is there twice',
  ],
  [
    'a value is missing',
    (file) =>
      resealed(file, (lines) => {
        const at = lines.findIndex((line) => line.startsWith('['));
        const [name] = JSON.parse(lines[at]!) as string[];
        return lines.with(at, JSON.stringify([name, null]));
      }),
    'a row has a value that its table does not take',
  ],
  [
    'the last number of a table is too high',
    (file) => resealed(file, (lines) => lines.map((line) => line.replace(/"last":\d+/, '"last":1e300'))),
    'a line has an unknown form',
  ],
  [
    'a value is changed',
    (file) => edited(file, (lines) => lines.map((line) => line.replace('Corner', 'Other'))),
    'its checksum does not match',
  ],
  [
    'a line is no line',
    (file) => edited(file, (lines) => lines.toSpliced(2, 0, '{"a":1}')),
    'a line has an unknown form',
  ],
  [
    'a line is not JSON',
    (file) => edited(file, (lines) => lines.toSpliced(2, 0, 'text')),
    'a line is not JSON',
  ],
  [
    'a row is longer',
    (file) => edited(file, (lines) => lines.toSpliced(2, 0, '[1]')),
    'a row has other values',
  ],
  [
    'a table is unknown',
    (file) =>
      edited(file, (lines) => lines.map((line) => line.replace('"table":"jobs"', '"table":"others"'))),
    'a table has other columns',
  ],
])(
  'snapshots: one is refused where %s',
  { tags: ['refusal:snapshot_damaged'] },
  async (_what, change, problem) => {
    const host = await hostingServer();
    const { file } = await saved(host, 'default');
    const { status, body } = await restore(host, change(file), '?name=copy');
    expect(status).toBe(400);
    expect(body.errors[0].message).toContain(`the snapshot is damaged: ${problem}`);
    expect((await host.call('GET /sandboxes')).body.items).toHaveLength(1);
    expect((await restore(host, file, '?name=copy')).status).toBe(200);
  },
);

test.each([
  ['?name=restore', 'name is reserved: choose another'],
  ['?name=CI', 'name must be a string that matches ^[a-z0-9-]{1,40}$'],
  ['?expiresInSeconds=1', 'expiresInSeconds must be 0, or at least 60'],
])('snapshots: a restore with %s is refused', async (query, message) => {
  const host = await hostingServer();
  const { file } = await saved(host, 'default');
  const { status, body } = await restore(host, file, query);
  expect([status, body.errors[0].message]).toEqual([400, message]);
});

test('snapshots: one restored, and a fork, count the occurrences of a fault on from where their source was', async () => {
  const { call, create } = await hostingServer();
  const { secretKey: key } = await create({ name: 'ci' });
  const when = { operation: 'GET /v1/customers', nth: 3 };
  const faults = [{ at: 'api.request', what: 'unavailable', when }];
  await call('POST /sandbox/faults', { key, body: { faults } });
  const get = async (of: string) => (await call('GET /v1/customers', { key: of })).status;
  expect([await get(key), await get(key)]).toEqual([200, 200]);
  const { file } = await saved({ call }, 'ci');
  const restored = (await restore({ call }, file, '?name=copy')).body.secretKey;
  const { secretKey: forked } = await create({ name: 'other', from: 'ci' });
  for (const one of [restored, forked, key]) expect([await get(one), await get(one)]).toEqual([503, 200]);
});
