import type { Api } from '../../../testing/world/api.ts';
import type { World } from '../../../testing/world/world.ts';
import { openCheckout } from '../../kit/checkout.ts';
import { address, person } from '../../server/api/accounts/account-bodies.ts';
import { hostingServer } from '../../server/sandboxes/hosting-server.ts';
import { good, type Json } from '../one-of-each.ts';
import type { Route } from '../../../server/platform/http/route.ts';
import { ROUTES } from '../../../server/routes.ts';
import { changedBy, valueFor } from './changed-objects.ts';
import { account, BUSINESS, INDIVIDUAL, LOCATION, METHOD } from './objects.ts';

const valueAt = (object: Json, path: string): Json =>
  path.split('.').reduce((inner: Json, name) => inner?.[name], object);

/** Returns a copy of a body in which the property at a path has a value. */
function withValue(body: Json, path: string, value: unknown): Json {
  const [name, ...rest] = path.split('.') as [string, ...string[]];
  return { ...body, [name]: rest.length === 0 ? value : withValue(body?.[name], rest.join('.'), value) };
}

/** A property in requests of one operation. */
interface Sent {
  value: unknown;
  /** Sends the property with a value, and returns what another request shows of it, or of its effect. */
  send: (value: unknown) => Promise<unknown>;
}

/** A line of an address, in requests that make an object in a list, or that change one. */
function line(api: Api, property: string, method: 'post' | 'patch', path: string, whole: Json): Sent {
  return {
    value: property.endsWith('region') ? 'Kent' : 'Yard',
    async send(value) {
      const made = good(await api[method](path, withValue(whole, property, value)));
      return valueAt(good(await api.get(method === 'post' ? `${path}/${made.id}` : path)), property);
    },
  };
}

const holder = (property: string) => (property.startsWith('business') ? BUSINESS : INDIVIDUAL);

/** How properties that null clears are sent, other than those of the object that a PATCH changes. */
const SENT: Record<string, (world: World, property: string) => Promise<Sent> | Sent> = {
  'POST /accounts': ({ api }, property) => line(api, property, 'post', '/v1/accounts', holder(property)),
  'PATCH /accounts/{id}': async ({ api }, property) => {
    const { onboardingFlow: _fixed, entityType: _type, ...details } = holder(property) as Json;
    return line(api, property, 'patch', await account(api, holder(property)), details);
  },
  'POST /accounts/{id}/persons': async ({ api }, property) =>
    line(api, property, 'post', `${await account(api)}/persons`, person),
  'PATCH /accounts/{id}/persons/{personId}': async ({ api }, property) => {
    const list = `${await account(api)}/persons`;
    return line(api, property, 'patch', `${list}/${good(await api.post(list, person)).id}`, { address });
  },
  'POST /accounts/{id}/payout-methods': ({ api }, property) => ({
    ...line(api, property, 'post', '', METHOD),
    // An account has one payout method of a currency.
    async send(value) {
      const list = `${await account(api)}/payout-methods`;
      return line(api, property, 'post', list, METHOD).send(value);
    },
  }),
  'PATCH /accounts/{id}/payout-methods/{payoutMethodId}': async ({ api }, property) => {
    const list = `${await account(api)}/payout-methods`;
    const { bankAccount } = METHOD;
    return line(api, property, 'patch', `${list}/${good(await api.post(list, METHOD)).id}`, { bankAccount });
  },
  'POST /in-person/locations': ({ api }, property) =>
    line(api, property, 'post', '/v1/in-person/locations', LOCATION),
  'POST /sandbox/payment-sessions/{paymentSessionId}/fail-next': (world) => ({
    value: 'Capture',
    // The failure is seen in the capture that it is about.
    async send(type) {
      const shop = openCheckout(world.api);
      const session = await shop.approved();
      const path = `/sandbox/payment-sessions/${session.id}/fail-next`;
      for (const each of ['Capture', type]) good(await world.api.post(path, { type: each }));
      await shop.move(session, 'captures');
      await world.advance({ seconds: 2 });
      return (await shop.transactions(session)).find((one) => one.status === 'Failed')?.type ?? null;
    },
  }),
  'POST /sandbox/payment-sessions/{paymentSessionId}/decline-next': (world) => ({
    value: 'stolen_card',
    async send(code) {
      const shop = openCheckout(world.api);
      const session = await shop.session();
      const path = `/sandbox/payment-sessions/${session.id}/decline-next`;
      for (const each of ['stolen_card', code]) good(await world.api.post(path, { code: each }));
      await shop.pay(session);
      return (await shop.read(session)).lastError ?? null;
    },
  }),
  'POST /sandboxes': async () => {
    const { call, create } = await hostingServer();
    const send = async (expiresInSeconds: unknown) => {
      const made = await create({ expiresInSeconds });
      const { items } = (await call('GET /sandboxes')).body;
      const { createdTimestamp, expiresTimestamp } = items.find(({ name }: Json) => name === made.name);
      return expiresTimestamp && expiresTimestamp - createdTimestamp;
    };
    return { value: 3600, send };
  },
};

/** Sends a property of the object that a PATCH changes. */
async function patched(world: World, route: Route, property: string): Promise<Sent> {
  const { path, read = path, values, api = world.api } = await changedBy(route, world);
  return {
    value: valueFor(route, property, values),
    async send(value) {
      good(await api.patch(path, { [property]: value }));
      return good(await api.get(read))[property];
    },
  };
}

/** Returns how a property of an operation is sent. */
export async function sentBy(world: World, operation: string, property: string): Promise<Sent> {
  const route = ROUTES.find((each) => each.operation === operation)!;
  return SENT[operation]?.(world, property) ?? patched(world, route, property);
}
