import { expect, test } from 'vitest';
import { SIGNATURE_HEADER, signatureOf } from '../../../server/platform/outbox/signature.ts';
import { createCliFixture, type CliFixture } from '../cli-fixture.ts';

const SECRET = 'whs_5d0f2a68-1c3b-4e7a-9b1d-2f6c8e0a4b91';
const EVENT = { id: 'ev_1', eventType: 'PaymentSession.captured', data: { id: 'ps_1', status: 'Captured' } };

/** Plays the server: delivers `body` to the webhook that was registered, then stops the command. */
async function deliverThenStop(on: CliFixture, body: string, secret: string): Promise<void> {
  while (!on.err.includes('listening')) await new Promise((resolve) => setImmediate(resolve));
  const { url } = on.requests[0]!.body as { url: string };
  await fetch(url, { method: 'POST', body, headers: { [SIGNATURE_HEADER]: signatureOf(secret, body) } });
  on.interrupt();
}

function listener(): CliFixture {
  const on = createCliFixture();
  on.answer('POST /v1/webhooks', { status: 200, body: { id: 'wh_1', secret: SECRET } });
  on.answer('DELETE /v1/webhooks/wh_1', { status: 200, body: { id: 'wh_1' } });
  return on;
}

test('listen: registers a webhook, prints deliveries, and removes the webhook when interrupted', async () => {
  const on = listener();
  const delivered = deliverThenStop(on, JSON.stringify(EVENT), SECRET);
  expect(await on.run('listen', '--events', 'PaymentSession.captured')).toBe(0);
  await delivered;
  expect(on.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v1/webhooks',
    'DELETE /v1/webhooks/wh_1',
  ]);
  expect(on.requests[0]?.body).toMatchObject({ active: true, eventTypes: ['PaymentSession.captured'] });
  expect(on.out).toMatch(/^\d\d:\d\d:\d\d {2}✓ signed {2}PaymentSession\.captured +ps_1 {2}Captured\n$/);
});

test('listen: marks a wrong signature', async () => {
  const on = listener();
  const delivered = deliverThenStop(on, JSON.stringify(EVENT), 'whs_other');
  expect(await on.run('listen')).toBe(0);
  await delivered;
  expect(on.out).toContain('✗ signature is wrong');
});

test('listen: --json prints one line for each delivery', async () => {
  const on = listener();
  const delivered = deliverThenStop(on, JSON.stringify(EVENT), SECRET);
  expect(await on.run('listen', '--json')).toBe(0);
  await delivered;
  expect(JSON.parse(on.out)).toEqual({ signed: true, event: EVENT });
});

test('listen: continues after a body that is not an event', async () => {
  const on = listener();
  const delivered = deliverThenStop(on, 'null and void', SECRET);
  expect(await on.run('listen')).toBe(0);
  await delivered;
  expect(on.out).toContain('not an event');
});
