import { expect, test } from 'vitest';
import { EVENT_TYPE_NAMES } from '../../../server/api/webhooks/event-types.ts';
import { createCliFixture, refusal, type CliFixture } from '../cli-fixture.ts';

const EVENT = {
  id: 'ev_1',
  eventType: 'Customer.created',
  data: { id: 'cus_1' },
  endpoints: [{ webhookId: 'wh_1', acknowledged: false, attempts: 0 }],
};

/** A server that creates a customer, and has recorded this event. */
function serverWith(event: object): CliFixture {
  const on = createCliFixture();
  on.answer('POST /v1/customers', { status: 200, body: { id: 'cus_1' } });
  on.answer('GET /v1/events', { status: 200, body: { items: [event], paginationToken: null } });
  return on;
}

test('trigger: makes the calls, prints each on standard error and the event on standard output', async () => {
  const on = serverWith(EVENT);
  expect(await on.run('trigger', 'Customer.created', '--set', 'firstName=Kim', '--set', 'lastName=7')).toBe(
    0,
  );
  expect(on.requests[0]!.body).toEqual({
    email: expect.stringMatching(/^customer-[0-9a-f]{10}@example\.com$/),
    firstName: 'Kim',
    lastName: '7',
  });
  expect([on.out, on.err]).toEqual(['Customer.created  cus_1  ev_1\n', 'POST /v1/customers  200\n']);
});

test('trigger: says when no webhook receives the event, and prints it whole with --json', async () => {
  const unheard = { ...EVENT, endpoints: [] };
  const on = serverWith(unheard);
  expect(await on.run('trigger', 'Customer.created', '--json')).toBe(0);
  expect(JSON.parse(on.out)).toEqual(unheard);
  expect(on.err).toContain('no webhook receives it');
});

test('trigger: acts for the sub account of --account', async () => {
  const on = serverWith(EVENT);
  expect(await on.run('trigger', 'Customer.created', '--account', 'ac_1')).toBe(0);
  expect(on.requests[0]!.account).toBe('ac_1');
});

test('trigger: a refusal names the call, and nothing is printed on standard output', async () => {
  const on = createCliFixture();
  on.answer('POST /v1/customers', refusal(400, 'email must be an email address'));
  expect(await on.run('trigger', 'Customer.created', '--set', 'email=5')).toBe(1);
  expect(on.out).toBe('');
  expect(on.err).toContain('tapbench: POST /v1/customers: email must be an email address (400)\n');
});

test('trigger: an event that is not recorded is given up after 15 seconds', async () => {
  const on = serverWith({ ...EVENT, data: { id: 'cus_2' } });
  const startMs = on.clock.nowMs();
  expect(await on.run('trigger', 'Customer.created')).toBe(1);
  expect(on.err).toContain('Customer.created was not recorded for cus_1');
  expect(on.clock.nowMs() - startMs).toBe(15_000);
});

test('trigger --list: prints every event type with its calls, the main one marked', async () => {
  const on = createCliFixture();
  expect(await on.run('trigger', '--list')).toBe(0);
  const headings = on.out.split('\n').filter((line) => /^\w/.test(line));
  expect(headings.map((line) => line.split('  ')[0])).toEqual(EVENT_TYPE_NAMES);
  expect(on.out).toContain(
    [
      'PaymentSession.approved  the issuer authorised the payment',
      '  > session  POST /v1/payment-sessions',
      '    payment  POST /v1/payment-sessions/attempt-payment',
      '',
    ].join('\n'),
  );
  expect(on.requests).toEqual([]);
});

test('trigger --list: prints the path of one event type as JSON', async () => {
  const on = createCliFixture();
  expect(await on.run('trigger', 'Customer.deleted', '--list', '--json')).toBe(0);
  expect(JSON.parse(on.out)).toEqual([
    {
      eventType: 'Customer.deleted',
      when: 'a customer was deleted',
      steps: [
        { name: 'customer', main: true, calls: ['POST /v1/customers'] },
        { name: 'deletion', main: false, calls: ['DELETE /v1/customers/{customer.id}'] },
      ],
    },
  ]);
});

test.each([
  [[], "EVENT is missing: 'tapbench trigger --list' prints all event types"],
  [
    ['customer.created'],
    "'customer.created' is not an event type: 'tapbench trigger --list' prints all of them",
  ],
  [['Customer.created', '--set', 'email'], '--set must be a member and its value, such as amount=1742'],
])('trigger %j: is refused before any call', async (words, message) => {
  const on = createCliFixture();
  expect(await on.run('trigger', ...words)).toBe(1);
  expect(on.err).toContain(`tapbench: ${message}`);
  expect(on.requests).toEqual([]);
});
