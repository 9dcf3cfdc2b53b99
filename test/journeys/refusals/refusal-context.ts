import type { RefusalName } from '../../../server/platform/http/refusals.ts';
import { createApi, type Answer, type Api } from '../../../testing/world/api.ts';
import { card, openCheckout, type Checkout } from '../../kit/checkout.ts';
import { openTill, type Till } from '../../../testing/world/till.ts';
import type { World } from '../../../testing/world/world.ts';
import { business, individual } from '../../server/api/accounts/account-bodies.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
export type Json = any;

/** What a test of a refusal works with: a world, its API and objects. */
export interface RefusalContext {
  world: World;
  api: Api;
  /** The same API for a call that needs the clock to advance: the world does not wait for its reply. */
  untrackedApi: Api;
  /** The platform's own checkout, and that of its sub account. */
  shop: Checkout;
  branchApi: Api;
  branch: Checkout;
  platformId: string;
  subAccountId: string;
  /** A till of the platform with a terminal of its own. */
  till(): Promise<Till>;
  /** Returns the body of a successful reply. @throws for another status */
  created(reply: Promise<Answer>): Promise<Json>;
  /** Changes the settings of an account during a call. */
  withSettings(accountId: string, settings: object, call: () => Promise<Answer>): Promise<Answer>;
  /** Creates sub accounts. */
  nonHosted(change?: object): Promise<Json>;
  individual(): Promise<Json>;
  hosted(): Promise<Json>;
  customer(): Promise<Json>;
  /** Creates a customer with a stored card. */
  payer(): Promise<{ customerId: string; methodId: string }>;
  subscription(more?: object): Promise<Json>;
}

export type RefusalCase = (context: RefusalContext) => Promise<Answer>;
export type RefusalCases = Partial<Record<RefusalName, RefusalCase>>;

export const PRICE = { amount: 900, currency: 'GBP', interval: { unit: 'Months', count: 1 } };

export function createRefusalContext(world: World): RefusalContext {
  const { api, platformId, subAccountId } = world;
  const branchApi = api.as(subAccountId);
  const shop = openCheckout(api);
  let count = 0;
  const email = () => `payer${++count}@example.com`;
  const context: RefusalContext = {
    world,
    api,
    untrackedApi: createApi(() => world.server, 'sk_sandbox_world'),
    shop,
    branchApi,
    branch: openCheckout(branchApi),
    platformId,
    subAccountId,
    till: async () => openTill(world, await world.addTerminal()),
    async created(reply) {
      const { status, body } = await reply;
      if (status !== 200 && status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body;
    },
    async withSettings(accountId, settings, call) {
      const path = `/sandbox/accounts/${accountId}/settings`;
      const { items } = await context.created(api.get('/sandbox/accounts'));
      const before = items.find(({ id }: Json) => id === accountId).settings;
      await context.created(api.patch(path, settings));
      const answer = await call();
      await context.created(api.patch(path, before));
      return answer;
    },
    nonHosted: (change = {}) =>
      context.created(
        api.post('/v1/accounts', {
          onboardingFlow: 'NonHosted',
          entityType: 'Business',
          business,
          ...change,
        }),
      ),
    individual: () => context.nonHosted({ entityType: 'Individual', business: undefined, individual }),
    hosted: () => context.created(api.post('/v1/accounts', { email: email() })),
    customer: () => context.created(api.post('/v1/customers', { email: email() })),
    async payer() {
      const paid = await context.created(
        shop.attempt(await shop.session({ customerEmail: email() }), {
          cardDetails: card(),
          paymentMethodOptions: { store: true },
        }),
      );
      return { customerId: paid.customerDetails.id, methodId: paid.paymentMethod.tokenizedDetails.id };
    },
    async subscription(more = {}) {
      const { customerId, methodId } = await context.payer();
      const body = { customer: { id: customerId }, paymentMethod: { id: methodId }, price: PRICE };
      return context.created(api.post('/v1/subscriptions', { ...body, ...more }));
    },
  };
  return context;
}
