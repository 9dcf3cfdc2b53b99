import { BANK_ACCOUNT } from '../../../cli/trigger/account-paths.ts';
import { business, person } from '../../server/api/accounts/account-bodies.ts';
import { ADDRESS } from '../../server/api/in-person/shop-server.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { CARD } from './payment-races.ts';

// oxlint-disable-next-line no-explicit-any -- what a reply has depends on its operation
type Json = any;

/** Sends a request that must succeed, and resolves with its body. */
type Send = (operation: string, body?: object, headers?: Record<string, string>) => Promise<Json>;

/** What is done with one object, a step after another; each step is given what the one before returned. */
type Work = readonly ((send: Send, before: Json, index: number) => Promise<Json>)[];

const DAY_SECONDS = 86_400;

const account: Work[number] = (send, _, index) =>
  send('POST /v1/accounts', {
    onboardingFlow: 'NonHosted',
    entityType: 'Business',
    business: { ...business, contactEmail: `office${index}@corner.example` },
  });

const customer: Work[number] = (send, _, index) =>
  send('POST /v1/customers', { email: `buyer${index}@corner.example` });

const pay = (send: Send, clientSecret: string, more: object = {}) =>
  send('POST /v1/payment-sessions/attempt-payment', { clientSecret, cardDetails: CARD, ...more });

/** An account that has earned 90.00, for payouts by hand. */
const earner: Work = [
  account,
  async (send, { id }) => {
    await send(`PATCH /v1/accounts/${id}`, { settings: { payouts: { schedule: { type: 'Manual' } } } });
    const method = await send(`POST /v1/accounts/${id}/payout-methods`, BANK_ACCOUNT);
    await send(`POST /sandbox/accounts/${id}/verification`, { outcome: 'Verified' });
    return { id, method };
  },
  async (send, earning) => {
    const headers = { account: earning.id };
    const terms = {
      amount: 10_000,
      currency: 'GBP',
      platformFee: 1_000,
      customerEmail: 'ana@corner.example',
    };
    const { clientSecret } = await send('POST /v1/payment-sessions', terms, headers);
    await pay(send, clientSecret);
    return earning;
  },
  // It is available after three days.
  async (send, earning, index) => {
    if (index === 0) await send('POST /sandbox/clock/advance', { seconds: 4 * DAY_SECONDS });
    return earning;
  },
];

/** Work that goes on every day, each time with an object of its own. */
export const ORDINARY_WORK = {
  accounts: [
    account,
    async (send, { id }) => {
      await send(`PATCH /v1/accounts/${id}`, { metadata: { shop: 'corner' } });
      return { id };
    },
    async (send, { id }) => ({ id, person: await send(`POST /v1/accounts/${id}/persons`, person) }),
    async (send, { id, person: { id: personId } }) => {
      await send(`PATCH /v1/accounts/${id}/persons/${personId}`, { metadata: { role: 'owner' } });
      return { id, personId };
    },
    async (send, { id, personId }) => {
      await send(`POST /v1/accounts/${id}/payout-methods`, BANK_ACCOUNT);
      return { id, personId };
    },
    async (send, { id, personId }) => {
      await send(`POST /sandbox/accounts/${id}/persons/${personId}/verification`, { outcome: 'Verified' });
      await send(`POST /sandbox/accounts/${id}/verification`, { outcome: 'Verified' });
    },
  ],
  subscriptions: [
    customer,
    (send, { id }) =>
      send('POST /v1/subscriptions', {
        customer: { id },
        price: { amount: 1_500, currency: 'GBP', interval: { unit: 'Days', count: 1 } },
      }),
    async (send, subscription) => {
      await pay(send, subscription.paymentSessions.initial.clientSecret);
      return subscription;
    },
    async (send, { id }) => {
      await send(`PATCH /v1/subscriptions/${id}`, { metadata: { box: 'small' } });
      return { id };
    },
    async (send, { id }, index) => {
      if (index === 0) await send('POST /sandbox/clock/advance', { seconds: 2 * DAY_SECONDS });
      return { id };
    },
    (send, { id }) => send(`DELETE /v1/subscriptions/${id}`, {}),
  ],
  payouts: [
    ...earner,
    async (send, { id, method }) => {
      const terms = { amount: 2_000, currency: 'GBP', payoutMethodId: method.id };
      await send(`POST /v1/accounts/${id}/payouts`, terms);
      return { id };
    },
    async (send, { id }) => {
      await send('POST /v1/transfers', { amount: 500, currency: 'GBP', source: { accountId: id } });
      return { id };
    },
    (send, { id }) =>
      send(
        'POST /v1/conversions',
        { sell: { amount: 500, currency: 'GBP' }, buy: { currency: 'EUR' }, termAgreement: true },
        { account: id },
      ),
  ],
  terminals: [
    (send, _, index) => send('POST /v1/in-person/locations', { name: `Corner ${index}`, address: ADDRESS }),
    (send, { id }, index) =>
      send('POST /v1/in-person/terminals', { serialNumber: String(1_853_100_000 + index), locationId: id }),
    async (send, { id }) => {
      await send(`POST /pairing/terminals/${id}`, {});
      return { id };
    },
    async (send, { id }) => {
      await send(`PATCH /v1/in-person/terminals/${id}`, { metadata: { till: '1' } });
      return { id };
    },
    (send, { id }) => send(`DELETE /v1/in-person/terminals/${id}`),
  ],
  customers: [
    customer,
    async (send, { id }) => {
      await send(`PATCH /v1/customers/${id}`, { metadata: { since: '2026' } });
      const terms = { amount: 1_000, currency: 'GBP', customerId: id };
      const { clientSecret } = await send('POST /v1/payment-sessions', terms);
      const options = { paymentMethodOptions: { store: true } };
      const { paymentMethod } = await pay(send, clientSecret, options);
      return { id, cardId: paymentMethod.tokenizedDetails.id };
    },
    async (send, { id, cardId }) => {
      await send(`PATCH /v1/customers/${id}`, { defaultPaymentMethod: cardId });
      return { id, cardId };
    },
    async (send, { id, cardId }, index) => {
      if (index % 2 === 0) await send(`DELETE /v1/payment-methods/${cardId}`);
      await send(`DELETE /v1/customers/${id}`);
    },
  ],
  registrations: [
    async (send, _, index) => {
      const made = [];
      if (index < 20)
        made.push(
          await send('POST /v1/webhooks', {
            url: `https://shop.example/${index}`,
            eventTypes: ['Account.created'],
            active: true,
          }),
        );
      if (index < 50)
        made.push(await send('POST /v1/wallet-pay/web-domains', { domainName: `shop${index}.example` }));
      return made;
    },
    async (send, [webhook]: Json[], index) => {
      if (index < 20) await send(`DELETE /v1/webhooks/${webhook.id}`);
    },
  ],
} as const satisfies Record<string, Work>;

/** Does the same work with many objects, some at once: each step with all of them before the next. */
export async function workAtOnce(
  { api }: Tapbench,
  work: Work,
  { objects, atOnce }: { objects: number; atOnce: number },
): Promise<number> {
  let requests = 0;
  const send: Send = async (operation, body, headers) => {
    const [method, path] = operation.split(' ') as [string, string];
    const reply = await api(method, path, body, headers);
    if (reply.status >= 300) throw new Error(`${operation}: ${reply.status} ${JSON.stringify(reply.body)}`);
    requests += 1;
    return reply.body;
  };
  const made: Json[] = Array.from({ length: objects }, () => undefined);
  for (const step of work) {
    let next = 0;
    const worker = async () => {
      for (let index = next++; index < objects; index = next++)
        made[index] = await step(send, made[index], index);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }
  return requests;
}
