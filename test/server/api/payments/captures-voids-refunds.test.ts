import { expect, test } from 'vitest';
import { paymentServer } from './payment-server.ts';
import { expectRows, refusalOf } from './expect-refusals.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const NO_CAPTURE = 'txn_01J9Z5W8A0B1C2D3E4F5G6H7J8_01J9Z5W8A0B1C2D3E4F5G6H7J8';
const NO_SPLIT = 'sp_01J9Z5W8A0B1C2D3E4F5G6H7J8';

test(
  'captures, voids, refunds: allowed by the state of the payment',
  {
    tags: [
      'spec:1/capture-void-refund',
      'spec:2.2/refund-after-capture',
      'spec:3/capture-and-void',
      'spec:4.1/capture-and-void',
    ],
  },
  async () => {
    const { shop } = await paymentServer();
    const held = { captureFlow: 'Manual' };
    const stands: Record<string, () => Promise<Json>> = {
      'not paid': () => shop.session(held),
      'waiting for its cardholder': async () => shop.pay(await shop.session(held), '4918190000000002'),
      approved: () => shop.approved(),
      'captured in part': async () => {
        const session = await shop.approved();
        await shop.move(session, 'captures', { amount: 500, captureType: 'NotFinal' });
        return session;
      },
      'captured by hand': async () => {
        const session = await shop.approved();
        await shop.move(session, 'captures');
        return session;
      },
      'captured by itself': () => shop.captured(),
      voided: async () => {
        const session = await shop.approved();
        await shop.move(session, 'voids');
        return session;
      },
      verified: async () => shop.pay(await shop.session({ amount: 0, verifyAccount: true })),
    };
    const [no, yes] = ['400 bad_request', 'accepted'];
    const allowed: Record<string, [captures: string, voids: string, refunds: string]> = {
      'not paid': [no, no, no],
      'waiting for its cardholder': [no, no, no],
      approved: [yes, yes, no],
      'captured in part': [yes, no, no],
      'captured by hand': [no, no, yes],
      'captured by itself': [no, no, yes],
      voided: [no, no, no],
      verified: [no, yes, no],
    };
    for (const [stand, make] of Object.entries(stands)) {
      const found: string[] = [];
      for (const what of ['captures', 'voids', 'refunds'] as const) {
        const answer = await shop.move(await make(), what);
        found.push(answer.status === 202 ? yes : refusalOf(answer).split(' ').slice(0, 2).join(' '));
      }
      expect([stand, found]).toEqual([stand, allowed[stand]]);
    }
  },
);

test(
  'POST captures: captures an approved payment whole, or in part and releases the rest',
  { tags: ['spec:4.1/POST/payment-sessions/{paymentSessionId}/captures'] },
  async () => {
    const { shop } = await paymentServer();
    const whole = await shop.approved();
    expect(whole).toMatchObject({ status: 'Approved', captureFlow: 'Manual' });
    expect(await shop.move(whole, 'captures')).toMatchObject({
      status: 202,
      body: {
        id: expect.stringMatching(/^txn_/),
        paymentSessionId: whole.id,
        type: 'Capture',
        status: 'Succeeded',
        amount: 1250,
        currency: 'GBP',
        captureType: 'Final',
        refundedAmount: 0,
      },
    });
    expect(await shop.read(whole)).toMatchObject({ status: 'Captured', amount: 1250 });

    const part = await shop.approved();
    expect((await shop.move(part, 'captures', { amount: 1000 })).body).toMatchObject({ amount: 1000 });
    expect(await shop.read(part)).toMatchObject({ status: 'Captured' });
    expect((await shop.move(part, 'captures')).status).toBe(400);
    expect(refusalOf(await shop.move(part, 'refunds', { amount: 1001 }))).toContain('1 to 1000');
  },
);

test('POST captures: captures that are not final continue until a final one or until nothing is left', async () => {
  const { shop } = await paymentServer();
  const session = await shop.approved();
  for (const captureType of ['NotFinal', 'NonFinal']) {
    const { body } = await shop.move(session, 'captures', { amount: 500, captureType });
    expect(body).toMatchObject({ amount: 500, captureType: 'NotFinal' });
    expect(await shop.read(session)).toMatchObject({ status: 'Approved' });
  }
  await expectRows([
    [
      'too much',
      shop.move(session, 'captures', { amount: 251 }),
      /^400 invalid_field amount must be 1 to 250/,
    ],
    ['nothing', shop.move(session, 'captures', { amount: 0 }), /^400 invalid_field amount must be 1 to 250/],
    ['less', shop.move(session, 'captures', { amount: -1 }), /^400 invalid_field amount must be 1 to 250/],
  ]);
  await shop.move(session, 'captures', { captureType: 'NotFinal' });
  expect(await shop.read(session)).toMatchObject({ status: 'Captured' });
  const captures = (await shop.transactions(session)).filter(({ type }) => type === 'Capture');
  expect(captures.map(({ amount }) => amount)).toEqual([500, 500, 250]);
});

test(
  'POST voids: releases the whole amount, whatever the body holds',
  { tags: ['spec:4.1/POST/payment-sessions/{paymentSessionId}/voids'] },
  async () => {
    const { shop, api } = await paymentServer();
    for (const body of [undefined, '', '{}', '[]']) {
      const session = await shop.approved();
      const answer = await api.raw('POST', `/v1/payment-sessions/${session.id}/voids`, body, {
        'content-type': 'application/json',
      });
      expect(answer).toMatchObject({
        status: 202,
        body: { type: 'Void', status: 'Succeeded', amount: 1250 },
      });
      expect(await shop.read(session)).toMatchObject({ status: 'Voided', refundedAmount: 0 });
    }
  },
);

test(
  'POST refunds: refunds in parts, never more than was captured',
  { tags: ['spec:4.1/POST/payment-sessions/{paymentSessionId}/refunds', 'spec:3/refund-keeps-captured'] },
  async () => {
    const { shop } = await paymentServer();
    const session = await shop.captured();
    const reason = 'r'.repeat(250);
    const { status, body } = await shop.move(session, 'refunds', { amount: 250, reason });
    expect([status, body]).toMatchObject([202, { type: 'Refund', status: 'Succeeded', amount: 250, reason }]);
    expect(await shop.read(session)).toMatchObject({ status: 'Captured', refundedAmount: 250 });
    await expectRows([
      [
        'too much',
        shop.move(session, 'refunds', { amount: 1001 }),
        /^400 invalid_field amount must be 1 to 1000/,
      ],
      ['nothing', shop.move(session, 'refunds', { amount: 0 }), /^400 invalid_field amount/],
      ['a negative amount', shop.move(session, 'refunds', { amount: -5 }), /^400 invalid_field amount/],
      ['no reason at all', shop.move(session, 'refunds', { reason: '' }), /^400 invalid_field reason/],
      ['a long reason', shop.move(session, 'refunds', { reason: `${reason}!` }), /^400 invalid_field reason/],
      [
        'a fee that there is not',
        shop.move(session, 'refunds', { refundPlatformFee: true }),
        /^400 bad_request .*no platform fee/,
      ],
      [
        'no such capture',
        shop.move(session, 'refunds', { captureTransaction: { id: NO_CAPTURE } }),
        /^404 not_found no such capture/,
      ],
      [
        'no such split',
        shop.move(session, 'refunds', { splits: { items: [{ id: NO_SPLIT }] } }),
        /^404 not_found no such split/,
      ],
    ]);
    expect((await shop.move(session, 'refunds')).body).toMatchObject({ amount: 1000 });
    expect(await shop.read(session)).toMatchObject({ status: 'Captured', refundedAmount: 1250 });
    expect(refusalOf(await shop.move(session, 'refunds'))).toMatch(
      /^400 bad_request .*already fully refunded/,
    );
    const [, captured] = await shop.transactions(session);
    expect(captured).toMatchObject({ type: 'Capture', refundedAmount: 1250 });
  },
);

test('POST refunds: with several captures, the capture has to be named', async () => {
  const { shop } = await paymentServer();
  const session = await shop.approved();
  const first = (await shop.move(session, 'captures', { amount: 500, captureType: 'NotFinal' })).body;
  const second = (await shop.move(session, 'captures')).body;
  const of = ({ id }: Json, more: object = {}) => ({ captureTransaction: { id }, ...more });
  await expectRows([
    ['none named', shop.move(session, 'refunds'), /^400 bad_request captureTransaction.id is required/],
    [
      'more than the first',
      shop.move(session, 'refunds', of(first, { amount: 501 })),
      /^400 invalid_field amount must be 1 to 500/,
    ],
  ]);
  const { body } = await shop.move(session, 'refunds', of(second));
  expect(body).toMatchObject({ amount: 750, captureTransaction: { id: second.id } });
  await expectRows([
    [
      'the second again',
      shop.move(session, 'refunds', of(second)),
      /^400 bad_request .*already fully refunded/,
    ],
  ]);
  expect((await shop.move(session, 'refunds', of(first, { amount: 500 }))).status).toBe(202);
  expect(await shop.read(session)).toMatchObject({ refundedAmount: 1250 });
});

test('POST captures, refunds: the platform fee goes with the first capture unless one is named, and back in proportion', async () => {
  const { branch } = await paymentServer();
  const session = await branch.approved({ platformFee: 100 });
  const part = { amount: 500, captureType: 'NotFinal' };
  await expectRows([
    [
      'more than is captured',
      branch.move(session, 'captures', { amount: 99 }),
      /^400 invalid_field platformFee/,
    ],
  ]);
  const first = (await branch.move(session, 'captures', { ...part, platformFee: 60 })).body;
  const second = (await branch.move(session, 'captures', part)).body;
  expect([first.platformFee, second.platformFee]).toEqual([60, undefined]);
  expect(await branch.read(session)).toMatchObject({ platformFee: 60 });
  await branch.move(session, 'captures');

  const back = (change: object) =>
    branch.move(session, 'refunds', {
      captureTransaction: { id: first.id },
      refundPlatformFee: true,
      ...change,
    });
  await back({ amount: 125 });
  expect((await branch.transactions(session))[1]).toMatchObject({ platformFeeRefundedAmount: 15 });
  await back({});
  expect((await branch.transactions(session))[1]).toMatchObject({
    refundedAmount: 500,
    platformFee: 60,
    platformFeeRefundedAmount: 60,
  });
});

test('POST captures, refunds: splits go with the capture, and each is refunded up to what is left', async () => {
  const { shop, subAccountId } = await paymentServer();
  const items = [
    { accountId: subAccountId, amount: 600, fee: { amount: 60 }, metadata: { part: 'one' } },
    { accountId: subAccountId, amount: 400, description: 'Two' },
  ];
  const session = await shop.captured({ splits: { items } });
  const [, capture] = await shop.transactions(session);
  const [one, two] = capture.splitPaymentDetail.items;
  expect(capture.splitPaymentDetail).toEqual(session.splitPaymentDetail);
  expect(one).toEqual({ id: expect.stringMatching(/^sp_/), ...items[0] });

  const back = (...parts: object[]) => ({ splits: { items: parts } });
  await expectRows([
    [
      'more than the part',
      shop.move(session, 'refunds', back({ id: one.id, amount: 601 })),
      /^400 invalid_field .*1 to 600/,
    ],
    [
      'more than its fee',
      shop.move(session, 'refunds', back({ id: one.id, fee: { amount: 61 } })),
      /^400 invalid_field .*at most 60/,
    ],
    [
      'the same twice',
      shop.move(session, 'refunds', back({ id: one.id, amount: 1 }, { id: one.id, amount: 1 })),
      /^400 invalid_field splits.items must not repeat/,
    ],
    [
      'another sum',
      shop.move(session, 'refunds', { amount: 99, ...back({ id: one.id, amount: 100 }) }),
      /^400 bad_request amount must be 100/,
    ],
  ]);
  const some = await shop.move(session, 'refunds', {
    ...back({ id: one.id, amount: 200, fee: { amount: 20 } }),
    refundPlatformFee: true, // changes nothing beside splits
  });
  expect(some.body).toMatchObject({
    amount: 200,
    splitPaymentDetail: {
      items: [{ id: one.id, accountId: subAccountId, amount: 200, fee: { amount: 20 } }],
    },
  });
  const rest = await shop.move(session, 'refunds', back({ id: one.id }, { id: two.id }));
  expect(rest.body).toMatchObject({ amount: 800 });
  await expectRows([
    [
      'nothing of it left',
      shop.move(session, 'refunds', back({ id: one.id })),
      /^400 invalid_field .*1 to 0/,
    ],
  ]);
  expect((await shop.move(session, 'refunds')).body.amount).toBe(250);
});

test(
  'POST captures: splits replace those of the session; later ones are not written to it',
  { tags: ['spec:2.2/splits-of-captures'] },
  async () => {
    const { shop, subAccountId } = await paymentServer();
    const split = (amount: number) => ({ splits: { items: [{ accountId: subAccountId, amount }] } });
    const session = await shop.approved(split(1000));
    const part = { amount: 400, captureType: 'NotFinal' };
    await expectRows([
      [
        'less than the splits',
        shop.move(session, 'captures', part),
        /^400 bad_request splits must add up to at most 400/,
      ],
    ]);
    const first = (await shop.move(session, 'captures', { ...part, ...split(300) })).body;
    expect((await shop.read(session)).splitPaymentDetail).toEqual(first.splitPaymentDetail);
    const second = (await shop.move(session, 'captures', { ...part, ...split(200) })).body;
    expect(second.splitPaymentDetail.items).toMatchObject([{ amount: 200 }]);
    expect((await shop.read(session)).splitPaymentDetail).toEqual(first.splitPaymentDetail);
    const third = (await shop.move(session, 'captures')).body;
    expect(third).not.toHaveProperty('splitPaymentDetail');
  },
);

test(
  'GET transactions: returns pages, and each transaction by id',
  {
    tags: [
      'spec:4.1/GET/payment-sessions/{paymentSessionId}/transactions',
      'spec:4.1/GET/payment-sessions/{paymentSessionId}/transactions/{paymentTransactionId}',
    ],
  },
  async () => {
    const { shop, api, branchApi } = await paymentServer();
    const session = await shop.captured();
    await shop.move(session, 'refunds', { amount: 1 });
    const path = `/v1/payment-sessions/${session.id}/transactions`;
    const { body: page } = await api.get(`${path}?limit=2`);
    expect(page.items.map(({ type }: Json) => type)).toEqual(['Refund', 'Capture']);
    const { body: rest } = await api.get(`${path}?limit=2&startsAfter=${page.paginationToken}`);
    expect([rest.items.map(({ type }: Json) => type), rest.paginationToken]).toEqual([
      ['Authorization'],
      null,
    ]);
    const [refund] = page.items;
    expect((await api.get(`${path}/${refund.id}`)).body).toEqual(refund);
    expect((await api.get(`${path}/${NO_CAPTURE}`)).status).toBe(404);
    expect((await branchApi.get(`${path}/${refund.id}`)).status).toBe(404);
    for (const what of ['captures', 'voids', 'refunds'])
      expect((await branchApi.post(`/v1/payment-sessions/${session.id}/${what}`)).status).toBe(404);
  },
);
