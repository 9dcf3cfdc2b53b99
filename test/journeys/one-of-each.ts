import { BANK_ACCOUNT } from '../../cli/trigger/account-paths.ts';
import { business, person } from '../server/api/accounts/account-bodies.ts';
import type { Answer, Api } from '../../testing/world/api.ts';
import { card, openCheckout } from '../kit/checkout.ts';
import { upload } from '../kit/form.ts';
import { openTill } from '../../testing/world/till.ts';
import type { World } from '../../testing/world/world.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
export type Json = any;

/** Minutes after which what was sold is available, and paid out where that happens by itself. */
export const EARNED_MINUTES = 2 * 24 * 60;

export const BUSINESS = {
  onboardingFlow: 'NonHosted',
  entityType: 'Business',
  business,
};

/** Ids of what one account has, by the names that paths give them: the parameter, or for `id` the folder. */
interface OneOfEach {
  accounts: string;
  personId: string;
  payoutMethodId: string;
  payoutId: string;
  conversionId: string;
  customerId: string;
  paymentMethodId: string;
  subscriptionId: string;
  files: string;
  disputeId: string;
  'web-domains': string;
  locations: string;
  terminals: string;
  paymentSessionId: string;
  paymentTransactionId: string;
  eventId: string;
}

export function good({ status, body }: Answer): Json {
  if (status !== 200 && status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** Has an account sell something, so that after a while it has money; a sub account is then paid out by hand. */
export async function earn(
  world: Pick<World, 'api' | 'platformId'>,
  accountId: string,
): Promise<{ payoutMethodId: string }> {
  const isPlatform = accountId === world.platformId;
  const shop = openCheckout(isPlatform ? world.api : world.api.as(accountId));
  const path = `/v1/accounts/${accountId}`;
  await shop.captured({ amount: 10_000, ...(!isPlatform && { platformFee: 500 }) });
  await shop.captured({ amount: 10_000, currency: 'EUR' });
  const method = good(await world.api.post(`${path}/payout-methods`, BANK_ACCOUNT));
  if (!isPlatform) {
    good(await world.api.patch(path, { settings: { payouts: { schedule: { type: 'Manual' } } } }));
  }
  return { payoutMethodId: method.id };
}

/** One of everything that an account can have, after it has earned. Persons are of the sub account `employer`. */
export async function oneOfEach(
  world: World,
  accountId: string,
  payoutMethodId: string,
  employer: string,
): Promise<OneOfEach & { clientSecret: string; ids: string[] }> {
  const api = accountId === world.platformId ? world.api : world.api.as(accountId);
  const made = {
    accounts: accountId,
    personId: good(await world.api.post(`/v1/accounts/${employer}/persons`, person)).id,
    payoutMethodId,
    payoutId: await payout(world, accountId, payoutMethodId),
    conversionId: good(await api.post('/v1/conversions', CONVERSION)).id,
    ...(await customerWithCard(api)),
    files: good(await upload(api, 'Evidence')).id,
    'web-domains': good(await api.post('/v1/wallet-pay/web-domains', { domainName: 'shop.example' })).id,
    ...(await dispute(api)),
    ...(await paidAtTerminal(world, api, accountId)),
  };
  const { accounts: _seen, clientSecret: _told, ...own } = made;
  const items = async (path: string): Promise<Json[]> => good(await api.get(`${path}?limit=50`)).items;
  const transactions = await items(`/v1/payment-sessions/${made.paymentSessionId}/transactions`);
  const events = await items('/v1/events');
  const ids = [...Object.values(own), ...[...transactions, ...events].map(({ id }) => id as string)];
  return { ...made, ids: [...new Set(ids)] };
}

const CONVERSION = {
  sell: { amount: 5_000, currency: 'EUR' },
  buy: { currency: 'GBP' },
  termAgreement: true,
};

async function payout(world: World, accountId: string, payoutMethodId: string): Promise<string> {
  const path = `/v1/accounts/${accountId}/payouts`;
  if (accountId === world.platformId) return good(await world.api.get(path)).items[0].id;
  return good(await world.api.post(path, { amount: 1_000, currency: 'GBP', payoutMethodId })).id;
}

/** Somebody who pays with a card that is kept, and subscribes with it. */
export async function customerWithCard(api: Api) {
  const shop = openCheckout(api);
  const paid = good(
    await shop.attempt(await shop.session({ customerEmail: 'kim@example.com' }), {
      cardDetails: card(),
      paymentMethodOptions: { store: true },
    }),
  );
  const customerId: string = paid.customerDetails.id;
  const paymentMethodId: string = paid.paymentMethod.tokenizedDetails.id;
  const subscription = await api.post('/v1/subscriptions', {
    customer: { id: customerId },
    paymentMethod: { id: paymentMethodId },
    price: { amount: 1500, currency: 'GBP', interval: { unit: 'Months', count: 1 } },
  });
  return { customerId, paymentMethodId, subscriptionId: good(subscription).id as string };
}

/** A dispute that its account has challenged. Returns its id. */
export async function challengedDispute(api: Api): Promise<string> {
  const { disputeId } = await dispute(api);
  const evidence = { text: { uncategorised: 'Signed for at the door' } };
  good(await api.patch(`/v1/disputes/${disputeId}/evidence`, evidence));
  good(await api.post(`/v1/disputes/${disputeId}/challenge`));
  return disputeId;
}

async function dispute(api: Api) {
  const session = await openCheckout(api).captured();
  const opened = good(await api.post(`/sandbox/payment-sessions/${session.id}/disputes`, {}));
  return { disputeId: opened.id as string };
}

/** Takes a payment on a terminal of its own. */
async function paidAtTerminal(world: World, api: Api, accountId: string) {
  const own = accountId === world.platformId ? undefined : accountId;
  const terminal = await world.addTerminal(own ? { accountId: own } : {});
  const session = await openTill(world, terminal, own).takes(1000);
  const shown = good(await api.get(`/v1/in-person/terminals/${terminal.terminalId}`));
  const transactions = good(await api.get(`/v1/payment-sessions/${session.id}/transactions`));
  const events = good(await api.get('/v1/events'));
  return {
    locations: shown.location.id as string,
    terminals: shown.id as string,
    actionId: shown.action.id as string,
    paymentSessionId: session.id as string,
    paymentTransactionId: transactions.items[0].id as string,
    eventId: events.items[0].id as string,
    clientSecret: session.clientSecret as string,
  };
}
