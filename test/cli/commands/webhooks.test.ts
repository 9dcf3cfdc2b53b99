import { expect, test } from 'vitest';
import { EVENT_TYPE_NAMES } from '../../../server/api/webhooks/event-types.ts';
import { createCliFixture, refusal } from '../cli-fixture.ts';

const WEBHOOK = {
  id: 'wh_1',
  url: 'http://127.0.0.1:3000/hook',
  active: true,
  eventTypes: ['Customer.created'],
  createdTimestamp: 1,
  lastUpdatedTimestamp: 1,
};

test('webhooks: lists the endpoints, with how many event types each has', async () => {
  const on = createCliFixture();
  const items = [
    WEBHOOK,
    { ...WEBHOOK, id: 'wh_2', active: false, eventTypes: EVENT_TYPE_NAMES },
    { ...WEBHOOK, id: 'wh_3', eventTypes: EVENT_TYPE_NAMES.slice(0, 5) },
  ];
  on.answer('GET /v1/webhooks', { status: 200, body: { items } });
  expect(await on.run('webhooks')).toBe(0);
  expect(on.out.split('\n').map((line) => line.split(/  +/).slice(0, 3))).toEqual([
    ['ID', 'STATE', 'EVENTS'],
    ['wh_1', 'active', 'Customer.created'],
    ['wh_2', 'inactive', 'all'],
    ['wh_3', 'active', 'PaymentSession.approved, PaymentSession.captured and 3 more'],
    [''],
  ]);
});

test('webhooks: says how to register the first, and prints JSON', async () => {
  const on = createCliFixture();
  on.answer('GET /v1/webhooks', { status: 200, body: { items: [] } });
  expect(await on.run('webhooks')).toBe(0);
  expect([on.out, on.err]).toEqual(['', "no webhooks; 'tapbench webhooks add URL' registers one\n"]);
  expect(await on.run('webhooks', '--json')).toBe(0);
  expect(JSON.parse(on.out)).toEqual([]);
});

test('webhooks add: registers an endpoint for all events or some, and prints its secret', async () => {
  const on = createCliFixture();
  on.answer('POST /v1/webhooks', { status: 200, body: { ...WEBHOOK, secret: 'whs_1' } });
  expect(await on.run('webhooks', 'add', WEBHOOK.url)).toBe(0);
  expect(on.requests[0]!.body).toEqual({ url: WEBHOOK.url, active: true, eventTypes: EVENT_TYPE_NAMES });
  expect(on.out).toBe('Webhook  wh_1\nSecret   whs_1\n');
  expect(await on.run('webhooks', 'add', WEBHOOK.url, '--events', 'Customer.created, Payout.created')).toBe(
    0,
  );
  expect(on.requests[1]!.body).toMatchObject({ eventTypes: ['Customer.created', 'Payout.created'] });
});

test('webhooks add: an unknown event type, and a missing address, are refused before the call', async () => {
  const on = createCliFixture();
  expect(await on.run('webhooks', 'add', WEBHOOK.url, '--events', 'Customer.made')).toBe(1);
  expect(await on.run('webhooks', 'add')).toBe(1);
  expect(on.err).toContain("--events: 'Customer.made' is not an event type");
  expect(on.err).toContain('URL is missing');
  expect(on.requests).toEqual([]);
});

test('webhooks delete: deletes it, or prints why not', async () => {
  const on = createCliFixture();
  const gone = refusal(404, 'the webhook does not exist');
  on.answer('DELETE /v1/webhooks/wh_1', { status: 200, body: { id: 'wh_1' } }, gone);
  expect([await on.run('webhooks', 'delete', 'wh_1'), on.out]).toEqual([0, 'wh_1 deleted\n']);
  expect(await on.run('webhooks', 'delete', 'wh_1')).toBe(1);
  expect(on.err).toBe('tapbench: the webhook does not exist (404)\n');
});
