import { INDIVIDUAL } from '../../../cli/trigger/account-paths.ts';
import { triggerEvent } from '../../../cli/trigger/trigger-event.ts';
import { EVENT_TYPE_NAMES } from '../../../server/api/webhooks/event-types.ts';
import { successOf } from '../../../testing/world/api.ts';
import { card, CARDS, encoded, openCheckout } from '../../kit/checkout.ts';
import { upload } from '../../kit/form.ts';
import { stepRunnerOf } from '../../kit/step-runner.ts';
import { openTill, type Till } from '../../../testing/world/till.ts';
import type { World } from '../../../testing/world/world.ts';
import { FAULTS } from './fault-parts.ts';

/** What a part of a session works with. */
export interface Shop {
  world: World;
  till: Till;
  /** Returns a whole number from `min` to `max`, decided by the seed. */
  number(min: number, max: number): number;
  /** Makes a text that no other part has. */
  unique(): string;
}

/** Something that happens in a session. */
export type Part = (shop: Shop) => Promise<void>;

async function pay({ world, till, number }: Shop, cardName: string, keys: string[] = []): Promise<void> {
  await till.pay(number(100, 800));
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: cardName });
  await world.settled();
  if (keys.length > 0) {
    const digits = keys as ('1' | 'enter')[];
    till.terminal.perform({ act: 'press-keys', keys: digits });
    await world.settled();
  }
}

const PIN = ['1', '2', '3', '4', 'enter'];

const AT_THE_TERMINAL: Record<string, Part> = {
  'tapped card': async ({ till, number }) => void (await till.takes(number(100, 800))),
  'magic amount': async ({ till }) => void (await till.takes(1901)),
  'declined card': (shop) => pay(shop, 'visa-declined'),
  'expired card': (shop) => pay(shop, 'visa-expired'),
  'swiped card': (shop) => pay(shop, 'visa-swipe'),
  'unreadable card': (shop) => pay(shop, 'visa-unreadable'),
  telephone: (shop) => pay(shop, 'apple-pay'),
  'right PIN': (shop) => pay(shop, 'visa-contact-pin', PIN),
  'wrong PIN, then the right one': (shop) =>
    pay(shop, 'mastercard-contact-pin', ['9', ...PIN.slice(1), ...PIN]),
  'three wrong PINs': (shop) =>
    pay(shop, 'visa-contact-pin', Array.from({ length: 3 }, () => ['1', '1', '1', '1', 'enter']).flat()),
  'cancelled by the API': async ({ till, world }) => {
    await till.pay(700);
    await till.reaches('awaitingCard');
    await till.cancel();
    await world.settled();
  },
  'cancelled with the key': (shop) => pay(shop, 'visa-contact-pin', ['1', 'cancel']),
  'no card in time': async ({ till, world }) => {
    await till.pay(700);
    await world.advance({ seconds: 121 });
  },
  'refund at the terminal': async ({ till, world }) => {
    const session = await till.takes(650);
    await till.refund(session.id, { amount: 50 });
    await till.reaches('awaitingCard');
    till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
    await world.settled();
  },
  'receipts of the point of sale': async ({ till, world }) => {
    await till.takes(640, { receipts: 'PointOfSale' });
    await till.confirm({ merchantCopy: { status: 'Succeeded' } });
    await till.confirm({ customerCopy: { status: 'Failed' } });
    await world.settled();
  },
  'no paper': async ({ till, world }) => {
    till.terminal.perform({ act: 'paper', sheets: 1 });
    await till.takes(600);
    till.terminal.perform({ act: 'paper', sheets: 50 });
    await world.settled();
  },
  'power cut': async ({ till, world }) => {
    await till.pay(610);
    await till.reaches('awaitingCard');
    till.terminal.perform({ act: 'power', state: 'off' });
    await world.advance({ seconds: 3 });
    till.terminal.perform({ act: 'power', state: 'on' });
    await world.advance({ seconds: 5 });
    till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
    await world.advance({ seconds: 130 });
  },
  'no network': async ({ till, world }) => {
    till.terminal.perform({ act: 'network', state: 'off' });
    await world.advance({ seconds: 5 });
    await till.pay(620);
    await world.advance({ seconds: 15 });
    till.terminal.perform({ act: 'network', state: 'on' });
    await world.advance({ seconds: 60 });
  },
  'card and keys by the API': async ({ till, world }) => {
    const path = `/sandbox/terminals/${till.terminal.terminalId}`;
    await till.pay(630);
    await till.reaches('awaitingCard');
    await world.api.post(`${path}/present-card`, { card: 'amex-contact-pin' });
    await world.settled();
    await world.api.post(`${path}/press-keys`, { keys: PIN });
    await world.settled();
    await world.api.get(path);
  },
  cardholder: async ({ till, world }) => {
    const path = `/sandbox/terminals/${till.terminal.terminalId}/cardholder`;
    await world.api.post(path, { script: 'insert', card: 'visa-contact-pin', delayMs: 700 });
    await till.pay(660);
    await world.advance({ seconds: 20 });
    await world.api.post(path, { script: 'none' });
    await world.settled();
  },
  'two terminals at once': async ({ till, world, unique, number }) => {
    const other = openTill(world, await world.addTerminal({ serialNumber: `SIM-${unique()}` }));
    const tills = [till, other];
    await Promise.all(tills.map((each) => each.pay(number(100, 800))));
    for (const each of tills) await each.reaches('awaitingCard');
    till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
    other.terminal.perform({ act: 'present-card', card: 'mastercard-contactless' });
    const customer = world.api.post('/v1/customers', { email: `${unique()}@example.com` });
    await Promise.all([customer, other.action(), till.action()]);
    await world.settled();
    await Promise.all([other.pay(680), till.pay(690)]);
    await Promise.all(tills.map((each) => each.cancel()));
    await world.settled();
  },
  'another terminal': async ({ world, unique }) => {
    const other = openTill(world, await world.addTerminal({ serialNumber: `SIM-${unique()}` }));
    await other.takes(670);
    await world.api.delete(`/v1/in-person/terminals/${other.terminal.terminalId}`);
    await world.settled();
  },
};

async function threeDs({ world }: Shop, number: string, results: object[]): Promise<void> {
  const shop = openCheckout(world.api);
  const session = await shop.session();
  await shop.pay(session, number);
  for (const result of results) await shop.goOn(session, result);
  await world.settled();
}

const ONLINE: Record<string, Part> = {
  'captured and refunded': async ({ world }) => {
    const shop = openCheckout(world.api);
    const session = await shop.captured();
    await shop.move(session, 'refunds', { amount: 250 });
    await world.settled();
    await shop.transactions(session);
  },
  'captured later': async ({ world }) => {
    const shop = openCheckout(world.api);
    const session = await shop.approved();
    await world.advance({ minutes: 5 });
    await shop.move(session, 'captures', { amount: 1000 });
    await world.settled();
  },
  voided: async ({ world }) => {
    const shop = openCheckout(world.api);
    await shop.move(await shop.approved(), 'voids');
    await world.settled();
  },
  'hold that expires': async ({ world }) => {
    await openCheckout(world.api).approved();
    await world.advance({ minutes: 60 * 24 * 8 });
  },
  'declined online': async ({ world }) => {
    const shop = openCheckout(world.api);
    await shop.attempt(await shop.session(), { cardDetails: card('5105105105105100', { cvc: '100' }) });
    await world.settled();
  },
  'another card': async ({ world }) => {
    const shop = openCheckout(world.api);
    await shop.pay(await shop.session(), '4444333322221111');
    await world.settled();
  },
  'challenge passed': (shop) =>
    threeDs(shop, CARDS.challenge, [{ challengeResult: encoded({ transStatus: 'Y' }) }]),
  'challenge failed': (shop) =>
    threeDs(shop, CARDS.identifyThenChallenge, [
      { fingerprint: encoded({}) },
      { challengeResult: encoded({ transStatus: 'N' }) },
    ]),
};

const IBAN_METHOD = {
  type: 'BankAccount',
  currency: 'EUR',
  country: 'DE',
  bankAccount: { accountNumberType: 'Iban', accountNumber: 'DE89370400440532013000' },
};

/** Sells in euros for a new account, and pays some of it out to an IBAN. Returns the path of what decides the payout. */
async function payOut({ world: { api, advance }, number }: Shop): Promise<string> {
  const post = async (path: string, body: object) => successOf(await api.post(path, body), path);
  const settings = { payouts: { schedule: { type: 'Manual' } } };
  const { id } = await post('/v1/accounts', { ...INDIVIDUAL.body, settings });
  const method = await post(`/v1/accounts/${id}/payout-methods`, IBAN_METHOD);
  await openCheckout(api.as(id)).captured({ amount: 9000, currency: 'EUR' });
  await advance({ minutes: 60 * 24 * 4 });
  const order = { amount: number(300, 800), currency: 'EUR', payoutMethodId: method.id };
  const payout = await post(`/v1/accounts/${id}/payouts`, order);
  return `/sandbox/payouts/${payout.id}/outcome`;
}

const MONEY_OUT: Record<string, Part> = {
  'payout to an IBAN': async (shop) => {
    await payOut(shop);
    await shop.world.advance({ minutes: 5 });
  },
  'payout that is held': async (shop) => {
    const { world } = shop;
    const path = await payOut(shop);
    for (const status of ['PendingAccountVerification', 'InProgress']) {
      successOf(await world.api.post(path, { status }), status);
      await world.advance({ minutes: 5 });
    }
  },
};

const AROUND: Record<string, Part> = {
  'clock advanced': async ({ world, number }) => {
    await world.api.post('/sandbox/clock/advance', { seconds: number(1, 4) * 3600 });
    await world.advance({ minutes: 5 * 60 });
  },
  'endpoint that fails': async ({ world, till, number }) => {
    const receiver = world.receivers.named('shop')!;
    receiver.behaviour = number(400, 503);
    await till.takes(800);
    await world.advance({ minutes: 3 });
    receiver.behaviour = 200;
    await world.advance({ minutes: 30 });
  },
  'endpoint that cannot be reached': async ({ world }) => {
    const eventTypes = ['PaymentSession.captured'];
    await world.api.post('/v1/webhooks', { url: 'https://away.example/hooks', active: true, eventTypes });
    await openCheckout(world.api).captured();
    await world.advance({ minutes: 20 });
  },
  'refused requests': async ({ world }) => {
    const { api } = world;
    await api.post('/v1/payment-sessions', { amount: -1 });
    await api.get('/v1/payment-sessions/ps_01KE6P4YM0HSXM9EDGQW6DWFEN');
    await api.withKey('sk_sandbox_wrong').get('/v1/webhooks');
    await api.raw('POST', '/v1/webhooks', '{"url"', { 'content-type': 'application/json' });
    await api.get('/v1/nothing');
    await api.as('ac_00000000-0000-4000-8000-000000000000').get('/v1/webhooks');
  },
  customer: async ({ world, unique }) => {
    const { body } = await world.api.post('/v1/customers', { email: `${unique()}@example.com` });
    await world.api.patch(`/v1/customers/${body.id}`, { name: 'Ana Reid' });
    await world.settled();
  },
  'repeated request': async ({ world, unique }) => {
    const body = JSON.stringify({ email: 'sam@example.com', name: '{{not a placeholder}}' });
    const headers = { 'content-type': 'application/json', 'idempotency-key': unique() };
    for (let count = 0; count < 2; count++) await world.api.raw('POST', '/v1/customers', body, headers);
    await world.settled();
  },
  'settings of an account': async ({ world, till, number }) => {
    const settings = { disabledSchemes: ['Visa'], threeDsRedirect: true };
    await world.api.patch(`/sandbox/accounts/${world.platformId}/settings`, settings);
    await till.takes(number(100, 800));
    await world.api.get('/sandbox/accounts');
  },
  'uploaded file': async ({ world }) => {
    const { body } = await upload(world.api.as(world.subAccountId), 'PassportFront');
    await world.api.as(world.subAccountId).get(`/v1/files/${body.id}`);
  },
  lists: async ({ world }) => {
    for (const list of ['payment-sessions', 'events', 'webhooks', 'in-person/terminals'])
      await world.api.get(`/v1/${list}`);
    await world.api.get('/sandbox/deliveries');
  },
};

const TRIGGERED: Record<string, Part> = Object.fromEntries(
  EVENT_TYPE_NAMES.map((eventType) => [
    `triggered ${eventType}`,
    async ({ world, unique }) => {
      await triggerEvent(stepRunnerOf(world), { eventType, changes: [] }, unique());
      await world.settled();
    },
  ]),
);

/** The parts of which sessions are made, by their names. */
export const PARTS: Record<string, Part> = {
  ...AT_THE_TERMINAL,
  ...ONLINE,
  ...MONEY_OUT,
  ...AROUND,
  ...FAULTS,
  ...TRIGGERED,
};
