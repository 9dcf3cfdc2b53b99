import type { TObject } from 'typebox';
import { bodyExampleOf } from '../../../server/platform/http/openapi/request-examples.ts';
import type { Route } from '../../../server/platform/http/route.ts';
import { ROUTES } from '../../../server/routes.ts';
import type { Api } from '../../../testing/world/api.ts';
import type { World } from '../../../testing/world/world.ts';
import { openCheckout } from '../../kit/checkout.ts';
import { upload } from '../../kit/form.ts';
import { person } from '../../server/api/accounts/account-bodies.ts';
import { hostingServer } from '../../server/sandboxes/hosting-server.ts';
import { good, type Json } from '../one-of-each.ts';
import { account, customer, LOCATION, METHOD } from './objects.ts';

/** An object that a PATCH changes. */
interface Changed {
  path: string;
  /** Where a GET shows it; its own path unless given. */
  read?: string;
  api?: Api;
  /** Values of properties for which the example of their schema is no valid value here. */
  values?: Json;
}

/** Makes what a PATCH changes, where the example of the POST that creates such an object is no valid request here. */
const CHANGED: Record<string, (world: World) => Promise<Changed>> = {
  'PATCH /accounts/{id}': async (world) => ({
    path: await account(world.api),
    values: {
      business: { tradingName: 'Goods' },
      settings: { payouts: { schedule: { type: 'Manual' } } },
      capabilities: { amexPayments: { requested: false } },
      documents: await documents(world, 'BusinessRegistration'),
    },
  }),
  'PATCH /accounts/{id}/persons/{personId}': async (world) => {
    const list = `${await account(world.api)}/persons`;
    const { id } = good(await world.api.post(list, person));
    return { path: `${list}/${id}`, values: { documents: await documents(world, 'Passport') } };
  },
  'PATCH /accounts/{id}/payout-methods/{payoutMethodId}': async (world) => {
    const list = `${await account(world.api)}/payout-methods`;
    const { id } = good(await world.api.post(list, METHOD));
    return { path: `${list}/${id}`, values: { bankAccount: METHOD.bankAccount } };
  },
  'PATCH /customers/{customerId}': async ({ api }) => {
    const { path, paymentMethodId } = await customer(api);
    return { path, values: { defaultPaymentMethod: paymentMethodId } };
  },
  'PATCH /payment-methods/{paymentMethodId}': async (world) => ({
    path: `/v1/payment-methods/${(await customer(world.api)).paymentMethodId}`,
  }),
  'PATCH /payment-sessions/{paymentSessionId}': async (world) => {
    const branch = world.api.as(world.subAccountId);
    const { id } = await openCheckout(branch).session();
    const { id: customerId } = good(await branch.post('/v1/customers', { email: 'sam@example.com' }));
    const ofFees = { paymentFees: { combined: { bookTo: world.platformId } } };
    const values = {
      customerId,
      customerDetails: { firstName: 'Sam' },
      paymentSettings: { paymentMethodOptions: { disabled: ['ApplePay'] } },
      platformSettings: ofFees,
      settings: { platform: ofFees },
    };
    return { path: `/v1/payment-sessions/${id}`, api: branch, values };
  },
  'PATCH /subscriptions/{subscriptionId}': async (world) => {
    const { customerId, paymentMethodId } = await customer(world.api);
    const paymentMethod = { id: paymentMethodId };
    const interval = { unit: 'Months', count: 1 };
    const price = { amount: 1500, currency: 'GBP', interval };
    const made = await world.api.post('/v1/subscriptions', {
      customer: { id: customerId },
      paymentMethod,
      price,
    });
    const billingCycleTimestamp = Math.floor(world.clock.nowMs() / 1000) + 86_400;
    const paymentSettings = { statementDescriptor: { descriptor: 'Tea', city: 'Leeds' } };
    const values = { price: { amount: 2000 }, paymentMethod, billingCycleTimestamp, paymentSettings };
    return { path: `/v1/subscriptions/${good(made).id}`, values };
  },
  'PATCH /disputes/{disputeId}/evidence': async (world) => {
    const session = await openCheckout(world.api).captured();
    const { id } = good(await world.api.post(`/sandbox/payment-sessions/${session.id}/disputes`, {}));
    const receipt = { id: good(await upload(world.api, 'Evidence')).id };
    const values = { text: { uncategorised: 'Signed' }, files: { receipt } };
    return { path: `/v1/disputes/${id}/evidence`, read: `/v1/disputes/${id}`, values };
  },
  'PATCH /in-person/terminals/{id}': async (world) => {
    const { terminalId } = await world.addTerminal();
    const { id: locationId } = good(await world.api.post('/v1/in-person/locations', LOCATION));
    return { path: `/v1/in-person/terminals/${terminalId}`, values: { locationId } };
  },
  'PATCH /sandbox/accounts/{id}/settings': async (world) => {
    const values = { verifyAboveMinor: { GBP: 100_000 } };
    return { path: `/sandbox/accounts/${world.platformId}/settings`, read: '/sandbox/accounts', values };
  },
  'PATCH /sandboxes/{name}': async () => {
    const { call, create } = await hostingServer();
    const { name } = await create();
    const send = (method: string) => (path_: string, body?: unknown) =>
      call(`${method} ${path_}` as 'GET /', body === undefined ? {} : { body: body as object });
    return {
      path: `/sandboxes/${name}`,
      read: '/sandboxes',
      api: { get: send('GET'), patch: send('PATCH') } as never,
    };
  },
};

const documents = async ({ api }: World, type: string) => {
  const { id } = good(await upload(api, 'VerificationDocument'));
  return [{ type, front: id, back: id, country: 'GB' }];
};

/** Makes an object by the POST of its list, with the example of the body. */
async function madeByExample({ api }: World, patch: Route): Promise<Changed> {
  const list = patch.path.replace(/\/\{\w+\}$/, '');
  const post = ROUTES.find(({ method, path }) => method === 'POST' && path === list)!;
  return { path: `${list}/${good(await api.post(list, bodyExampleOf(post))).id}` };
}

/** Makes an object that a PATCH changes. */
export function changedBy(patch: Route, world: World): Promise<Changed> {
  return CHANGED[patch.operation]?.(world) ?? madeByExample(world, patch);
}

/** Returns a value for a property of a PATCH: one that is given, or the example of its schema. */
export function valueFor({ body }: Route, property: string, values: Json = {}): unknown {
  return values[property] ?? bodyExampleOf({ operation: '', body: (body as TObject).properties[property] });
}
