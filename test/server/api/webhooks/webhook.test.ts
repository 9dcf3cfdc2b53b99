import { expect, test } from 'vitest';
import { webhooks } from '../../../../server/api/webhooks/webhook.records.ts';
import type { Webhook } from '../../../../server/api/webhooks/webhook.schema.ts';
import { START_MS, startEventServer } from '../../platform/outbox/event-server.ts';

const NEW = { url: 'https://shop.test/hook', active: true, eventTypes: ['PaymentSession.captured'] };
const START = START_MS / 1000;

interface Refused {
  errors: { code: string; message: string }[];
}

test(
  'POST /webhooks: registers an endpoint and returns its secret, only then',
  { tags: ['spec:4.2/POST/webhooks', 'spec:4.2/GET/webhooks/{webhookId}'] },
  async () => {
    const { call, clock } = await startEventServer();
    const created = await call<Webhook & { secret: string }>('POST /webhooks', { body: NEW });
    expect(created.status).toBe(200);
    const { id, secret, ...rest } = created.body;
    expect(id).toMatch(/^wh_[0-9a-f-]{36}$/);
    expect(secret).toMatch(/^whs_[0-9a-f-]{36}$/);
    expect(rest).toEqual({ ...NEW, createdTimestamp: START });

    const shown = { id, ...NEW, createdTimestamp: START, lastUpdatedTimestamp: START };
    expect((await call(`GET /webhooks/${id}`)).body).toEqual(shown);
    expect((await call('GET /webhooks')).body).toEqual({ items: [shown] });

    await clock.advance(5_000);
    const changed = await call(`PATCH /webhooks/${id}`, { body: { active: false } });
    expect(changed).toEqual({
      status: 200,
      body: { ...shown, active: false, lastUpdatedTimestamp: START + 5 },
    });
  },
);

test(
  "GET /webhooks: returns the platform's endpoints newest first, whatever the Account header says",
  { tags: ['spec:4.2/GET/webhooks', 'spec:4.2/endpoints-newest-first'] },
  async () => {
    const { call, subAccountId: account } = await startEventServer();
    const first = await call<Webhook>('POST /webhooks', { body: NEW, account });
    const second = await call<Webhook>('POST /webhooks', { body: NEW });
    const { body } = await call<{ items: Webhook[] }>('GET /webhooks', { account });
    expect(body.items.map(({ id }) => id)).toEqual([second.body.id, first.body.id]);
    expect((await call(`GET /webhooks/${first.body.id}`)).status).toBe(200);
    expect((await call(`GET /webhooks/${second.body.id}`, { account: 'nonsense' })).status).toBe(200);
  },
);

test(
  'PATCH /webhooks/{webhookId}: changes the fields that are sent; null is no change',
  { tags: ['spec:4.2/PATCH/webhooks/{webhookId}'] },
  async () => {
    const { call } = await startEventServer();
    const { id } = (await call<Webhook>('POST /webhooks', { body: NEW })).body;
    const change = { url: 'http://127.0.0.1:3000/other', active: null };
    const changed = await call<Webhook>(`PATCH /webhooks/${id}`, { body: change });
    expect(changed.body).toMatchObject({ ...NEW, url: change.url });
    const types = ['Dispute.closed', 'Customer.created', 'Dispute.closed'];
    const tidied = await call<Webhook>(`PATCH /webhooks/${id}`, { body: { eventTypes: types } });
    expect(tidied.body.eventTypes).toEqual(['Dispute.closed', 'Customer.created']);
    expect((await call<Webhook>(`PATCH /webhooks/${id}`, { body: {} })).body).toEqual(tidied.body);
  },
);

test(
  'DELETE /webhooks/{webhookId}: deletes the endpoint and its secret',
  { tags: ['spec:4.2/DELETE/webhooks/{webhookId}'] },
  async () => {
    const { call, services } = await startEventServer();
    const { id } = (await call<Webhook>('POST /webhooks', { body: NEW })).body;
    expect(await call(`DELETE /webhooks/${id}`, { body: {} })).toEqual({ status: 200, body: { id } });
    for (const operation of ['GET', 'PATCH', 'DELETE']) {
      expect((await call(`${operation} /webhooks/${id}`, { body: {} })).status, operation).toBe(404);
    }
    expect((await call('GET /webhooks')).body).toEqual({ items: [] });
    expect(await services.store.get(`SELECT secret FROM webhooks WHERE id = ?`, id)).toEqual({ secret: '' });
  },
);

test("GET /webhooks/{webhookId}: another platform's endpoint is not found", async () => {
  const { call, services } = await startEventServer();
  const id = services.ids.make('webhook');
  const webhook = { ...NEW, id, accountId: services.ids.make('account'), secret: 'whs_x', eventTypes: [] };
  await services.store.transaction((tx) => webhooks.insert(tx, webhook, START_MS));
  expect((await call(`GET /webhooks/${id}`)).status).toBe(404);
  expect((await call('GET /webhooks')).body).toEqual({ items: [] });
});

test('POST /webhooks: refuses an invalid body by the name of the field', async () => {
  const { call } = await startEventServer();
  const { id } = (await call<Webhook>('POST /webhooks', { body: NEW })).body;
  const wrong: [object, string][] = [
    [{ ...NEW, url: undefined }, 'url is required'],
    [{ ...NEW, url: 7 }, 'url must be a string'],
    [{ ...NEW, active: undefined }, 'active is required'],
    [{ ...NEW, active: 'yes' }, 'active must be a boolean'],
    [{ ...NEW, eventTypes: undefined }, 'eventTypes is required'],
    [{ ...NEW, eventTypes: [] }, 'eventTypes must have at least 1 item'],
    [{ ...NEW, eventTypes: 'Dispute.closed' }, 'eventTypes must be an array'],
    [{ ...NEW, eventTypes: ['Dispute.closed', 'Dispute.lost'] }, 'eventTypes.1 must be one of: ['],
    [{ ...NEW, eventTypes: ['terminal.action_updated'] }, 'eventTypes.0 must be one of: ['],
  ];
  for (const [body, message] of wrong) {
    const answer = await call<Refused>('POST /webhooks', { body });
    expect(answer.status, message).toBe(400);
    expect(answer.body.errors[0]!.code).toBe('invalid_field');
    expect(answer.body.errors[0]!.message).toContain(message);
  }
  const changed = await call<Refused>(`PATCH /webhooks/${id}`, { body: { eventTypes: ['Nothing.at_all'] } });
  expect(changed.body.errors[0]!.message).toContain('eventTypes.0 must be one of: [');
});

test('POST /webhooks: a url can be called as written, and has no credentials in it', async () => {
  const { call } = await startEventServer();
  const { id } = (await call<Webhook>('POST /webhooks', { body: NEW })).body;
  const wrong = [
    '',
    'shop.test/hook',
    '/hook',
    '//shop.test/hook',
    'ftp://shop.test/hook',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http:shop.test/hook',
    'http:/shop.test/hook',
    'http:///shop.test/hook',
    'http:\\\\shop.test',
    'https://',
    'https://shop.test:99999/',
    'https://[::1/',
    'https://a b.test/',
    ' https://shop.test/',
    'https://shop.test/\n',
    'https://user:password@shop.test/',
    'https://user@shop.test/',
    `https://shop.test/${'x'.repeat(2048)}`,
  ];
  for (const url of wrong) {
    for (const operation of ['POST /webhooks', `PATCH /webhooks/${id}`]) {
      const { status, body } = await call<Refused>(operation, { body: { ...NEW, url } });
      expect(status, `${operation} ${url}`).toBe(400);
      expect(body.errors[0]!.code).toBe('invalid_field');
      expect(body.errors[0]!.message).toMatch(/^url must /);
      expect(body.errors[0]!.message).not.toContain('password@');
    }
  }
  const longest = `https://shop.test/${'x'.repeat(2048 - 'https://shop.test/'.length)}`;
  expect((await call('POST /webhooks', { body: { ...NEW, url: longest } })).status).toBe(200);
});

test(
  'POST /webhooks: with live keys a url is https and public',
  { tags: ['refusal:webhook_private'] },
  async () => {
    const { call, outgoing } = await startEventServer({ mode: 'live' });
    const messageOf = async (url: string) => {
      const { status, body } = await call<Refused>('POST /webhooks', { body: { ...NEW, url } });
      return status === 200 ? 'registered' : body.errors[0]!.message;
    };
    outgoing.privateUrls.add('https://intranet.test/hook');
    expect(await messageOf('http://shop.test/hook')).toBe('url must be https');
    expect(await messageOf('https://intranet.test/hook')).toBe('url must not resolve to a private address');
    expect(await messageOf('https://shop.test/hook')).toBe('registered');
  },
);

test(
  'POST /webhooks: a platform has at most fifty endpoints',
  { tags: ['spec:8/endpoint-limit'] },
  async () => {
    const { call } = await startEventServer();
    const [first] = await Promise.all(
      Array.from({ length: 50 }, () => call<Webhook>('POST /webhooks', { body: NEW })),
    );
    const { status, body } = await call<Refused>('POST /webhooks', { body: NEW });
    expect([status, body.errors]).toEqual([
      400,
      [{ code: 'bad_request', message: 'an account can have at most 50 webhook endpoints' }],
    ]);
    await call(`DELETE /webhooks/${first!.body.id}`);
    expect((await call('POST /webhooks', { body: NEW })).status).toBe(200);
  },
);
