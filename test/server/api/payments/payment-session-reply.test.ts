import { expect, test } from 'vitest';
import { paymentSessions } from '../../../../server/api/payments/payment-session.records.ts';
import { setReply } from '../../../../server/api/payments/payment-session-reply.ts';
import type { PaymentSessionRow } from '../../../../server/api/payments/payment-session-row.ts';
import { PaymentSession } from '../../../../server/api/payments/payment-session.schema.ts';
import { paymentServer, type PaymentServer } from './payment-server.ts';

/** What the replies show of one session: alone and in the list. */
async function shownIn({ http, services }: PaymentServer, id: string): Promise<unknown[]> {
  const headers = { authorization: services.settings.secretKey };
  const urls = [`/v1/payment-sessions/${id}`, '/v1/payment-sessions?limit=1'];
  const [alone, list] = await Promise.all(urls.map((url) => http.inject({ url, headers })));
  return [alone!.json(), list!.json<{ items: unknown[] }>().items[0]];
}

test('payment session reply: what is stored is what the reply to its creation and its update showed', async () => {
  const server = await paymentServer();
  const { http, services, clock } = server;
  const headers = { authorization: services.settings.secretKey };
  const request = (method: 'POST' | 'PATCH', url: string, body: object) =>
    http.inject({ method, url, headers, payload: JSON.stringify(body) });
  const created = await request('POST', '/v1/payment-sessions', {
    amount: 1742,
    currency: 'GBP',
    metadata: { note: 'a "quoted" ü' },
  });
  const { id } = created.json<{ id: string }>();
  expect(await shownIn(server, id)).toEqual([created.json(), created.json()]);

  await clock.advance(1_000);
  const updated = await request('PATCH', `/v1/payment-sessions/${id}`, { amount: 99 });
  expect(updated.json()).toMatchObject({ amount: 99 });
  expect(await shownIn(server, id)).toEqual([updated.json(), updated.json()]);
});

test.each([
  ['without a reply', 'reply = NULL, reply_version = NULL, reply_ms = NULL'],
  ['with a reply of another form', 'reply_version = -1'],
  ['that a server of an older version saved', 'updated_ms = updated_ms + 1'],
])('payment session reply: a row %s is shown as it is', async (_case, change) => {
  const server = await paymentServer();
  const { id } = await server.shop.session({ amount: 100 });
  await server.services.store.run(
    `UPDATE payment_sessions SET amount_minor = 55, ${change} WHERE id = ?`,
    id,
  );
  const shown = { id, amount: 55, clientSecret: expect.stringContaining(id) };
  expect(await shownIn(server, id)).toMatchObject([shown, shown]);
});

test('payment session reply: the client secret is not stored with it', async () => {
  const { services, shop } = await paymentServer();
  const { id, clientSecret } = await shop.session();
  const row = await services.store.get(`SELECT reply FROM payment_sessions WHERE id = ?`, id);
  expect(row!['reply']).toContain(id);
  expect(row!['reply']).not.toContain(clientSecret);
});

// When this fails, raise REPLY_VERSION: replies that are stored have the form of before.
test('payment session reply: version 1 has this form', async () => {
  const { services, shop } = await paymentServer();
  const { id } = await shop.session();
  const row: PaymentSessionRow = {
    ...(await paymentSessions.findAny(services.store, id))!,
    id: 'ps_1',
    customer_email: 'a@example.com',
    created_ms: 1_000,
    updated_ms: 2_000,
  };
  setReply(row);
  const { reply, reply_version: version } = row;
  expect({
    version,
    members: Object.keys(PaymentSession.properties).join(' '),
    reply,
  }).toMatchInlineSnapshot(`
    {
      "members": "id amount currency paymentType entryMode customerEmail customerId customerDetails credentialOnFileUsage previousPayment rebillingDetail enabledPaymentMethods paymentMethod platformFee splitPaymentDetail status metadata clientSecret lastError refundedAmount statementDescriptor requiredAction returnUrl authorizationType captureFlow verifyAccount shippingDetails orderDetails paymentSettings createdTimestamp lastUpdatedTimestamp",
      "reply": "{"id":"ps_1","amount":1250,"currency":"GBP","paymentType":"Standard","entryMode":"Online","enabledPaymentMethods":["Card"],"splitPaymentDetail":{"items":[]},"status":"PendingPayment","metadata":{},"refundedAmount":0,"statementDescriptor":{"descriptor":"Tapbench Platform","city":"London"},"returnUrl":"https://example.com/return","authorizationType":"FinalAuth","captureFlow":"Automatic","createdTimestamp":1,"lastUpdatedTimestamp":2,"customerEmail":"a@example.com"}",
      "version": 1,
    }
  `);
});
