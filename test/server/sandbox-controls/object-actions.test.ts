import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../../server/routes.ts';
import { OBJECT_TYPE_NAMES } from '../../../server/sandbox-controls/objects/object-types.ts';
import { BUSINESS, earn, EARNED_MINUTES, good, oneOfEach, type Json } from '../../journeys/one-of-each.ts';
import { CARDS, openCheckout } from '../../kit/checkout.ts';
import type { Answer } from '../../../testing/world/api.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';
import { person } from '../api/accounts/account-bodies.ts';

let world: World;
let own: Awaited<ReturnType<typeof oneOfEach>>;

// The tests of this file read, or change objects of their own.
beforeAll(async () => {
  world = await startWorld();
  const { platformId, subAccountId } = world;
  const { payoutMethodId } = await earn(world, platformId);
  await world.advance({ minutes: EARNED_MINUTES });
  own = await oneOfEach(world, platformId, payoutMethodId, subAccountId);
});
afterAll(() => world.close());

const shop = () => openCheckout(world.api.as(world.subAccountId));

async function actionsOf(id: string): Promise<Json[]> {
  return good(await world.api.get(`/sandbox/objects/${id}`)).actions;
}

async function namesOf(id: string): Promise<string[]> {
  return (await actionsOf(id)).map(({ name }) => name);
}

/** Sends the request of an action with the token of the dashboard, as its page does. */
async function act(id: string, name: string, chosen: object = {}): Promise<Answer> {
  const action = (await actionsOf(id)).find((one) => one.name === name);
  const { dashboardToken } = world.server.services.settings;
  const api = world.api.withKey(dashboardToken);
  const { method, path, accountId, body } = action;
  const headers = { 'content-type': 'application/json', ...(accountId && { account: accountId }) };
  return api.raw(method, path, JSON.stringify({ ...body, ...chosen }), headers);
}

function pathPattern(declared: string): RegExp {
  return new RegExp(`^${declared.replace(/\{\w+\}/g, '[^/]+')}$`);
}

test('object actions: each is an operation that the token of the dashboard opens', async () => {
  const seen = new Set<string>();
  for (const type of OBJECT_TYPE_NAMES) {
    const { items } = good(await world.api.get(`/sandbox/objects?type=${type}&limit=50`));
    for (const { id } of items)
      for (const { method, path } of await actionsOf(id)) {
        const route = ROUTES.find((each) => each.method === method && pathPattern(each.path).test(path));
        expect([method, path, route?.access]).toEqual([
          method,
          path,
          expect.toBeOneOf(['dashboard', 'sandboxDashboard']),
        ]);
        seen.add(route!.operation);
      }
  }
  expect(seen.size).toBeGreaterThan(8);
});

test('object actions: a payment is captured, refunded and disputed from its object', async () => {
  const session = await shop().approved({ amount: 2_000 });
  expect(await namesOf(session.id)).toEqual(['capture', 'void', 'fail-next']);
  expect((await act(session.id, 'capture', { amount: 1_500 })).status).toBe(202);
  expect(await namesOf(session.id)).toEqual(['refund', 'open-dispute', 'fail-next']);
  expect((await act(session.id, 'refund', { amount: 300 })).status).toBe(202);
  const refund = (await actionsOf(session.id)).find(({ name }) => name === 'refund');
  expect(refund.fields[0]).toMatchObject({ member: 'amount', maximum: 1_200, currency: 'GBP' });
  const refused = await act(session.id, 'refund', { amount: 1_201 });
  expect([refused.status, refused.body.errors[0].message]).toEqual([
    400,
    'amount must be 1 to 1200, the amount left to refund',
  ]);
  const opened = good(await act(session.id, 'open-dispute', { category: 'General' }));
  expect(opened).toMatchObject({ amount: 1_200, category: 'General', status: 'Open' });
  expect(await namesOf(session.id)).toEqual([]);
  const { history } = good(await world.api.get(`/sandbox/objects/${session.id}`));
  expect(history.events.map(({ eventType }: Json) => eventType)).toContain('PaymentSession.refunded');
});

test('object actions: each capture of a payment has its own refund, of what is left of it', async () => {
  const session = await shop().approved({ amount: 2_000 });
  good(await act(session.id, 'capture', { amount: 500, captureType: 'NotFinal' }));
  expect(await namesOf(session.id)).toEqual(['capture', 'fail-next']);
  good(await act(session.id, 'capture'));
  expect(await namesOf(session.id)).toEqual([
    'refund-capture-1',
    'refund-capture-2',
    'open-dispute',
    'fail-next',
  ]);
  good(await act(session.id, 'refund-capture-1'));
  expect(await namesOf(session.id)).toEqual(['refund-capture-2', 'open-dispute', 'fail-next']);
  const captures = (await shop().transactions(session)).filter(({ type }) => type === 'Capture');
  const [first, second] = [await actionsOf(captures[0].id), await actionsOf(captures[1].id)];
  expect([first, second]).toMatchObject([[], [{ name: 'refund', fields: [{ maximum: 1_500 }, {}] }]]);
});

test('object actions: an approved payment is voided, and a voided one allows nothing', async () => {
  const session = await shop().approved({ amount: 2_100 });
  good(await act(session.id, 'void'));
  expect(await namesOf(session.id)).toEqual([]);
  const unpaid = await shop().session({ amount: 2_100 });
  expect(await namesOf(unpaid.id)).toEqual(['decline-next']);
});

test('object actions: a refund that is to fail does so', async () => {
  const session = await shop().captured({ amount: 2_200 });
  const fail = (await actionsOf(session.id)).find(({ name }) => name === 'fail-next');
  expect(fail).toMatchObject({ label: 'Make the next refund fail', body: { type: 'Refund' }, fields: [] });
  good(await act(session.id, 'fail-next'));
  expect(good(await act(session.id, 'refund')).status).toBe('Pending');
  expect(await namesOf(session.id)).toEqual(['open-dispute']);
});

test('object actions: what fails next is chosen where several transactions are allowed', async () => {
  const session = await shop().approved({ amount: 2_250 });
  const fail = (await actionsOf(session.id)).find(({ name }) => name === 'fail-next');
  expect(fail).toMatchObject({
    label: 'Make the next capture or void fail',
    fields: [{ label: 'What fails', options: ['Capture', 'Void'] }],
  });
});

test('object actions: a payment is identified, approved and captured as its cardholder does in 3-D Secure', async () => {
  const session = await shop().session({ amount: 2_400 });
  await shop().pay(session, CARDS.identifyThenChallenge);
  expect(await namesOf(session.id)).toEqual(['identify']);
  expect(good(await act(session.id, 'identify')).status).toBe('PendingAction');
  expect(await namesOf(session.id)).toEqual(['authenticate', 'fail-authentication']);
  expect(good(await act(session.id, 'authenticate')).status).toBe('Captured');
  expect(await namesOf(session.id)).toEqual(['refund', 'open-dispute', 'fail-next']);
});

test('object actions: a payment that is cancelled in 3-D Secure fails, and a second answer is refused', async () => {
  const session = await shop().session({ amount: 2_410 });
  await shop().pay(session, CARDS.challenge);
  const path = `/sandbox/payment-sessions/${session.id}/authentication`;
  const identified = await world.api.post(path, { outcome: 'Identified' });
  expect([identified.status, identified.body.errors[0].message]).toEqual([
    400,
    expect.stringContaining('Challenge'),
  ]);
  expect(good(await act(session.id, 'fail-authentication')).status).toBe('PendingPayment');
  expect(await shop().read(session)).toMatchObject({ lastError: '3ds_authentication_failure' });
  expect(await namesOf(session.id)).toEqual(['decline-next']);
  const again = await world.api.post(path, { outcome: 'Authenticated' });
  expect([again.status, (await shop().read(session)).status]).toEqual([400, 'PendingPayment']);
});

test('object actions: a payment that waits for 3-D Secure allows nothing once it has expired', async () => {
  const session = await shop().session({ amount: 2_420 });
  await shop().pay(session, CARDS.challenge);
  const { nextMoment } = good(await world.api.get(`/sandbox/objects/${session.id}`));
  const nowS = Math.floor(world.server.services.clock.nowMs() / 1000);
  await world.advance({ seconds: nextMoment.timestamp - nowS });
  expect(await namesOf(session.id)).toEqual([]);
});

test('object actions: a file is added to the evidence of a dispute of the account that uploaded it', async () => {
  // The platform has uploaded one, its sub account none.
  const session = await openCheckout(world.api).captured({ amount: 2_350 });
  const { id } = good(await act(session.id, 'open-dispute'));
  const [text, added] = await actionsOf(id);
  expect(text.fields).toMatchObject([{ type: 'text', maxLength: 5000 }]);
  const file = good(await world.api.get(`/v1/files/${own.files}`));
  expect(added.fields).toMatchObject([{ options: [file.id], optionLabels: [file.name] }]);
  const evidence = { files: { uncategorised: { id: file.id } } };
  expect(good(await act(id, 'add-evidence-file', evidence)).evidence).toMatchObject(evidence);
  expect(await namesOf(id)).toContain('challenge');
});

test('object actions: a dispute is challenged with evidence and decided', async () => {
  const session = await shop().captured({ amount: 2_300 });
  const { id } = good(await act(session.id, 'open-dispute'));
  expect(await namesOf(id)).toEqual(['add-evidence', 'accept', 'withdraw']);
  good(await act(id, 'add-evidence', { text: { uncategorised: 'It was delivered.' } }));
  expect(await namesOf(id)).toEqual(['add-evidence', 'challenge', 'accept', 'withdraw']);
  good(await act(id, 'challenge'));
  expect(await namesOf(id)).toEqual(['win', 'lose', 'withdraw']);
  expect(good(await act(id, 'win')).status).toBe('Won');
  expect(await namesOf(id)).toEqual([]);
});

test('object actions: a subscription is paused, resumed and cancelled', async () => {
  const id = own.subscriptionId;
  expect(await namesOf(id)).toEqual(['pause', 'cancel']);
  good(await act(id, 'pause', { reason: 'Away' }));
  expect(await namesOf(id)).toEqual(['pause', 'remove-pause', 'cancel']);
  good(await act(id, 'remove-pause'));
  good(await act(id, 'pause'));
  await world.advance({ minutes: 32 * 24 * 60 });
  expect(await namesOf(id)).toEqual(['pause', 'resume', 'cancel']);
  expect(good(await act(id, 'resume')).status).toBe('Active');
  expect(good(await act(id, 'cancel', { reason: 'Moved' })).status).toBe('Cancelled');
  expect(await namesOf(id)).toEqual([]);
});

test('object actions: a payout can be set to the statuses that its machine reaches', async () => {
  const id = own.payoutId;
  const [action] = await actionsOf(id);
  const { status } = good(await world.api.get(`/sandbox/objects/${id}`));
  expect([status, action.fields[0].options]).toEqual(['Completed', ['Recalled', 'Returned']]);
  expect(good(await act(id, 'set-status', { status: 'Returned' })).status).toBe('Returned');
  expect(await actionsOf(id)).toEqual([]);
});

test('object actions: an account and its persons are verified and refused, and payouts are disabled', async () => {
  const account = good(await world.api.post('/v1/accounts', { ...BUSINESS, email: 'b@corner.example' }));
  const employee = good(await world.api.post(`/v1/accounts/${account.id}/persons`, person));
  for (const id of [account.id, employee.id]) {
    expect(await namesOf(id)).toEqual(expect.arrayContaining(['verify', 'refuse-verification']));
    expect(good(await act(id, 'verify')).verification.status).toBe('Verified');
    expect(await namesOf(id)).not.toContain('verify');
    expect(good(await act(id, 'refuse-verification')).verification.status).toBe('Required');
  }
  expect(good(await act(account.id, 'disable-payouts')).settings.frozen).toBe(true);
  expect(await namesOf(account.id)).toContain('enable-payouts');
  expect(await namesOf(world.platformId)).toEqual(['disable-payouts']);
});

test('object actions: an event is delivered again', async () => {
  expect(good(await act(own.eventId, 'deliver')).id).toBe(own.eventId);
});

test('object actions: an action of a terminal is cancelled while it is in progress', async () => {
  const started = good(
    await world.api.post(`/v1/in-person/terminals/${own.terminals}/payment`, {
      amounts: { requested: 1_234 },
      currency: 'GBP',
    }),
  );
  const { id } = started.action;
  expect(await namesOf(id)).toEqual(['cancel']);
  expect(good(await act(id, 'cancel')).action.status).toBe('Cancelled');
  expect(await namesOf(id)).toEqual([]);
});
