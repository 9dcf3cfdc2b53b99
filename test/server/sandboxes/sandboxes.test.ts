import { once } from 'node:events';
import { WebSocket } from 'ws';
import { expect, test } from 'vitest';
import { listSimulated } from '../../../server/api/in-person/terminals/terminal.records.ts';
import { addDefaultTerminal } from '../../../cli/server/default-terminal.ts';
import { sandboxesRoutes } from '../../../server/sandboxes/sandbox.resource.ts';
import { smallServer } from '../platform/http/small-server.ts';
import { hostingServer } from './hosting-server.ts';

const CUSTOMER = { email: 'sam@example.com' };

test('sandboxes: a new one has keys of its own, and nothing of the one that made it', async () => {
  const { call, create } = await hostingServer();
  const made = await call('POST /v1/customers', { body: CUSTOMER });
  const { secretKey, name, url, mqttTopic } = await create({ name: 'ci' });

  expect([name, url, mqttTopic]).toEqual(['ci', 'http://tapbench.test/s/ci', 'tapbench/ci']);
  const path = `GET /v1/customers/${made.body.id}`;
  expect((await call(path)).status).toBe(200);
  expect((await call(path, { key: secretKey })).status).toBe(404);
  expect((await call('GET /v1/customers', { key: secretKey })).body.items).toEqual([]);
});

test('sandboxes: the key of one is unknown under the address of another', async () => {
  const { call, create } = await hostingServer();
  const ci = await create({ name: 'ci' });
  const branch = await create({ name: 'branch' });
  expect((await call('GET /s/ci/v1/customers', { key: ci.secretKey })).status).toBe(200);
  const refused = await Promise.all([
    call('GET /s/ci/v1/customers', { key: branch.secretKey }),
    call('GET /s/ci/v1/customers'),
    call('GET /s/default/v1/customers', { key: ci.secretKey }),
  ]);
  for (const { status, body } of refused)
    expect([status, body.errors[0].message]).toEqual([
      403,
      'the API key is unknown: use a key of this server',
    ]);
  expect((await call('GET /s/none/v1/customers')).body.errors[0].message).toBe(
    'there is nothing at /s/none/v1/customers',
  );
});

test('sandboxes: a new one has what the program of the server adds to it, and starts its terminals when they are needed', async () => {
  const opened: boolean[] = [];
  const { call, create } = await hostingServer({
    setUp: addDefaultTerminal,
    async onOpened(_services, { isNew }) {
      opened.push(isNew);
      return async () => {};
    },
  });
  const { secretKey, accountId, terminals } = await create();
  expect([opened, terminals]).toEqual([[], [{ id: terminals[0]?.id, serialNumber: 'SIM-0001' }]]);
  const account = await call('GET /v1/accounts/' + accountId, { key: secretKey });
  expect([account.status, opened]).toEqual([200, []]);
  const { body } = await call('GET /v1/in-person/terminals', { key: secretKey });
  expect([opened, body.items.map(({ id }: { id: string }) => id)]).toEqual([[false], [terminals[0]?.id]]);
});

test('sandboxes: requests wait for the terminals of one that is opened again only where they have to do with terminals', async () => {
  let connect!: () => void;
  const connected = new Promise<void>((resolve) => (connect = resolve));
  const { call, create, restart } = await hostingServer({
    async onOpened() {
      await connected;
      return async () => {};
    },
  });
  const { secretKey: key } = await create({ name: 'ci' });
  await restart();
  const answered: string[] = [];
  const ask = async (path: string) => {
    const { status } = await call(`GET ${path}`, { key });
    answered.push(path);
    return status;
  };
  const waiting = ['/v1/in-person/terminals', '/sandbox/clock', '/s/ci/sandbox/terminals'].map(ask);
  expect([await ask('/v1/customers'), answered]).toEqual([200, ['/v1/customers']]);
  connect();
  expect(await Promise.all(waiting)).toEqual([200, 200, 200]);
});

test('sandboxes: a fork of a fork that nobody has used begins with its terminals', async () => {
  const opened: [string, unknown][] = [];
  const host = await hostingServer({
    async onOpened({ settings, program }, { terminals }) {
      opened.push([settings.sandbox ?? '', terminals]);
      program.onExport(async () => terminals);
      return async () => {};
    },
  });
  const terminals = [{ terminalId: 'tml_1', state: { version: 1 } }];
  host.server.services.program.onExport(async () => terminals);
  await host.create({ name: 'fork', from: 'default' });
  const { secretKey } = await host.create({ name: 'second', from: 'fork' });
  await host.call('GET /v1/in-person/terminals', { key: secretKey });
  expect(opened).toEqual([
    ['fork', terminals],
    ['second', terminals],
  ]);
});

test('sandboxes: of one seed, each sandbox has the same ids', async () => {
  const ids = async () => {
    const { create } = await hostingServer({ setUp: addDefaultTerminal });
    const { accountId, subAccountId, terminals } = await create({ seed: 'one' });
    return [accountId, subAccountId, terminals];
  };
  expect(await ids()).toEqual(await ids());
});

test('sandboxes: of one seed, ids do not depend on when the terminals start', async () => {
  const paired: number[] = [];
  const ids = async (order: string[]) => {
    const host = await hostingServer({
      setUp: addDefaultTerminal,
      async onOpened({ settings: { secretKey: key }, store }) {
        for (const { id } of await listSimulated(store))
          paired.push((await host.call(`POST /pairing/terminals/${id}`, { key, body: {} })).status);
        return async () => {};
      },
    });
    const { secretKey: key } = await host.create({ seed: 'one' });
    const made: unknown[] = [];
    for (const operation of order) {
      const body = operation.startsWith('POST') ? { email: 'ana@corner.example' } : undefined;
      const answer = await host.call(operation, { key, body });
      if (body) made.push([answer.status, answer.body.id]);
    }
    return made;
  };
  const [create, look] = ['POST /v1/customers', 'GET /v1/in-person/terminals'];
  const early = await ids([look, create, create]);
  expect(await ids([create, look, create])).toEqual(early);
  expect(paired).toEqual([200, 200]);
});

test('sandboxes: the time of one advances alone', async () => {
  const { call, create } = await hostingServer();
  const { secretKey } = await create();
  await call('POST /sandbox/clock/advance', { key: secretKey, body: { seconds: 86_400 } });
  const offset = async (key?: string) =>
    (await call('GET /sandbox/clock', key === undefined ? {} : { key })).body.offsetSeconds;
  expect([await offset(secretKey), await offset()]).toEqual([86_400, 0]);
});

test('sandboxes: a webhook of one receives the events of that one', async () => {
  const { call, create, receivers } = await hostingServer();
  const { secretKey } = await create();
  const receiver = receivers.open('shop');
  const webhook = { url: receiver.url, active: true, eventTypes: ['Customer.created'] };
  await call('POST /v1/webhooks', { key: secretKey, body: webhook });
  await call('POST /v1/customers', { body: CUSTOMER });
  const made = await call('POST /v1/customers', { key: secretKey, body: CUSTOMER });
  await expect.poll(() => receiver.deliveries.length).toBe(1);
  expect(receiver.deliveries[0]?.event.data.id).toBe(made.body.id);
});

test('sandboxes: a fork begins with a copy of everything, and new keys', async () => {
  const { call, create } = await hostingServer();
  const source = await create({ name: 'source' });
  const before = await call('POST /v1/customers', { key: source.secretKey, body: CUSTOMER });
  await call('POST /sandbox/clock/advance', { key: source.secretKey, body: { seconds: 3_600 } });
  const fork = await create({ name: 'fork', from: 'source' });
  const after = await call('POST /v1/customers', {
    key: source.secretKey,
    body: { email: 'kim@example.com' },
  });

  expect(fork).toMatchObject({ from: 'source', accountId: source.accountId });
  expect(new Set([fork.secretKey, fork.publicKey, source.secretKey, source.publicKey]).size).toBe(4);
  const inFork = async (id: string) =>
    (await call(`GET /v1/customers/${id}`, { key: fork.secretKey })).status;
  expect([await inFork(before.body.id), await inFork(after.body.id)]).toEqual([200, 404]);
  const clock = await call('GET /sandbox/clock', { key: fork.secretKey });
  expect(clock.body.offsetSeconds).toBe(3_600);
  // The keys of one do not open the other.
  const withSourceKey = await call('GET /s/fork/v1/customers', { key: source.secretKey });
  expect(withSourceKey.status).toBe(403);
});

test('sandboxes: the sandbox default can be forked', async () => {
  const { call, create } = await hostingServer();
  const made = await call('POST /v1/customers', { body: CUSTOMER });
  const { secretKey } = await create({ from: 'default' });
  expect((await call(`GET /v1/customers/${made.body.id}`, { key: secretKey })).status).toBe(200);
});

test('sandboxes: a fork begins with the terminals of its source as they were exported, also after a restart', async () => {
  const opened: [string, boolean, unknown][] = [];
  const host = await hostingServer({
    async onOpened({ settings }, { isNew, terminals }) {
      opened.push([settings.sandbox ?? '', isNew, terminals]);
      return async () => {};
    },
  });
  host.server.services.program.onExport(async () => [{ terminalId: 'tml_1', state: { version: 1 } }]);
  const fork = await host.create({ name: 'fork', from: 'default' });
  const other = await host.create({ name: 'new' });
  for (const { secretKey } of [fork, other])
    await host.call('GET /v1/in-person/terminals', { key: secretKey });
  await host.restart();
  await host.call('GET /v1/in-person/terminals', { key: fork.secretKey });
  expect(opened).toEqual([
    ['fork', false, [{ terminalId: 'tml_1', state: { version: 1 } }]],
    ['new', true, undefined],
    ['fork', false, [{ terminalId: 'tml_1', state: { version: 1 } }]],
  ]);
});

test('sandboxes: a new one begins at the time that is asked for, and goes on from there', async () => {
  const { call, create, realClock, restart } = await hostingServer();
  const yearAgo = Math.floor(realClock.nowMs() / 1000) - 31_536_000;
  const { secretKey } = await create({ clock: yearAgo });
  const time = async () => (await call('GET /sandbox/clock', { key: secretKey })).body;
  expect(await time()).toMatchObject({ nowTimestamp: yearAgo, offsetSeconds: -31_536_000 });
  const customer = await call('POST /v1/customers', { key: secretKey, body: CUSTOMER });
  expect(customer.body.createdTimestamp).toBe(yearAgo);
  await call('POST /sandbox/clock/advance', { key: secretKey, body: { seconds: 60 } });
  await restart();
  expect(await time()).toMatchObject({ nowTimestamp: yearAgo + 60, offsetSeconds: -31_535_940 });
});

test('sandboxes: a fork begins at another time, unless something in it is younger', async () => {
  const { call, create, realClock } = await hostingServer();
  const now = Math.floor(realClock.nowMs() / 1000);
  const source = await create({ name: 'source', clock: now - 1000 });
  await call('POST /sandbox/clock/advance', { key: source.secretKey, body: { seconds: 100 } });
  await call('POST /v1/customers', { key: source.secretKey, body: CUSTOMER });
  await call('POST /sandbox/clock/advance', { key: source.secretKey, body: { seconds: 500 } });
  const refused = await call('POST /sandboxes', { body: { name: 'fork', from: 'source', clock: now - 901 } });
  expect([refused.status, refused.body.errors[0].message]).toEqual([
    400,
    `clock must be ${now - 900} or later, when the newest object in the sandbox was created or last changed`,
  ]);
  for (const clock of [now - 900, now + 1000]) {
    const fork = await create({ name: 'fork', from: 'source', clock });
    expect((await call('GET /sandbox/clock', { key: fork.secretKey })).body.nowTimestamp).toBe(clock);
    await call('DELETE /sandboxes/fork');
  }
});

test('sandboxes: the webhooks of a fork are kept without being sent to when they are off', async () => {
  const { call, create, receivers } = await hostingServer();
  const receiver = receivers.open('shop');
  const webhook = { url: receiver.url, active: true, eventTypes: ['Customer.created'] };
  const { body } = await call('POST /v1/webhooks', { body: webhook });
  const { secretKey: key } = await create({ from: 'default', webhooks: 'off' });
  const path = `/v1/webhooks/${body.id}`;
  expect((await call(`GET ${path}`, { key })).body).toMatchObject({ url: receiver.url, active: false });
  await call('POST /v1/customers', { key, body: { email: 'off@example.com' } });
  await call(`PATCH ${path}`, { key, body: { active: true } });
  await call('POST /v1/customers', { key, body: { email: 'on@example.com' } });
  await call('POST /v1/customers', { body: { email: 'source@example.com' } });
  await expect.poll(() => receiver.deliveries.length).toBe(2);
  const emails = receiver.deliveries.map(({ event }) => (event.data as { email: string }).email);
  expect(emails.toSorted()).toEqual(['on@example.com', 'source@example.com']);
});

test('sandboxes: the list has all of them without their keys', async () => {
  const { call, create } = await hostingServer();
  const ci = await create({ name: 'ci', expiresInSeconds: null });
  const { body } = await call('GET /sandboxes');
  expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['default', 'ci']);
  expect((await call('GET /sandboxes/ci')).body).toEqual(body.items[1]);
  expect(body.items[1].expiresTimestamp).toBeNull();
  for (const secret of [ci.secretKey, ci.publicKey, 'dash_'])
    expect(JSON.stringify(body)).not.toContain(secret);
});

test('sandboxes: one that is deleted is gone, and its name is free', async () => {
  const { call, create } = await hostingServer();
  const { secretKey } = await create({ name: 'ci' });
  expect(await call('DELETE /sandboxes/ci')).toMatchObject({
    status: 200,
    body: { name: 'ci', deleted: true },
  });
  expect((await call('GET /v1/customers', { key: secretKey })).status).toBe(403);
  expect((await call('GET /sandboxes/ci')).status).toBe(404);
  expect((await call('DELETE /sandboxes/ci')).status).toBe(404);
  const again = await create({ name: 'ci' });
  expect((await call('GET /v1/customers', { key: again.secretKey })).body.items).toEqual([]);
});

test('sandboxes: they are there again after a restart, with their keys and objects', async () => {
  const host = await hostingServer();
  const { secretKey } = await host.create({ name: 'ci' });
  const made = await host.call('POST /v1/customers', { key: secretKey, body: CUSTOMER });
  await host.restart();
  expect((await host.call(`GET /v1/customers/${made.body.id}`, { key: secretKey })).status).toBe(200);
});

test('sandboxes: one whose set-up was interrupted is set up when it is opened again', async () => {
  const seen: boolean[] = [];
  const { call, create } = await hostingServer({
    async onOpened(_services, { isNew }) {
      seen.push(isNew);
      if (seen.length === 1) throw new Error('interrupted');
      return async () => {};
    },
  });
  const { secretKey } = await create({ name: 'ci' });
  const statusOfUse = async () => (await call('GET /v1/in-person/terminals', { key: secretKey })).status;
  expect([await statusOfUse(), await statusOfUse(), seen]).toEqual([500, 200, [true, true]]);
});

test.each<[string, object, number, string]>([
  ['a name that is a level of topics', { name: 'terminals' }, 400, 'name is reserved: choose another'],
  [
    'a name with other characters',
    { name: 'CI_1' },
    400,
    'name must be a string that matches ^[a-z0-9-]{1,40}$',
  ],
  ['an unknown source', { from: 'none' }, 404, 'no such sandbox'],
  ['a time of a second', { expiresInSeconds: 1 }, 400, 'expiresInSeconds must be at least 60'],
])('sandboxes: %s is refused', async (_what, body, status, message) => {
  const { call, create } = await hostingServer();
  await create({ name: 'ci' });
  const answer = await call('POST /sandboxes', { body });
  expect([answer.status, answer.body.errors?.[0].message]).toEqual([status, message]);
});

test.each(['ci', 'default'])(
  'sandboxes: the name %s is taken',
  { tags: ['refusal:sandbox_exists'] },
  async (name) => {
    const { call, create } = await hostingServer();
    await create({ name: 'ci' });
    const { status, body } = await call('POST /sandboxes', { body: { name } });
    expect([status, body.errors[0].message]).toEqual([409, `there is a sandbox ${name} already`]);
  },
);

test('sandboxes: a server that keeps none refuses', { tags: ['refusal:no_sandboxes'] }, async () => {
  const { call } = await smallServer(sandboxesRoutes);
  const { status, body } = await call('POST /sandboxes', { body: {} });
  expect([status, body.errors[0].message]).toEqual([400, 'this server keeps no other sandboxes']);
});

test('sandboxes: their number is limited', { tags: ['refusal:too_many_sandboxes'] }, async () => {
  const { call, create } = await hostingServer({ countMax: 1 });
  await create();
  const { status, body } = await call('POST /sandboxes', { body: {} });
  expect([status, body.errors[0].message]).toEqual([409, 'there are 1 sandboxes: delete one first']);
});

test('sandboxes: of several that are created at once as many are as there may be', async () => {
  const { call } = await hostingServer({ countMax: 2 });
  const answers = await Promise.all([1, 2, 3, 4].map(() => call('POST /sandboxes', { body: {} })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409]);
  expect((await call('GET /sandboxes')).body.items).toHaveLength(3);
});

test(
  'sandboxes: only the key of the sandbox default makes and lists them',
  { tags: ['refusal:not_the_default_key'] },
  async () => {
    const { call, create } = await hostingServer();
    const { secretKey } = await create({ name: 'ci' });
    for (const operation of [
      'GET /sandboxes',
      'POST /sandboxes',
      'GET /sandboxes/ci',
      'DELETE /sandboxes/ci',
    ]) {
      const { status, body } = await call(operation, { key: secretKey, body: {} });
      expect([operation, status, body.errors[0].code]).toEqual([operation, 403, 'forbidden']);
    }
  },
);

test(
  'sandboxes: where the server has a key of its own, that key alone makes and lists them',
  { tags: ['refusal:not_the_host_key'] },
  async () => {
    const hostKey = 'a-key-of-the-host-that-is-long-enough';
    const { call } = await hostingServer({ settings: { hostKey } });
    const made = await call('POST /sandboxes', { key: hostKey, body: { name: 'ci' } });
    expect(made.status).toBe(200);
    const refused = await Promise.all([
      call('GET /sandboxes'),
      call('DELETE /sandboxes/ci', { key: made.body.secretKey }),
      call('GET /sandboxes', { key: 'pk_sandbox_default' }),
    ]);
    for (const { status, body } of refused)
      expect([status, body.errors[0].message]).toEqual([
        403,
        'this request requires the key that the server has in HOST_KEY',
      ]);
    expect((await call('GET /v1/customers', { key: hostKey })).status).toBe(403);
    expect((await call('GET /sandboxes', { key: hostKey })).body.items).toHaveLength(2);
  },
);

test('sandboxes: the dashboard of the sandbox default lists, creates, opens and deletes them, that of another does not', async () => {
  const { call, server } = await hostingServer();
  const key = 'dash_a-token-for-tests-that-is-long-enough';
  const made = await call('POST /sandboxes', { key, body: { name: 'ci' } });
  expect((await call('GET /sandboxes', { key })).body.items).toHaveLength(2);
  const link = await call('POST /sandboxes/ci/dashboard-link', { key });
  expect(link.body).toEqual({ dashboardUrl: made.body.dashboardUrl });
  const ofDefault = await call('POST /sandboxes/default/dashboard-link', { key });
  expect(ofDefault.body).toEqual({ dashboardUrl: `${server.services.settings.publicUrl}/#token=${key}` });
  expect((await call('POST /sandboxes/none/dashboard-link', { key })).status).toBe(404);

  const ofAnother = new URL(link.body.dashboardUrl).hash.slice('#token='.length);
  const refused = await Promise.all([
    call('GET /sandboxes', { key: ofAnother }),
    call('GET /s/ci/sandboxes', { key: ofAnother }),
    call('POST /s/ci/sandboxes/default/dashboard-link', { key: ofAnother }),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect((await call('DELETE /sandboxes/ci', { key })).status).toBe(200);
});

test('sandboxes: where the server has a host key, the dashboard of the sandbox default lists none', async () => {
  const hostKey = 'a-key-of-the-host-that-is-long-enough';
  const { call } = await hostingServer({ settings: { hostKey } });
  const key = 'dash_a-token-for-tests-that-is-long-enough';
  for (const operation of ['GET /sandboxes', 'POST /sandboxes/default/dashboard-link'])
    expect((await call(operation, { key })).status).toBe(403);
  expect((await call('POST /sandboxes/default/dashboard-link', { key: hostKey })).status).toBe(200);
});

test('sandboxes: the sandbox default is not deleted', { tags: ['refusal:default_sandbox'] }, async () => {
  const { call } = await hostingServer();
  const { status, body } = await call('DELETE /sandboxes/default');
  expect([status, body.errors[0].message]).toEqual([400, 'the sandbox default cannot be deleted']);
});

test('sandboxes: one expires after a day of real time without use, unless it never does', async () => {
  const { call, create, realClock } = await hostingServer();
  const used = await create({ name: 'used' });
  await create({ name: 'unused' });
  await create({ name: 'kept', expiresInSeconds: null });
  await realClock.advance(86_300_000);
  await call('GET /v1/customers', { key: used.secretKey });
  await realClock.advance(200_000);
  const names = async () =>
    (await call('GET /sandboxes')).body.items.map(({ name }: { name: string }) => name);
  await expect.poll(names).toEqual(['default', 'used', 'kept']);
});

test('sandboxes: a server stops although a page of a sandbox is open', async () => {
  const { server, create } = await hostingServer();
  await create({ name: 'ci' });
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  const page = new WebSocket(`${url.replace('http', 'ws')}/s/ci/dashboard/live`);
  await once(page, 'open');
  const closed = once(page, 'close');
  await server.stop();
  await closed;
});

test('sandboxes: the forms of the pages of one are sent to the same sandbox', async () => {
  const { call, create, server } = await hostingServer();
  const { secretKey: key, publicKey } = await create({ name: 'ci' });
  const actionOf = (html: string, page: string) =>
    new URL(/<form[^>]+action="([^"]+)"/.exec(html)![1]!, page).pathname;

  const email = 'ana@example.com';
  const redirectUrl = 'https://shop.example';
  const { id: accountId } = (await call('POST /v1/accounts', { key, body: { email } })).body;
  const link = await call('POST /v1/account-links', { key, body: { accountId, redirectUrl } });
  const consent = await call('POST /v1/accounts/authorize', { key, body: { email, redirectUrl } });
  for (const { url } of [link.body, consent.body]) {
    const { body } = await call(`GET ${url.replace('http://tapbench.test', '')}&as=Individual`, { key: '' });
    expect(actionOf(body, url)).toBe(new URL(url).pathname);
    expect(url).toContain('http://tapbench.test/s/ci/');
  }

  const session = { amount: 1250, currency: 'GBP', customerEmail: 'sam@example.com' };
  const { clientSecret } = (await call('POST /v1/payment-sessions', { key, body: session })).body;
  const cardDetails = { number: '4918190000000002', expiryMonth: '12', expiryYear: '2035', cvc: '123' };
  const attempt = { key: publicKey, body: { clientSecret, cardDetails } };
  const { requiredAction } = (await call('POST /v1/payment-sessions/attempt-payment', attempt)).body;
  const { acsUrl, cReq } = requiredAction.challenge;
  const { payload } = await server.http.inject({
    method: 'POST',
    url: new URL(acsUrl).pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ creq: cReq }).toString(),
  });
  expect(actionOf(payload, acsUrl)).toBe('/s/ci/three-ds/challenge/answer');
});

test('sandboxes: default was created with its store, not when the server started', async () => {
  const { call, realClock, restart } = await hostingServer();
  const created = async () => (await call('GET /sandboxes/default')).body.createdTimestamp as number;
  const first = await created();
  expect(first).toBe(Math.floor(realClock.nowMs() / 1000));
  await realClock.advance(86_400_000);
  await restart();
  expect(await created()).toBe(first);
  expect((await call('GET /sandboxes')).body.items[0]).toMatchObject({
    name: 'default',
    createdTimestamp: first,
  });
});

test('sandboxes: a request that waits in one that is deleted is refused with 403, as a later one is', async () => {
  const { call, create, realClock } = await hostingServer({ setUp: addDefaultTerminal });
  const { secretKey: key, terminals } = await create({ name: 'ci' });
  const waiting = call(`GET /sandbox/terminals/${terminals[0]!.id}?online=true&waitSeconds=10`, { key });
  expect((await call('GET /v1/customers', { key })).status).toBe(200);
  expect((await call('DELETE /sandboxes/ci')).status).toBe(200);
  await realClock.advance(1_000);
  const refused = await waiting;
  expect([refused.status, refused.body.errors[0].message]).toEqual([
    403,
    'the API key is unknown: use a key of this server',
  ]);
});
