import { expect, test } from 'vitest';
import { Type } from '../../../../../protocol/schema.ts';
import { Refusal, type RefusalName } from '../../../../../server/platform/http/refusals.ts';
import { route, type Route } from '../../../../../server/platform/http/route.ts';
import { smallServer, type Answer, type SmallServer } from '../small-server.ts';

const HOUR_MS = 3_600_000;
const BODY = { name: 'first' };

/** A server where idempotency keys work. */
const keyedServer: typeof smallServer = (routes, settings, ...more) =>
  smallServer(routes, { idempotencyKeys: 'on', ...settings }, ...more);

const common = {
  tag: 'Note',
  summary: 'Create a note',
  section: 'Test',
  reply: Type.Object({ count: Type.Number() }),
} as const;

/** Adds one to a number in the store, and returns it. */
const noteRoute = (more: Partial<Parameters<typeof route>[0]> = {}): Route =>
  route({
    ...common,
    operation: 'POST /notes',
    accountHeader: true,
    body: Type.Object({ name: Type.String({ maxLength: 20 }) }),
    handle: ({ services }) => services.store.transaction((tx) => countUp(tx)),
    ...more,
  });

async function countUp(tx: Parameters<Parameters<SmallServer['services']['store']['transaction']>[0]>[0]) {
  await tx.run(
    `INSERT INTO settings (name, value) VALUES ('notes', '1')
     ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(settings.value AS INTEGER) + 1 AS TEXT)`,
  );
  const row = await tx.get<{ value: string }>(`SELECT value FROM settings WHERE name = 'notes'`);
  return { count: Number(row!.value) };
}

async function countOf({ services }: SmallServer): Promise<number> {
  const row = await services.store.get<{ value: string }>(`SELECT value FROM settings WHERE name = 'notes'`);
  return Number(row?.value ?? 0);
}

const post = (server: SmallServer, key: string, body: unknown = BODY, headers = {}): Promise<Answer> =>
  server.call('POST /v1/notes', { body, headers: { 'idempotency-key': key, ...headers } });

/** A promise, and the function that resolves it. */
function held() {
  let release!: () => void;
  const until = new Promise<void>((resolve) => (release = resolve));
  return { until, release };
}

test('idempotency key: the same request again gets the first answer, byte for byte, and nothing is done', async () => {
  const server = await keyedServer([noteRoute()]);
  const first = await post(server, 'order-1');
  const again = await post(server, 'order-1');
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
  expect(again.headers['content-type']).toBe(first.headers['content-type']);
  expect(await countOf(server)).toBe(1);
  expect(server.activities.filter(({ kind }) => kind === 'call.answered')).toHaveLength(1);
  expect((await post(server, 'order-2')).body).toEqual({ count: 2 });
});

test('idempotency key: another body or path is refused, and so is a public key in place of a secret one', async () => {
  const other = noteRoute({ operation: 'POST /notes/{id}' });
  const server = await keyedServer([noteRoute({ access: 'public' }), other]);
  await post(server, 'order-1');
  const refused = [
    await post(server, 'order-1', { name: 'second' }),
    await server.call('POST /v1/notes/1', { body: BODY, headers: { 'idempotency-key': 'order-1' } }),
    await server.call('POST /v1/notes?a=1', { body: BODY, headers: { 'idempotency-key': 'order-1' } }),
    await post(server, 'order-1', BODY, { authorization: server.services.settings.publicKey }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
  expect(await countOf(server)).toBe(1);
});

test('idempotency key: a request of another account with the same key is another request', async () => {
  const server = await keyedServer([noteRoute()]);
  await post(server, 'order-1');
  const ofSubAccount = await post(server, 'order-1', { name: 'second' }, { account: server.subAccountId });
  expect([ofSubAccount.status, ofSubAccount.body]).toEqual([200, { count: 2 }]);
});

test.each(['prepare', 'handle'] as const)(
  'idempotency key: while the first request waits in `%s`, the same request is refused with Retry-After',
  async (where) => {
    const [begun, gate] = [held(), held()];
    async function wait() {
      begun.release();
      await gate.until;
    }
    const routes = {
      prepare: noteRoute({ prepare: wait }),
      handle: noteRoute({
        worksOutside: true,
        async handle({ services }) {
          await wait();
          return services.store.transaction(countUp);
        },
      }),
    };
    const server = await keyedServer([routes[where]]);
    const first = post(server, 'order-1');
    await begun.until;
    const second = await post(server, 'order-1');
    expect([second.status, second.headers['retry-after']]).toEqual([409, '1']);
    expect((await post(server, 'order-1', { name: 'second' })).status).toBe(422);
    gate.release();
    expect((await first).body).toEqual({ count: 1 });
    expect((await post(server, 'order-1')).text).toBe((await first).text);
  },
);

test('idempotency key: a request without one keeps nothing, and one with another method is not a repetition', async () => {
  const read = route({ ...common, operation: 'GET /notes', handle: async () => ({ count: 0 }) });
  const server = await keyedServer([noteRoute(), read]);
  await server.call('POST /v1/notes', { body: BODY });
  const headers = { 'idempotency-key': '' };
  expect((await server.call('GET /v1/notes', { headers })).status).toBe(200);
  expect(await server.services.store.all('SELECT * FROM idempotency_keys')).toEqual([]);
});

test('idempotency key: 1 to 255 characters are accepted', async () => {
  const server = await keyedServer([noteRoute()]);
  const statuses = [];
  for (const length of [0, 1, 255, 256]) statuses.push((await post(server, 'k'.repeat(length))).status);
  expect(statuses).toEqual([400, 200, 200, 400]);
});

test('idempotency key: a refusal of the handler is kept, with what it wrote undone', async () => {
  const refusing = noteRoute({
    async handle({ services }) {
      await services.store.transaction(countUp);
      throw new Refusal('balance_short', { available: 0 });
    },
  });
  const server = await keyedServer([refusing]);
  const first = await post(server, 'order-1');
  const again = await post(server, 'order-1');
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(await countOf(server)).toBe(0);
});

test.each(['no_credentials', 'public_key', 'rate_exceeded', 'stopping'] satisfies RefusalName[])(
  'idempotency key: the refusal %s is not kept',
  async (name) => {
    let times = 0;
    const server = await keyedServer([
      noteRoute({
        handle: ({ services }) => {
          if (times++ === 0) throw new Refusal(name);
          return services.store.transaction(countUp);
        },
      }),
    ]);
    expect((await post(server, 'order-1')).status).not.toBe(200);
    const again = await post(server, 'order-1');
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, undefined]);
  },
);

test('idempotency key: neither a fault nor the refusal of a body is kept', async () => {
  let times = 0;
  const failing = noteRoute({
    async handle({ services }) {
      const counted = await services.store.transaction(countUp);
      if (times++ === 0) throw new Error('the wire broke');
      return counted;
    },
  });
  const server = await keyedServer([failing]);
  expect((await post(server, 'order-1', { name: 'x'.repeat(21) })).status).toBe(400);
  expect((await post(server, 'order-1')).status).toBe(500);
  // What the first attempt wrote is undone.
  expect((await post(server, 'order-1')).body).toEqual({ count: 1 });
});

test('idempotency key: it is kept for 24 hours of real time, whatever the time of the sandbox', async () => {
  const server = await keyedServer([noteRoute()]);
  await post(server, 'order-1');
  await server.clock.advance(48 * HOUR_MS);
  await server.realClock.advance(24 * HOUR_MS - 1);
  expect((await post(server, 'order-1')).body).toEqual({ count: 1 });
  await server.realClock.advance(1);
  expect((await post(server, 'order-1', { name: 'second' })).body).toEqual({ count: 2 });
});

test('idempotency key: a request that is not answered within its lease is done by the next attempt, and only by it', async () => {
  const [begun, gate] = [held(), held()];
  let times = 0;
  const slow = noteRoute({
    async prepare() {
      if (times++ > 0) return;
      begun.release();
      await gate.until;
    },
  });
  const server = await keyedServer([slow]);
  const first = post(server, 'order-1');
  await begun.until;
  await server.realClock.advance(9_999);
  expect((await post(server, 'order-1')).status).toBe(409);
  await server.realClock.advance(1);
  const second = await post(server, 'order-1');
  expect(second.body).toEqual({ count: 1 });
  gate.release();
  expect((await first).status).toBe(409);
  expect(await countOf(server)).toBe(1);
  expect((await post(server, 'order-1')).text).toBe(second.text);
});

test('idempotency key: the store holds neither the key nor the body nor the answer as text', async () => {
  const secret = noteRoute({
    reply: Type.Object({ secret: Type.String() }),
    handle: async () => ({ secret: 'whsec-1234' }),
  });
  const server = await keyedServer([secret]);
  const first = await post(server, 'order-1', { name: 'body-5678' });
  const [row] = await server.services.store.all('SELECT * FROM idempotency_keys');
  const stored = JSON.stringify(row);
  expect(row).toMatchObject({ status: 200 });
  for (const text of [
    'order-1',
    'body-5678',
    'whsec-1234',
    Buffer.from('whsec-1234').toString('base64url'),
  ]) {
    expect(stored).not.toContain(text);
  }
  expect((await post(server, 'order-1', { name: 'body-5678' })).text).toBe(first.text);
});

test('idempotency key: an activity of the handler is emitted after the commit, and not when its work is undone', async () => {
  const changed = { kind: 'terminal.changed', terminalId: 'tm_1' } as const;
  const emitting = noteRoute({
    async handle({ services, body }) {
      services.activities.emit(changed);
      await services.store.transaction(async (tx) => tx.afterCommit(() => services.activities.emit(changed)));
      if ((body as typeof BODY).name === 'bad') throw new Error('the wire broke');
      return { count: 0 };
    },
  });
  const server = await keyedServer([emitting]);
  const emitted = () => server.activities.filter(({ kind }) => kind === 'terminal.changed');
  await post(server, 'order-1', { name: 'bad' });
  expect(emitted()).toEqual([]);
  await post(server, 'order-2');
  expect(emitted()).toEqual([changed, changed]);
});

test('idempotency key: a form is the same request whatever its boundary', async () => {
  const upload = noteRoute({
    upload: true,
    body: Type.Object({ name: Type.String() }),
  });
  const server = await keyedServer([upload]);
  const send = (boundary: string, content: string) =>
    server.call('POST /v1/notes', {
      raw: [
        `--${boundary}\r\ncontent-disposition: form-data; name="name"\r\n\r\nfirst\r\n`,
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n`,
        `content-type: image/png\r\n\r\n${content}\r\n--${boundary}--\r\n`,
      ].join(''),
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'idempotency-key': 'file-1' },
    });
  const first = await send('one', 'pixels');
  expect(first.body).toEqual({ count: 1 });
  const again = await send('two', 'pixels');
  expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  expect((await send('three', 'other pixels')).status).toBe(422);
});

test.each([{ idempotencyKeys: 'off' }, { idempotencyKeys: 'on', strict: 'on' }] as const)(
  'idempotency key: with %j it is ignored under /v1 and works under /sandbox',
  async (settings) => {
    const control = noteRoute({ operation: 'POST /sandbox/notes', surface: 'sandbox', accountHeader: false });
    const server = await keyedServer([noteRoute(), control], settings);
    const first = await post(server, 'order-1');
    const again = await post(server, 'order-1', { name: 'second' });
    expect([first.body, again.body]).toEqual([{ count: 1 }, { count: 2 }]);
    expect(again.headers['idempotent-replayed']).toBeUndefined();
    // Too long to be a key.
    expect((await post(server, 'k'.repeat(256))).status).toBe(200);
    const headers = { 'idempotency-key': 'order-1' };
    const controls = [
      await server.call('POST /sandbox/notes', { body: BODY, headers }),
      await server.call('POST /sandbox/notes', { body: BODY, headers }),
    ];
    expect(controls.map(({ body }) => body)).toEqual([{ count: 4 }, { count: 4 }]);
    const warnings = server.logged.filter((line) => line.includes('which is ignored'));
    expect(warnings).toEqual([expect.stringContaining('POST /notes')]);
  },
);

test('idempotency key: of the dashboard it works under /v1 also where it is off, as browsers send requests again', async () => {
  const server = await smallServer([noteRoute({ access: 'dashboard' })], { idempotencyKeys: 'off' });
  const { dashboardToken } = server.services.settings;
  const send = (authorization: string) => post(server, 'button-1', BODY, { authorization });
  expect((await send(dashboardToken)).body).toEqual({ count: 1 });
  expect((await send(dashboardToken)).body).toEqual({ count: 1 });
  expect((await post(server, 'button-1')).body).toEqual({ count: 2 });
});
