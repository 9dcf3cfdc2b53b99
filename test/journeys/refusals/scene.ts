import type { RefusalName } from '../../../server/platform/http/refusals.ts';
import { createApi, type Answer, type Api } from '../../kit/api.ts';
import { card, openCheckout, type Checkout } from '../../kit/checkout.ts';
import { openTill, type Till } from '../../kit/till.ts';
import type { World } from '../../kit/world.ts';
import { business, individual } from '../../server/api/accounts/account-bodies.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
export type Json = any;

/** Where a platform does what is refused. */
export interface Scene {
  world: World;
  api: Api;
  /** The same, for a call that time has to move on for: the world does not wait for it. */
  patientApi: Api;
  /** The platform's own checkout, and that of its sub account. */
  shop: Checkout;
  branchApi: Api;
  branch: Checkout;
  platformId: string;
  subAccountId: string;
  /** A till of the platform with a terminal of its own. */
  till(): Promise<Till>;
  /** Answers the object of a call that has to be good. */
  made(asked: Promise<Answer>): Promise<Json>;
  /** Changes what an account is set up for while something is tried. */
  setUp(accountId: string, settings: object, tried: () => Promise<Answer>): Promise<Answer>;
  /** New sub accounts. */
  nonHosted(change?: object): Promise<Json>;
  individual(): Promise<Json>;
  hosted(): Promise<Json>;
  customer(): Promise<Json>;
  /** A customer with a card that is kept. */
  payer(): Promise<{ customerId: string; methodId: string }>;
  subscription(more?: object): Promise<Json>;
}

export type Provocation = (scene: Scene) => Promise<Answer>;
export type Provocations = Partial<Record<RefusalName, Provocation>>;

export const PRICE = { amount: 900, currency: 'GBP', interval: { unit: 'Months', count: 1 } };

export function openScene(world: World): Scene {
  const { api, platformId, subAccountId } = world;
  const branchApi = api.as(subAccountId);
  const shop = openCheckout(api);
  let count = 0;
  const email = () => `payer${++count}@example.com`;
  const scene: Scene = {
    world,
    api,
    patientApi: createApi(() => world.server, 'sk_sandbox_world'),
    shop,
    branchApi,
    branch: openCheckout(branchApi),
    platformId,
    subAccountId,
    till: async () => openTill(world, await world.addTerminal()),
    async made(asked) {
      const { status, body } = await asked;
      if (status !== 200 && status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body;
    },
    async setUp(accountId, settings, tried) {
      const path = `/sandbox/accounts/${accountId}/settings`;
      const { items } = await scene.made(api.get('/sandbox/accounts'));
      const before = items.find(({ id }: Json) => id === accountId).settings;
      await scene.made(api.patch(path, settings));
      const answer = await tried();
      await scene.made(api.patch(path, before));
      return answer;
    },
    nonHosted: (change = {}) =>
      scene.made(
        api.post('/v1/accounts', {
          onboardingFlow: 'NonHosted',
          entityType: 'Business',
          business,
          ...change,
        }),
      ),
    individual: () => scene.nonHosted({ entityType: 'Individual', business: undefined, individual }),
    hosted: () => scene.made(api.post('/v1/accounts', { email: email() })),
    customer: () => scene.made(api.post('/v1/customers', { email: email() })),
    async payer() {
      const paid = await scene.made(
        shop.attempt(await shop.session({ customerEmail: email() }), {
          cardDetails: card(),
          paymentMethodOptions: { store: true },
        }),
      );
      return { customerId: paid.customerDetails.id, methodId: paid.paymentMethod.tokenizedDetails.id };
    },
    async subscription(more = {}) {
      const { customerId, methodId } = await scene.payer();
      const body = { customer: { id: customerId }, paymentMethod: { id: methodId }, price: PRICE };
      return scene.made(api.post('/v1/subscriptions', { ...body, ...more }));
    },
  };
  return scene;
}
