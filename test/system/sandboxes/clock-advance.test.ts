import { Agent, request } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import type { Json } from '../kit/http-call.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';

const DAY = 86_400;

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

/** Calls the API of a server on one connection, one request after the other. */
function onOneConnection({ url, secretKey }: Tapbench) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: secretKey, 'content-type': 'application/json' };
  const send = (method: string, path: string, body?: object) =>
    new Promise<{ status: number; body: Json }>((resolve, reject) => {
      const sent = request(url + path, { method, headers, agent }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode!, body: JSON.parse(text) }));
      });
      sent.on('error', reject);
      sent.end(body && JSON.stringify(body));
    });
  return { send, close: () => agent.destroy() };
}

const CARD = {
  name: 'Sam Shopper',
  number: '4242424242424242',
  expiryMonth: '12',
  expiryYear: '2040',
  cvc: '123',
};

test('clock: a subscription is billed when the reply to the advance is there, each of 20 times', async () => {
  const tapbench = await fixture.tapbench({ command: 'server' });
  const receiver = await fixture.receiver();
  const { send, close } = onOneConnection(tapbench);
  const endpoint = { url: receiver.url, active: true, eventTypes: ['Subscription.updated'] };
  await send('POST', '/v1/webhooks', endpoint);
  const { body: customer } = await send('POST', '/v1/customers', { email: 'sam@example.com' });
  const price = { amount: 900, currency: 'GBP', interval: { unit: 'Days', count: 7 } };
  const { body: subscription } = await send('POST', '/v1/subscriptions', {
    customer: { id: customer.id },
    price,
  });
  const { clientSecret } = subscription.paymentSessions.initial;
  await send('POST', '/v1/payment-sessions/attempt-payment', { clientSecret, cardDetails: CARD });
  const seen: number[] = [];
  for (let week = 0; week < 20; week += 1) {
    const { body } = await send('POST', '/sandbox/clock/advance', { seconds: 7 * DAY + 1 });
    expect(body.pending).toEqual({ jobs: 0, deliveries: 0 });
    seen.push((await send('GET', `/v1/subscriptions/${subscription.id}`)).body.billingDetail.currentCycle);
    expect(receiver.deliveries.at(-1)?.event.data.billingDetail.currentCycle).toBe(seen.at(-1));
  }
  expect(seen).toEqual(Array.from({ length: 20 }, (_, week) => week + 2));
  const sessions = await send('GET', `/v1/subscriptions/${subscription.id}/payment-sessions?limit=50`);
  const times: number[] = sessions.body.items.map(({ createdTimestamp }: Json) => createdTimestamp);
  // Cycles are counted from the approval of the first payment, which may be in another second than its creation.
  const billed = times.slice(0, -1);
  expect(billed).toEqual(billed.map((_, index) => billed[0]! - index * 7 * DAY));
  expect(billed).toHaveLength(20);
  close();
});

test('clock: a capture is refused eight days after the approval, each of 12 times', async () => {
  const tapbench = await fixture.tapbench({ command: 'server' });
  const { send, close } = onOneConnection(tapbench);
  for (let round = 0; round < 12; round += 1) {
    const terms = { amount: 1_000, currency: 'GBP', captureFlow: 'Manual', customerEmail: 'sam@example.com' };
    const { body: session } = await send('POST', '/v1/payment-sessions', terms);
    const attempt = { clientSecret: session.clientSecret, cardDetails: CARD };
    expect((await send('POST', '/v1/payment-sessions/attempt-payment', attempt)).body.status).toBe(
      'Approved',
    );
    await send('POST', '/sandbox/clock/advance', { seconds: 8 * DAY });
    expect((await send('POST', `/v1/payment-sessions/${session.id}/captures`, {})).status).toBe(400);
  }
  close();
});

test('clock: the command prints the time that it reached, and a terminal that waits for a card has given up by then', async () => {
  const tapbench = await fixture.tapbench();
  const { id } = tapbench.terminals[0]!;
  await tapbench.api('POST', `/sandbox/terminals/${id}/cardholder`, { script: 'none' });
  const payment = { amounts: { requested: 1_000 }, currency: 'GBP' };
  const started = await tapbench.api('POST', `/v1/in-person/terminals/${id}/payment`, payment);
  const given = ['--url', tapbench.url, '--data-dir', tapbench.dataDir!];
  const advanced = await fixture.run(['clock', 'advance', '1d', ...given]);
  expect([advanced.code, advanced.stdout]).toEqual([
    0,
    expect.stringMatching(/^\S+Z {2}1 d ahead of real time\n$/),
  ]);
  expect(started.status).toBe(200);
  const { body } = await tapbench.api('GET', `/v1/in-person/terminals/${id}`);
  expect(body.action).toMatchObject({
    id: started.body.action.id,
    status: 'Failed',
    error: { code: 'timeout' },
  });
});
