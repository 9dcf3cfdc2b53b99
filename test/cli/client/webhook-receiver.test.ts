import { expect, onTestFinished, test } from 'vitest';
import { startWebhookReceiver, type Delivery } from '../../../cli/client/webhook-receiver.ts';
import { SIGNATURE_HEADER, signatureOf } from '../../../server/platform/outbox/signature.ts';

const SECRET = 'whs_5d0f2a68-1c3b-4e7a-9b1d-2f6c8e0a4b91';
const BODY = '{"id":"ev_1","eventType":"PaymentSession.captured"}';

async function receiver(forward?: { url: string; fetch: typeof fetch }) {
  const deliveries: Delivery[] = [];
  const running = await startWebhookReceiver({
    fetch: forward?.fetch ?? fetch,
    secret: Promise.resolve(SECRET),
    ...(forward && { forward: forward.url }),
    onDelivery: (delivery) => void deliveries.push(delivery),
  });
  onTestFinished(() => running.close());
  const deliver = (signature: string, body = BODY) =>
    fetch(running.url, { method: 'POST', body, headers: { [SIGNATURE_HEADER]: signature } });
  return { deliveries, deliver, url: running.url };
}

test('startWebhookReceiver: verifies the signature of a delivery', async () => {
  const { deliveries, deliver } = await receiver();
  expect((await deliver(signatureOf(SECRET, BODY))).status).toBe(200);
  expect((await deliver(signatureOf('whs_other', BODY))).status).toBe(200);
  expect((await deliver('')).status).toBe(200);
  expect(deliveries).toEqual([
    { body: BODY, signed: true, forwarded: undefined },
    { body: BODY, signed: false, forwarded: undefined },
    { body: BODY, signed: false, forwarded: undefined },
  ]);
});

test('startWebhookReceiver: forwards body and signature unchanged and returns the status of the reply', async () => {
  const passed: unknown[] = [];
  const behind = (async (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    passed.push([url, Buffer.from(init.body as Uint8Array).toString(), headers.get(SIGNATURE_HEADER)]);
    return new Response('', { status: 418 });
  }) as typeof fetch;
  const { deliveries, deliver } = await receiver({ url: 'http://till.test/hook', fetch: behind });
  const signature = signatureOf(SECRET, BODY);
  expect((await deliver(signature)).status).toBe(418);
  expect(passed).toEqual([['http://till.test/hook', BODY, signature]]);
  expect(deliveries).toEqual([{ body: BODY, signed: true, forwarded: '418' }]);
});

test('startWebhookReceiver: replies 502 when the forward cannot be reached', async () => {
  const nobody = (() =>
    Promise.reject(
      new TypeError('fetch failed', { cause: new Error('connection refused') }),
    )) as typeof fetch;
  const { deliveries, deliver } = await receiver({ url: 'http://till.test/hook', fetch: nobody });
  expect((await deliver(signatureOf(SECRET, BODY))).status).toBe(502);
  expect(deliveries[0]?.forwarded).toBe('no answer: connection refused');
});

test('startWebhookReceiver: rejects requests that are not deliveries', async () => {
  const { deliveries, deliver, url } = await receiver();
  expect((await fetch(url)).status).toBe(405);
  expect((await deliver('', 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
  expect(deliveries).toEqual([]);
});
