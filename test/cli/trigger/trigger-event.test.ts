import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseMemberChange } from '../../../cli/trigger/member-change.ts';
import { triggerEvent, fillReferences } from '../../../cli/trigger/trigger-event.ts';
import { EVENT_TYPE_NAMES, type EventType } from '../../../server/api/webhooks/event-types.ts';
import { stepRunnerOf } from '../../kit/step-runner.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const trigger = (eventType: EventType, ...changes: string[]) =>
  triggerEvent(stepRunnerOf(world), { eventType, changes: changes.map(parseMemberChange) }, 'test');

test.each(EVENT_TYPE_NAMES)('trigger: %s happens, and arrives as a signed webhook', async (eventType) => {
  await world.addTerminal();
  const shop = await world.listen('shop', [eventType]);
  const event = await trigger(eventType);
  expect(event.eventType).toBe(eventType);
  await world.settled();
  expect(shop.deliveries.map((delivery) => delivery.event.id)).toContain(event.id);
  expect(shop.signedWith(shop.secret)).toBe(true);
});

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

test.each(DAYS.map((day, later) => [day, later] as const))(
  'trigger: money is available and the exchange opens when it begins on a %s',
  async (_day, later) => {
    await world.advance({ minutes: later * 24 * 60 + 14 * 60 + 59 });
    expect((await trigger('Payout.created')).data).toMatchObject({ amount: 1000 });
    expect((await trigger('Conversion.updated')).data).toMatchObject({ rate: expect.any(Number) });
  },
);

test('trigger: --set changes the main object, and nested members of it', async () => {
  const captured = await trigger(
    'PaymentSession.captured',
    'amount=1742',
    'currency=EUR',
    'metadata.order=42a',
    'orderDetails.items=[{"reference":"r1","name":"Tea","quantity":1,"unitPrice":871,"taxAmount":0,"totalAmount":871}]',
    'orderDetails.items.0.quantity=2',
    'orderDetails.items.0.totalAmount=1742',
  );
  expect(captured.data).toMatchObject({
    amount: 1742,
    currency: 'EUR',
    metadata: { order: '42a' },
    orderDetails: { items: [{ name: 'Tea', quantity: 2, totalAmount: 1742 }] },
  });
});

test('trigger: --set changes a member of another step by its name', async () => {
  const disputed = await trigger('Dispute.created', 'session:amount=1742', 'amount=700');
  expect(disputed.data).toMatchObject({ amount: 700, paymentSession: { id: expect.any(String) } });
  const refunded = await trigger('PaymentSession.refunded', 'refund:amount=50');
  expect(refunded.data).toMatchObject({ amount: 1250, refundedAmount: 50 });
});

test('trigger: a pause waits for the next billing, however long the cycle is', async () => {
  const paused = await trigger('Subscription.paused', 'price.interval.unit=Months', 'price.interval.count=3');
  expect(paused.data).toMatchObject({ status: 'Paused', price: { interval: { unit: 'Months', count: 3 } } });
});

test('trigger: the event belongs to the sub account that it acts for', async () => {
  const account = world.subAccountId;
  const request = { eventType: 'Customer.created', changes: [], account } as const;
  expect(await triggerEvent(stepRunnerOf(world), request, 'test')).toMatchObject({ accountId: account });
});

test.each([
  ['amuont=1', "--set: POST /v1/payment-sessions has no member 'amuont': it has amount, currency, "],
  ['customerDetails.nick=1', "has no member 'customerDetails.nick': customerDetails has id, firstName, "],
  ['splits.first.amount=1', "has no member 'splits.first': splits has items"],
  [
    'capture:reason=1',
    "--set: PaymentSession.captured has no step 'capture': its steps are session, payment",
  ],
  ['amount=much', 'POST /v1/payment-sessions: amount must be an integer (400)'],
  ['currency=GBR', 'POST /v1/payment-sessions: currency must be one of'],
])('trigger: %s is refused', async (change, message) => {
  await expect(trigger('PaymentSession.captured', change)).rejects.toThrow(message);
});

test('trigger: a request without members has none to change', async () => {
  await expect(trigger('Customer.deleted', 'deletion:reason=enough')).rejects.toThrow(
    "--set: DELETE /v1/customers/{customer.id} has no member 'reason': it has none",
  );
});

test('trigger: a terminal event needs a terminal that is online', async () => {
  await expect(trigger('Terminal.action_updated')).rejects.toThrow('no terminal is online');
});

test('trigger: members that lead elsewhere end in a fault that says so', async () => {
  await expect(trigger('PaymentSession.captured', 'captureFlow=Manual')).rejects.toThrow(
    /^the calls succeeded, but PaymentSession.captured was not recorded for ps_\w+: what --set changed/,
  );
});

const REPLIES = { session: { id: 'ps_1', amount: 5, items: [{ id: 'it_1' }] }, unique: 'abc' };

test('references: a text that is one reference becomes the member, of its type', () => {
  expect(fillReferences({ amount: '{session.amount}', unique: '{unique}' }, REPLIES)).toEqual({
    amount: 5,
    unique: 'abc',
  });
});

test('references: within other text the member is written out', () => {
  expect(
    fillReferences(['/v1/{session.id}/{session.items.0.id}', '{session.amount} of it'], REPLIES),
  ).toEqual(['/v1/ps_1/it_1', '5 of it']);
});

test('references: other values stay, and the value itself does not change', () => {
  const value = { on: true, none: null, text: 'plain {', nested: { id: '{session.id}' } };
  expect(fillReferences(value, REPLIES)).toEqual({ ...value, nested: { id: 'ps_1' } });
  expect(value.nested.id).toBe('{session.id}');
});

test('references: one to a reply that is not there throws', () => {
  expect(() => fillReferences('{payout.id}', REPLIES)).toThrow(TypeError);
});
