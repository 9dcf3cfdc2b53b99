import { expect, test } from 'vitest';
import { createCliFixture } from '../cli-fixture.ts';

const EVENT = {
  id: 'ev_1',
  eventType: 'PaymentSession.captured',
  data: { id: 'ps_1', status: 'Captured' },
  endpoints: [] as object[],
  createdTimestamp: Date.UTC(2026, 0, 5, 9, 30) / 1000,
  deliveryStatus: 'None',
};
const endpoint = (attempts: number) => ({ webhookId: 'wh_1', acknowledged: false, attempts });

test('events: lists the latest with their objects and deliveries', async () => {
  const on = createCliFixture();
  const action = { id: 'tml_1', action: { status: 'InProgress' } };
  const items = [
    EVENT,
    { ...EVENT, id: 'ev_2', data: action, deliveryStatus: 'Success', endpoints: [endpoint(1)] },
    { ...EVENT, id: 'ev_3', data: {}, deliveryStatus: 'Pending', endpoints: [endpoint(2), endpoint(3)] },
  ];
  on.answer('GET /v1/events', { status: 200, body: { items, paginationToken: null } });
  expect(await on.run('events')).toBe(0);
  expect(on.requests[0]!.path).toBe('/v1/events?limit=20');
  const [heading, ...rows] = on.out.trimEnd().split('\n');
  expect(heading).toMatch(/^TIME \(UTC\) +EVENT +OBJECT +DELIVERY +ID$/);
  expect(rows[0]).toMatch(/^2026-01-05T09:30:00 {2}PaymentSession.captured {2}ps_1 {2}Captured +- +ev_1$/);
  expect(rows[1]).toContain('tml_1  InProgress  Success, 1 attempt ');
  expect(rows[2]).toMatch(/Pending, 5 attempts +ev_3$/);
});

test('events --limit: reads as many pages as it takes', async () => {
  const on = createCliFixture();
  const page = (count: number, paginationToken: string | null) => ({
    status: 200,
    body: { items: Array.from({ length: count }, () => EVENT), paginationToken },
  });
  on.answer('GET /v1/events', page(50, 'a'), page(10, 'b'));
  expect(await on.run('events', '--limit', '60', '--json')).toBe(0);
  expect(JSON.parse(on.out)).toHaveLength(60);
  expect(on.requests.map(({ path }) => path)).toEqual([
    '/v1/events?limit=50',
    '/v1/events?limit=10&startsAfter=a',
  ]);
});

test('events: ends with the last page, and says how to make the first happen', async () => {
  const on = createCliFixture();
  on.answer('GET /v1/events', { status: 200, body: { items: [], paginationToken: null } });
  expect(await on.run('events', '--limit', '60')).toBe(0);
  expect([on.out, on.err]).toEqual(['', "no events; 'tapbench trigger' makes any happen\n"]);
  expect(on.requests).toHaveLength(1);
});

test('events: prints one event whole', async () => {
  const on = createCliFixture();
  on.answer('GET /v1/events/ev_1', { status: 200, body: EVENT });
  expect(await on.run('events', 'ev_1')).toBe(0);
  expect(JSON.parse(on.out)).toEqual(EVENT);
});

test('events deliver: sends an event again, and says to how many webhooks', async () => {
  const on = createCliFixture();
  const sent = { ...EVENT, endpoints: [endpoint(1)] };
  on.answer('POST /sandbox/events/ev_1/deliver', { status: 200, body: sent }, { status: 200, body: EVENT });
  expect(await on.run('events', 'deliver', 'ev_1')).toBe(0);
  expect(await on.run('events', 'deliver', 'ev_1')).toBe(0);
  expect(on.out).toBe('ev_1 is sent to 1 webhook\nev_1 is sent to 0 webhooks\n');
});
