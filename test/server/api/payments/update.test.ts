import { expect, test } from 'vitest';
import { paymentServer } from './payment-server.ts';
import { expectRows } from './expect-refusals.ts';

test(
  'PATCH /payment-sessions/{paymentSessionId}: changes an unpaid session, and keeps fields that are not sent',
  { tags: ['spec:4.1/PATCH/payment-sessions/{paymentSessionId}', 'spec:2.2/customer-reference'] },
  async () => {
    const { shop, api, subAccountId } = await paymentServer();
    const session = await shop.session({ customerEmail: undefined, metadata: { order: '1', left: 'yes' } });
    const customer = (await api.post('/v1/customers', { email: 'kim@example.com' })).body;
    const address = { country: 'GB', postalCode: 'LS1 1AA' };
    const line = { reference: 'r', name: 'Tea', quantity: 1, unitPrice: 5, taxAmount: 1, totalAmount: 6 };
    const change = {
      amount: 2e3,
      captureFlow: 'Manual',
      returnUrl: 'https://shop.example/other',
      customerEmail: 'sam@example.com',
      metadata: { order: '2' },
      shippingDetails: { address },
      orderDetails: { items: [line] },
      customerDetails: {
        id: customer.id,
        firstName: 'Kim',
      },
      paymentSettings: { paymentMethodOptions: { disabled: ['Amex'] } },
    };
    const { status, body } = await shop.update(session, change);
    expect([status, body]).toMatchObject([200, { ...change, id: session.id, customerId: customer.id }]);
    expect(body.metadata).toEqual({ order: '2' });
    expect(body.clientSecret).toBe(session.clientSecret);
    expect((await shop.update(session, {})).body).toMatchObject({ amount: 2000, metadata: { order: '2' } });

    const items = [{ accountId: subAccountId, amount: 2000 }];
    expect((await shop.update(session, { splits: { items } })).body.splitPaymentDetail.items).toMatchObject(
      items,
    );
    await expectRows([
      ['less than its splits', shop.update(session, { amount: 1999 }), /^400 bad_request splits must add up/],
    ]);
    const { body: without } = await shop.update(session, { splits: { items: [] }, amount: 1999 });
    expect(without.splitPaymentDetail).toEqual({ items: [] });
    expect(await shop.pay(session)).toMatchObject({ status: 'Approved', amount: 1999 });
  },
);

test('PATCH /payment-sessions/{paymentSessionId}: has the rules of a new session', async () => {
  const { shop, branch } = await paymentServer();
  const session = await shop.session();
  const ofBranch = await branch.session({ platformFee: 1000 });
  const verification = await shop.session({ amount: 0, verifyAccount: true });
  await expectRows([
    ['too little', shop.update(session, { amount: 29 }), /^400 invalid_field amount must be 30 to/],
    ['a fee of its own', shop.update(session, { platformFee: 1 }), /^400 invalid_field platformFee requires/],
    [
      'less than its fee',
      branch.update(ofBranch, { amount: 999 }),
      /^400 invalid_field platformFee must be at most/,
    ],
    [
      'a verification of an amount',
      shop.update(verification, { amount: 100 }),
      /^400 bad_request .*amount 0/,
    ],
    [
      'captured by itself',
      shop.update(verification, { captureFlow: 'Automatic' }),
      /^400 bad_request .*automatically/,
    ],
    [
      'an invalid returnUrl',
      shop.update(session, { returnUrl: 'http://shop.example' }),
      /^400 invalid_field returnUrl/,
    ],
    [
      'no such customer',
      shop.update(session, { customerDetails: { id: 'cus_x' } }),
      /^404 not_found no such customer/,
    ],
    [
      'eleven entries',
      shop.update(session, { metadata: Object.fromEntries([...'abcdefghijk'].map((key) => [key, 'v'])) }),
      /^400 invalid_field metadata/,
    ],
    ["another account's", branch.update(session, {}), /^404 not_found/],
  ]);
});

test(
  'PATCH /payment-sessions/{paymentSessionId}: refused for an approved, captured or voided session',
  { tags: ['spec:3/no-update-after-approval', 'spec:7/approved-session'] },
  async () => {
    const { shop } = await paymentServer();
    const approved = await shop.approved();
    const captured = await shop.captured();
    const voided = await shop.approved();
    await shop.move(voided, 'voids');
    const final = /^400 bad_request the payment session can no longer be paid or updated/;
    await expectRows([
      ['approved', shop.update(approved, { metadata: { a: 'b' } }), final],
      ['captured', shop.update(captured, { metadata: { a: 'b' } }), final],
      ['voided', shop.update(voided, { metadata: { a: 'b' } }), final],
    ]);
  },
);

test("PATCH /payment-sessions/{paymentSessionId}: of an in-person session only the merchant's notes can change", async () => {
  const { shop, services } = await paymentServer();
  const session = await shop.session();
  await services.store.run(`UPDATE payment_sessions SET entry_mode = 'InPerson' WHERE id = ?`, session.id);
  await expectRows([
    ['the amount', shop.update(session, { amount: 100 }), /^400 bad_request .*only metadata/],
    ['the notes', shop.update(session, { metadata: { till: '3' } }), 'accepted'],
  ]);
});

test(
  'PATCH /payment-sessions/{paymentSessionId}: splits exclude a passed-on processing fee, whenever they are sent',
  { tags: ['spec:2.2/no-splits-with-passed-on-fee'] },
  async () => {
    const { shop, subAccountId } = await paymentServer();
    const splits = { items: [{ accountId: subAccountId, amount: 100 }] };
    const passedOn = { passThroughProcessingFee: true, captureFlow: 'Manual' };
    const session = await shop.session(passedOn);
    expect(session).not.toHaveProperty('passThroughProcessingFee');
    const refused = /^400 bad_request splits cannot be combined with passThroughProcessingFee/;
    await expectRows([
      ['in an update', shop.update(session, { splits }), refused],
      ['in a capture', shop.move(await shop.approved(passedOn), 'captures', { splits }), refused],
      ['no splits', shop.update(session, { splits: { items: [] } }), 'accepted'],
    ]);
  },
);
