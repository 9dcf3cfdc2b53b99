import { afterEach, beforeEach, expect, test } from 'vitest';
import { EVENT_TYPE_NAMES } from '../../server/api/webhooks/event-types.ts';
import type { Store } from '../../server/platform/store/store.ts';
import type { Api } from '../../testing/world/api.ts';
import { person } from '../server/api/accounts/account-bodies.ts';
import { card, CARDS, encoded, openCheckout } from '../kit/checkout.ts';
import { openTill, type Till } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { recordQueries, type RecordingStore } from '../kit/query-plans.ts';
import { everyList } from './every-list.ts';
import { READ_WHOLE } from './statements-that-scan.ts';
import { BUSINESS, earn, EARNED_MINUTES, good, oneOfEach } from './one-of-each.ts';
import { filesAndWallets } from './every-value/files-and-wallets.ts';
import { missingOf, showEverything } from './every-value/everything.ts';
import { checked, checkEvent, ROUTES_UNDER_V1 } from './declared-shapes.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

// A Saturday on which a card of January is still good; two days later banks work and it is not.
const START_MS = Date.UTC(2026, 0, 31, 9);

let world: World;
let api: Api;
let till: Till;
const routes = ROUTES_UNDER_V1;
/** Operations that succeeded, whose replies were as declared. */
let succeeded: Set<string>;
let shown: Set<string>;
let watched: RecordingStore;

beforeEach(async () => {
  const aroundStore = (store: Store) => (watched = recordQueries(store)).store;
  const bare = await startWorld({ startMs: START_MS, aroundStore });
  succeeded = new Set();
  shown = new Set();
  api = checked(bare.api, { routes, succeeded, shown });
  world = Object.create(bare, { api: { value: api } }) as World;
});
afterEach(() => world.close());

async function payAndRefund(): Promise<Json> {
  const session = await till.takes(1742, { paymentSession: { metadata: { order: '42' } } });
  await till.refund(session.id, { amount: 742 });
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'apple-pay' });
  await world.settled();
  return till.session(session.id);
}

async function everyEndOfAnAction(): Promise<void> {
  await till.pay(1000);
  await till.pay(1000); // busy
  await till.cancel();
  await till.cancel(); // nothing to cancel
  await till.takes(1901); // declined
  await till.takes(1000, { receipts: 'PointOfSale' });
  await till.confirm({ merchantCopy: { status: 'Succeeded' } });
  await till.action();
  await till.confirm({ customerCopy: { status: 'Succeeded' } });
  await till.takes(1000, { receipts: 'PointOfSale' });
  await till.confirm({ merchantCopy: { status: 'Failed' } });
  await till.takes(1000, { receipts: 'PointOfSale' });
  await world.advance({ seconds: 61 });
  till.terminal.perform({ act: 'power', state: 'off' });
  await till.pay(1000);
  await world.advance({ seconds: 11 });
  expect((await till.action()).error).toMatchObject({ code: 'terminal_offline' });
}

async function readEverything(session: Json): Promise<void> {
  const one = async (list: string, more = '') => {
    const { body } = await api.get(`${list}?limit=1&${more}`);
    return api.get(`${list}/${body.items[0].id}`);
  };
  await one(`/v1/payment-sessions/${session.id}/transactions`);
  await one('/v1/in-person/locations');
  await one('/v1/in-person/terminals');
  await one('/v1/in-person/products');
  await one('/v1/in-person/skus', 'country=GB');
  await one('/v1/in-person/orders');
  for (const { id } of (await api.get('/v1/in-person/orders?limit=50')).body.items) {
    await api.get(`/v1/in-person/orders/${id}`);
  }
  await one('/v1/webhooks');
  await one('/v1/events');
  const { body } = await api.get(`/v1/payment-sessions/${session.id}/transactions?ascending=true`);
  expect(body.items.map(({ type }: Json) => type)).toEqual(['Authorization', 'Capture', 'Refund']);
}

async function changeAndDelete(): Promise<void> {
  const address = { lineOne: '1 Main St', city: 'Austin', country: 'US', postalCode: '73301', region: 'TX' };
  const place = { name: 'Austin Store', address, geoCoordinates: { latitude: 30.25, longitude: -97.75 } };
  const location = await api.post('/v1/in-person/locations', place);
  const registration = { serialNumber: 'A920-0001', locationId: location.body.id };
  const terminal = await api.post('/v1/in-person/terminals', registration);
  const webhooks = await api.get('/v1/webhooks');
  const changes: [string, string, object][] = [
    ['/v1/in-person/terminals', terminal.body.id, { name: 'Till 2', metadata: { a: 'b' } }],
    ['/v1/in-person/locations', location.body.id, { name: 'Austin Store 2' }],
    ['/v1/webhooks', webhooks.body.items[0].id, { active: false }],
  ];
  for (const [list, id, change] of changes) {
    await api.patch(`${list}/${id}`, change);
    await api.get(`${list}/${id}`);
    await api.delete(`${list}/${id}`);
    expect((await api.get(`${list}/${id}`)).status).toBe(404);
  }
}

async function payOnline(): Promise<void> {
  const shop = openCheckout(api, api.withKey('pk_sandbox_world'));
  const session = await shop.session({ metadata: { order: '42' } });
  await shop.update(session, { metadata: { order: '43' } });
  await shop.pay(session, CARDS.identifyThenChallenge);
  await shop.goOn(session, { fingerprint: encoded({}) });
  await shop.goOn(session, { challengeResult: encoded({ transStatus: 'N' }) });
  await shop.pay(session);
  await shop.move(session, 'refunds', { amount: 250 });
  await shop.read(session);
  await shop.transactions(session);
  await shop.move(await shop.approved(), 'captures', { amount: 1000 });
  await shop.move(await shop.approved(), 'voids');
  await api.get('/v1/payment-sessions?limit=50');
  for (const [what, type] of [
    ['captures', 'Capture'],
    ['voids', 'Void'],
  ] as const) {
    const held = await shop.approved();
    good(await api.post(`/sandbox/payment-sessions/${held.id}/fail-next`, { type }));
    await shop.move(held, what);
    await world.advance({ seconds: 2 });
  }
  const captured = await shop.captured();
  good(await api.post(`/sandbox/payment-sessions/${captured.id}/fail-next`, { type: 'Refund' }));
  await shop.move(captured, 'refunds');
  await world.advance({ seconds: 2 });
}

/** Accounts of both kinds, and what hangs on them. */
async function accounts(): Promise<void> {
  const account = good(await api.post('/v1/accounts', BUSINESS));
  const path = `/v1/accounts/${account.id}`;
  await api.get(path);
  await api.patch(path, { metadata: { a: 'b' } });
  await api.post(`${path}/verify`);
  const added = good(await api.post(`${path}/persons`, person));
  await api.get(`${path}/persons`);
  await api.get(`${path}/persons/${added.id}`);
  await api.patch(`${path}/persons/${added.id}`, { lastName: 'Read' });
  await api.delete(`${path}/persons/${added.id}`);
  good(await api.post(`/sandbox/accounts/${account.id}/verification`, { outcome: 'Verified' }));
  const hosted = good(await api.post('/v1/accounts', { email: 'ana@corner.example' }));
  const redirectUrl = 'https://shop.example/back';
  await api.post('/v1/account-links', { accountId: hosted.id, redirectUrl });
  await api.post('/v1/accounts/authorize', { email: 'ana@corner.example', redirectUrl });
}

/** What a sub account earned: seen, moved, exchanged, paid out. */
async function money(): Promise<void> {
  const { subAccountId } = world;
  const branch = api.as(subAccountId);
  const one = async (caller: Api, list: string) => {
    const { items } = good(await caller.get(list));
    return good(await caller.get(`${list}/${items[0].id}`));
  };
  await branch.get('/v1/balances');
  await branch.get('/v1/balances?currency=GBP&currency=SEK');
  await branch.get('/v1/balance-transactions?limit=50');
  const side = { source: { accountId: subAccountId } };
  await api.post('/v1/transfers', { amount: 100, currency: 'GBP', ...side, reason: 'rent' });
  await api.post('/v1/transfers', { amount: 10_000_000, currency: 'GBP', ...side }); // more than there is
  await one(api, '/v1/transfers');
  for (const caller of [api, branch])
    await caller.get('/v1/conversions/rate?sellCurrency=EUR&sellAmount=500&buyCurrency=GBP');
  await world.advance({ seconds: 2 });
  await one(branch, '/v1/conversions');
  const fee = await one(api, '/v1/platform-fees');
  await openCheckout(branch).move({ id: fee.paymentSessionId }, 'refunds', { refundPlatformFee: true });
  const refunds = good(await api.get(`/v1/platform-fees/${fee.id}/refunds`));
  expect(refunds.items).toHaveLength(1);
  for (const accountId of [world.platformId, subAccountId]) {
    await one(api, `/v1/accounts/${accountId}/payouts`);
    await one(api, `/v1/accounts/${accountId}/payout-methods`);
  }
}

/** Two subscriptions of a card that expires tonight: one is over by then, one is not. */
async function subscribeWithExpiringCard(): Promise<void> {
  const shop = openCheckout(api);
  const paid = good(
    await shop.attempt(await shop.session(), {
      cardDetails: card(CARDS.plain, { expiryMonth: '01', expiryYear: '2026' }),
      customerDetails: { email: 'lou@example.com' },
      paymentMethodOptions: { store: true },
    }),
  );
  for (const times of [1, 2]) {
    const made = await api.post('/v1/subscriptions', {
      customer: { id: paid.customerDetails.id },
      paymentMethod: { id: paid.paymentMethod.tokenizedDetails.id },
      price: { amount: 1500, currency: 'GBP', interval: { unit: 'Days', count: 1, times } },
    });
    good(made);
  }
}

async function customersAndSubscriptions(customerId: string, paymentMethodId: string): Promise<void> {
  const { id } = good(await api.post('/v1/customers', { email: 'lee@example.com' }));
  await api.get('/v1/customers');
  await api.patch(`/v1/customers/${id}`, { metadata: { a: 'b' } });
  await api.get(`/v1/customers/${id}`);
  await api.delete(`/v1/customers/${id}`);
  await api.get(`/v1/customers/${customerId}/payment-methods`);
  const price = { amount: 1500, currency: 'GBP', interval: { unit: 'Days', count: 1 } };
  const subscribe = async () => {
    const body = { customer: { id: customerId }, paymentMethod: { id: paymentMethodId }, price };
    const made = good(await api.post('/v1/subscriptions', body));
    return `/v1/subscriptions/${made.id}`;
  };
  const path = await subscribe();
  await api.patch(path, { description: 'News' });
  await api.patch(`${path}/pause`, { reason: 'travelling' });
  await world.advance({ minutes: 24 * 60 });
  await api.get(path);
  await api.patch(`${path}/resume`);
  await api.get(`${path}/payment-sessions`);
  await api.delete(`${path}/cancel`, { reason: 'enough' });
  await api.delete(await subscribe(), {});
  await api.get('/v1/subscriptions');
  const billingAddress = { lineOne: '1 High St', city: 'Leeds', country: 'GB', postalCode: 'LS1 1AA' };
  await api.get(`/v1/payment-methods/${paymentMethodId}`);
  await api.patch(`/v1/payment-methods/${paymentMethodId}`, { billingAddress });
  await api.delete(`/v1/payment-methods/${paymentMethodId}`);
}

async function disputes(disputeId: string, fileId: string): Promise<void> {
  const path = `/v1/disputes/${disputeId}`;
  await api.get('/v1/disputes');
  await api.patch(`${path}/evidence`, {
    text: { billingAddress: '1 High Street', uncategorised: 'He was here' },
    files: { proofOfDelivery: { id: fileId } },
  });
  await api.delete(`${path}/evidence`, { text: ['uncategorised'] });
  await api.post(`${path}/challenge`);
  await api.get(path);
  const session = await openCheckout(api).captured();
  const other = good(await api.post(`/sandbox/payment-sessions/${session.id}/disputes`, {}));
  await api.post(`/v1/disputes/${other.id}/accept`);
}

async function deletePayoutMethod(): Promise<void> {
  const list = `/v1/accounts/${world.subAccountId}/payout-methods`;
  const [{ id }] = good(await api.get(list)).items;
  await api.patch(`${list}/${id}`, { displayName: 'Old account' });
  await api.delete(`${list}/${id}`);
}

/** Calls every operation so that it succeeds; answers what the shop heard meanwhile. */
async function everyOperation() {
  const shop = world.receivers.open('shop');
  await api.post('/v1/webhooks', { url: shop.url, active: true, eventTypes: EVENT_TYPE_NAMES });
  const { platformId, subAccountId } = world;
  const [ours, theirs] = [await earn(world, platformId), await earn(world, subAccountId)];
  await subscribeWithExpiringCard();
  await world.advance({ minutes: EARNED_MINUTES });
  await oneOfEach(world, subAccountId, theirs.payoutMethodId, subAccountId);
  const own = await oneOfEach(world, platformId, ours.payoutMethodId, subAccountId);
  await accounts();
  await payOnline();
  await money();
  await disputes(own.disputeId, own.files);
  await filesAndWallets(api);
  await customersAndSubscriptions(own.customerId, own.paymentMethodId);
  await deletePayoutMethod();

  till = openTill(world, world.fleet.terminal(own.terminals)!);
  const session = await payAndRefund();
  expect(session).toMatchObject({ status: 'Captured', refundedAmount: 742 });
  await everyEndOfAnAction();
  await readEverything(session);
  await showEverything(world, api, routes, shop);
  await changeAndDelete();
  const unreached = routes.map(({ operation }) => operation).filter((known) => !succeeded.has(known));
  expect(unreached).toEqual([]);
  return shop;
}

test(
  'API: every operation and every event returns what is declared, for every way an action can go',
  {
    tags: [
      'spec:2.1/declared-responses',
      'spec:2.2/nested-objects-returned',
      'spec:2.3/account-fields-returned',
      'spec:2.6/payout-fields-returned',
      'spec:2.8/action-fields-returned',
      'spec:4/pagination-token',
      'spec:6/event-shapes',
      'spec:6/delivery-states',
      'spec:7/refusal-shape',
    ],
    timeout: 60_000,
  },
  async () => {
    const shop = await everyOperation();
    const notDelivered = EVENT_TYPE_NAMES.filter((type) => !shop.types().includes(type));
    expect(
      notDelivered,
      'no webhook received these: let their path in cli/trigger cause them, or cause them in test/journeys/every-value',
    ).toEqual([]);
    for (const { event } of shop.deliveries) checkEvent(event);
    for (const event of (await api.get('/v1/events?limit=50')).body.items) checkEvent(event);
    // Whatever an answer is declared to show some answer shows.
    expect(missingOf(routes, shown), 'no reply showed these: add them to test/journeys/every-value').toEqual(
      [],
    );
    const { body: document } = await api.get('/openapi.json');
    const declared = Object.entries<object>(document.paths).filter(([path]) => path.startsWith('/v1/'));
    expect(declared.flatMap(([, item]) => Object.keys(item))).toHaveLength(routes.length);
  },
);

test('store: no statement reads or sorts more rows as objects increase; each uses an index', async () => {
  await everyOperation();
  await everyList(api, routes, world, watched.readsList);
  expect(watched.statementCount()).toBeGreaterThan(200);
  expect(await watched.slowStatements(READ_WHOLE)).toEqual([]);
}, 120_000);
