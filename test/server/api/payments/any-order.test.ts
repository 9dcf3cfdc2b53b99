import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checker } from '../../../../protocol/schema.ts';
import { PaymentSession } from '../../../../server/api/payments/payment-session.schema.ts';
import { PaymentTransaction } from '../../../../server/api/payments/payment-transaction.schema.ts';
import { card, CARDS, encoded, type Checkout } from '../../../kit/checkout.ts';
import { paymentServer } from './payment-server.ts';

const [SESSION, TRANSACTION] = [checker(PaymentSession), checker(PaymentTransaction)];

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const amounts = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: -5, max: 3000 }));
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 });
/** Now and then, since most of these are refused. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const often = <T>(arbitrary: fc.Arbitrary<T>) => ({ weight: 3, arbitrary });

/** One call on a session, good or bad; `nth` picks among what there is to pick from. */
const calls = fc.oneof(
  fc.record({
    call: fc.constant('attempt' as const),
    number: fc.constantFrom(...Object.values(CARDS), '4242424242424241'),
    cvc: fc.constantFrom('123', '222', undefined),
    store: fc.boolean(),
  }),
  fc.record({ call: fc.constant('token' as const) }),
  fc.record({
    call: fc.constant('continue' as const),
    data: fc.constantFrom(
      { fingerprint: encoded({ threeDSCompInd: 'Y' }) },
      { challengeResult: encoded({ transStatus: 'Y' }) },
      { challengeResult: encoded({ transStatus: 'N' }) },
      { challengeResult: 'x' },
      { appAuthentication: {} },
    ),
  }),
  fc.record({
    call: fc.constant('update' as const),
    change: fc.record(
      { amount: amounts, platformFee: amounts, captureFlow: fc.constantFrom('Manual', 'Automatic') },
      { requiredKeys: [] },
    ),
  }),
  often(
    fc.record({
      call: fc.constant('captures' as const),
      amount: some(amounts),
      captureType: some(fc.constantFrom('Final', 'NotFinal')),
      platformFee: rarely(amounts),
      split: rarely(amounts),
    }),
  ),
  fc.record({ call: fc.constant('voids' as const) }),
  often(
    fc.record({
      call: fc.constant('refunds' as const),
      amount: some(amounts),
      refundPlatformFee: fc.boolean(),
      nth: fc.nat({ max: 3 }),
      named: fc.boolean(),
      split: fc.boolean(),
    }),
  ),
);
type Call = typeof calls extends fc.Arbitrary<infer T> ? T : never;

const PAY: Call = { call: 'attempt', number: CARDS.plain, cvc: '123', store: true };

const GO_ON: Call = { call: 'continue', data: { challengeResult: encoded({ transStatus: 'Y' }) } };

interface Stage {
  shop: Checkout;
  session: Json;
  subAccountId: string;
  token: string | undefined;
}

function make(stage: Stage, call: Call): Promise<Json> {
  const { shop, session } = stage;
  switch (call.call) {
    case 'attempt': {
      const options = { paymentMethodOptions: { store: call.store } };
      return shop.attempt(session, { cardDetails: card(call.number, { cvc: call.cvc }), ...options });
    }
    case 'token':
      return shop.attempt(session, { paymentMethod: { id: stage.token ?? 'pmt_x' } });
    case 'continue':
      return shop.goOn(session, call.data);
    case 'update':
      return shop.update(session, call.change);
    case 'voids':
      return shop.move(session, 'voids');
    case 'captures': {
      const { call: _name, split, ...body } = call;
      const items = [{ accountId: stage.subAccountId, amount: split }];
      return shop.move(session, 'captures', { ...body, ...(split !== undefined && { splits: { items } }) });
    }
    case 'refunds':
      return refund(stage, call);
  }
}

async function refund({ shop, session }: Stage, call: Extract<Call, { call: 'refunds' }>): Promise<Json> {
  const captures = (await shop.transactions(session)).filter(({ type }) => type === 'Capture');
  const capture = captures[call.nth % Math.max(captures.length, 1)];
  const split = call.split && capture?.splitPaymentDetail?.items[0];
  return shop.move(session, 'refunds', {
    refundPlatformFee: call.refundPlatformFee,
    ...(call.named && capture && { captureTransaction: { id: capture.id } }),
    ...(split
      ? {
          splits: {
            items: [
              {
                id: split.id,
                amount: call.amount,
              },
            ],
          },
        }
      : { amount: call.amount }),
  });
}

const sum = (rows: Json[], member = 'amount') => rows.reduce((total, row) => total + (row[member] ?? 0), 0);

/** What must hold of a session and its transactions at every moment. */
async function expectSound(shop: Checkout, session: Json): Promise<Json> {
  const now = await shop.read(session);
  const rows = (await shop.transactions(session)).filter(({ status }) => status === 'Succeeded');
  const of = (type: string) => rows.filter((row) => row.type === type);
  const [authorised, captures, refunds] = [of('Authorization'), of('Capture'), of('Refund')];
  expect(authorised.length).toBeLessThanOrEqual(1);
  expect(sum(captures)).toBeLessThanOrEqual(sum(authorised));
  expect(sum(refunds)).toBeLessThanOrEqual(sum(captures));
  expect(sum(captures, 'refundedAmount')).toBe(sum(refunds));
  expect(now.refundedAmount).toBe(sum(refunds));
  for (const capture of captures) {
    expect(capture.refundedAmount).toBeLessThanOrEqual(capture.amount);
    expect(capture.platformFee ?? 0).toBeLessThanOrEqual(capture.amount);
    expect(capture.platformFeeRefundedAmount ?? 0).toBeLessThanOrEqual(capture.platformFee ?? 0);
    expect(sum(capture.splitPaymentDetail?.items ?? [])).toBeLessThanOrEqual(capture.amount);
  }
  for (const part of captures.flatMap((capture) => capture.splitPaymentDetail?.items ?? [])) {
    const back = refunds.flatMap(({ splitPaymentDetail }) => splitPaymentDetail?.items ?? []);
    expect(sum(back.filter(({ id }: Json) => id === part.id))).toBeLessThanOrEqual(part.amount);
  }
  if (now.status === 'Voided') expect([captures, of('Void').length]).toEqual([[], 1]);
  if (now.status === 'Captured') expect(captures.length).toBeGreaterThan(0);
  expect(now.requiredAction !== undefined).toBe(now.status === 'PendingAction');
  return now;
}

test(
  'payment session: any sequence of calls keeps it consistent and causes no fault',
  { timeout: 30_000 },
  async () => {
    const { shop, branch, subAccountId } = await paymentServer();
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('platform', 'branch'),
        fc.constantFrom('Manual', 'Manual', 'Automatic'),
        fc.array(calls, { minLength: 4, maxLength: 10 }),
        fc.constantFrom([], [PAY], [{ ...PAY, number: CARDS.challenge }, GO_ON]),
        async (who, captureFlow, sequence, begins) => {
          const caller = who === 'branch' ? branch : shop;
          const fee = who === 'branch' ? { platformFee: 50 } : {};
          const stage: Stage = {
            shop: caller,
            session: await caller.session({ amount: 1000, captureFlow, ...fee }),
            subAccountId,
            token: undefined,
          };
          for (const call of [...begins, ...sequence]) {
            const answer = await make(stage, call);
            seen.add(`${call.call} ${answer.status}`);
            const done = ['captures', 'voids', 'refunds'].includes(call.call) ? 202 : 200;
            expect([done, 400, 404], JSON.stringify(call)).toContain(answer.status);
            const shape = done === 202 ? TRANSACTION : SESSION;
            if (answer.status === done) expect([call, shape(answer.body)]).toEqual([call, []]);
            const now = await expectSound(caller, stage.session);
            stage.token = now.paymentMethod?.tokenizedDetails?.id ?? stage.token;
          }
        },
      ),
      { numRuns: 80, seed: 20260105 },
    );
    for (const outcome of [
      'attempt 200',
      'continue 200',
      'captures 202',
      'voids 202',
      'refunds 202',
      'update 200',
    ])
      expect(seen).toContain(outcome);
  },
);
