import { startWorld, type World } from '../../testing/world/world.ts';
import type { WorldOptions } from '../../testing/world/world-options.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const WINDOW = 'startTimestamp endTimestamp ascending limit startsAfter';
const PAGE = 'ascending limit startsAfter';

/**
 * The client library for Node as it goes over the wire: each method of its resources, with verb and path, and with
 * the parameters of a query in the order of its arguments. From its sources (docs/sdks.md).
 */
const METHODS = {
  payments: {
    'events.list': 'GET /events ascending limit',
    'events.get': 'GET /events/:id',
    'paymentSessions.create': 'POST /payment-sessions',
    'paymentSessions.list': `GET /payment-sessions ${WINDOW}`,
    'paymentSessions.get': 'GET /payment-sessions/:id',
    'paymentSessions.update': 'PATCH /payment-sessions/:id',
    'paymentSessions.attemptPayment': 'POST /payment-sessions/attempt-payment',
    'paymentSessions.continuePayment': 'POST /payment-sessions/continue-payment',
    'paymentSessions.listTransactions': `GET /payment-sessions/:id/transactions ${PAGE}`,
    'paymentSessions.getTransaction': 'GET /payment-sessions/:id/transactions/:id',
    'paymentSessions.capture': 'POST /payment-sessions/:id/captures',
    'paymentSessions.void': 'POST /payment-sessions/:id/voids',
    'paymentSessions.refund': 'POST /payment-sessions/:id/refunds',
    'platformFees.list': 'GET /platform-fees ascending limit',
    'platformFees.get': 'GET /platform-fees/:id',
    'platformFees.getRefunds': 'GET /platform-fees/:id/refunds',
  },
  accounts: {
    'accounts.create': 'POST /accounts',
    'accounts.get': 'GET /accounts/:id',
    'accounts.update': 'PATCH /accounts/:id',
    'accounts.verify': 'POST /accounts/:id/verify',
    'accounts.createAuthLink': 'POST /accounts/authorize',
    'accountLinks.generateTemporaryAccountLink': 'POST /account-links',
    'files.list': `GET /files category ${PAGE}`,
    'files.create': 'POST /files',
    'files.get': 'GET /files/:id',
    'persons.create': 'POST /accounts/:id/persons',
    'persons.list': `GET /accounts/:id/persons ${PAGE}`,
    'persons.get': 'GET /accounts/:id/persons/:id',
    'persons.update': 'PATCH /accounts/:id/persons/:id',
    'persons.delete': 'DELETE /accounts/:id/persons/:id',
  },
  money: {
    'accounts.createPayout': 'POST /accounts/:id/payouts',
    'accounts.listPayouts': `GET /accounts/:id/payouts ${WINDOW}`,
    'accounts.getPayout': 'GET /accounts/:id/payouts/:id',
    'balances.list': 'GET /balances currency',
    'balanceTransactions.list': 'GET /balance-transactions limit startsAfter payoutId',
    'conversions.create': 'POST /conversions',
    'conversions.get': 'GET /conversions/:id',
    'conversions.list': `GET /conversions ${WINDOW}`,
    'conversions.getRate': 'GET /conversions/rate sellCurrency buyCurrency amount',
    'payouts.create': 'POST /accounts/:id/payouts',
    'payouts.list': `GET /accounts/:id/payouts ${WINDOW}`,
    'payouts.get': 'GET /accounts/:id/payouts/:id',
    'payoutMethods.create': 'POST /accounts/:id/payout-methods',
    'payoutMethods.list': `GET /accounts/:id/payout-methods ${PAGE}`,
    'payoutMethods.get': 'GET /accounts/:id/payout-methods/:id',
    'payoutMethods.update': 'PATCH /accounts/:id/payout-methods/:id',
    'payoutMethods.delete': 'DELETE /accounts/:id/payout-methods/:id',
    'transfers.transfer': 'POST /transfers',
    'transfers.list': `GET /transfers ${PAGE}`,
    'transfers.get': 'GET /transfers/:id',
  },
  customers: {
    'customers.create': 'POST /customers',
    'customers.list': `GET /customers email ${WINDOW}`,
    'customers.get': 'GET /customers/:id',
    'customers.update': 'PATCH /customers/:id',
    'customers.delete': 'DELETE /customers/:id',
    'customers.getPaymentMethods': 'GET /customers/:id/payment-methods',
    'paymentMethods.get': 'GET /payment-methods/:id',
    'paymentMethods.update': 'PATCH /payment-methods/:id',
    'paymentMethods.delete': 'DELETE /payment-methods/:id',
    'subscriptions.create': 'POST /subscriptions',
    'subscriptions.list': `GET /subscriptions ${WINDOW}`,
    'subscriptions.get': 'GET /subscriptions/:id',
    'subscriptions.update': 'PATCH /subscriptions/:id',
    'subscriptions.pause': 'PATCH /subscriptions/:id/pause',
    'subscriptions.resume': 'PATCH /subscriptions/:id/resume',
    'subscriptions.delete': 'DELETE /subscriptions/:id',
    'subscriptions.getPaymentSessions': `GET /subscriptions/:id/payment-sessions ${WINDOW}`,
  },
  others: {
    'applePay.registerDomain': 'POST /apple-pay/web-domains',
    'applePay.listDomains': `GET /apple-pay/web-domains ${PAGE}`,
    'applePay.getDomain': 'GET /apple-pay/web-domains/:id',
    'applePay.deleteDomain': 'DELETE /apple-pay/web-domains/:id',
    'applePay.createSession': 'POST /apple-pay/sessions',
    'disputes.list': `GET /disputes ${WINDOW}`,
    'disputes.get': 'GET /disputes/:id',
    'disputes.accept': 'POST /disputes/:id/accept',
    'disputes.challenge': 'POST /disputes/:id/challenge',
    'disputes.addEvidence': 'PATCH /disputes/:id/evidence',
    'disputes.deleteEvidence': 'DELETE /disputes/:id/evidence',
    'webhooks.create': 'POST /webhooks',
    'webhooks.list': 'GET /webhooks',
    'webhooks.get': 'GET /webhooks/:id',
    'webhooks.update': 'PATCH /webhooks/:id',
    'webhooks.delete': 'DELETE /webhooks/:id',
  },
  inPerson: {
    'inPersonLocations.create': 'POST /in-person/locations',
    'inPersonLocations.list': `GET /in-person/locations ${PAGE}`,
    'inPersonLocations.get': 'GET /in-person/locations/:id',
    'inPersonLocations.update': 'PATCH /in-person/locations/:id',
    'inPersonLocations.delete': 'DELETE /in-person/locations/:id',
    'inPersonOrders.list': `GET /in-person/orders ${PAGE}`,
    'inPersonOrders.get': 'GET /in-person/orders/:id',
    'inPersonProducts.list': `GET /in-person/products ${PAGE}`,
    'inPersonProducts.get': 'GET /in-person/products/:id',
    'inPersonSkus.list': 'GET /in-person/skus country limit startsAfter productId',
    'inPersonSkus.get': 'GET /in-person/skus/:id',
    'inPersonTerminals.create': 'POST /in-person/terminals',
    'inPersonTerminals.list': `GET /in-person/terminals ${PAGE}`,
    'inPersonTerminals.get': 'GET /in-person/terminals/:id',
    'inPersonTerminals.update': 'PATCH /in-person/terminals/:id',
    'inPersonTerminals.delete': 'DELETE /in-person/terminals/:id',
    'inPersonTerminals.initiatePayment': 'POST /in-person/terminals/:id/payment',
    'inPersonTerminals.initiateRefund': 'POST /in-person/terminals/:id/refund',
    'inPersonTerminals.cancelAction': 'POST /in-person/terminals/:id/cancel-action',
    'inPersonTerminals.confirmReceipt': 'POST /in-person/terminals/:id/confirm-receipt',
  },
} satisfies Record<string, Record<string, string>>;

const ALL: Record<string, string> = Object.assign({}, ...Object.values(METHODS));

interface Arguments {
  ids?: readonly string[];
  /** Of a query, in their order. */
  query?: readonly (string | number | boolean | undefined)[];
  body?: object;
  /** Of an upload, which is a form. */
  form?: FormData;
  account?: string;
}

export interface NodeLibrary {
  /**
   * Calls a method, and answers what it resolves to.
   * @throws Error with the `response` that the library would throw
   */
  call(name: string, given?: Arguments): Promise<Json>;
  /** Methods of an area that were not called. */
  uncalled(area: keyof typeof METHODS): string[];
}

const HEADERS = {
  'ryft-sdk-name': '@ryftpay/ryft-sdk',
  'ryft-sdk-version': '1.9.0',
  'User-Agent': 'ryftpay-ryft-sdk/1.9.0',
};

/** What the library throws for an answer that is not good. */
class LibraryError extends Error {
  readonly status: number;
  readonly response: { code: string; requestId: string; errors: { code: string; message: string }[] };

  constructor(status: number, response: LibraryError['response']) {
    super(response.errors[0]?.message);
    this.status = status;
    this.response = response;
  }
}

function nodeLibrary(secretKey: string, baseUrl: string): NodeLibrary {
  const called = new Set<string>();
  return {
    uncalled: (area) => Object.keys(METHODS[area]).filter((name) => !called.has(name)),
    async call(name, { ids = [], query = [], body, form, account } = {}) {
      const [method, path, ...names] = ALL[name]!.split(' ') as [string, string, ...string[]];
      called.add(name);
      const rest = [...ids];
      const parameters = new URLSearchParams();
      names.forEach((each, index) => {
        const value = query[index];
        if (value !== undefined) parameters.append(each, value.toString());
      });
      const search = parameters.size > 0 ? `?${parameters.toString()}` : '';
      const url = baseUrl + path.replaceAll(':id', () => rest.shift()!) + search;
      const answer = await fetch(url, {
        method,
        headers: {
          Authorization: secretKey,
          // Also with a GET, and with a POST that has no body.
          ...(!form && { 'Content-Type': 'application/json' }),
          ...HEADERS,
          ...(account && { Account: account }),
        },
        body: form ?? (body ? JSON.stringify(body) : null),
      });
      const data = (await answer.json()) as Json;
      if (!answer.ok) throw new LibraryError(answer.status, data);
      return data;
    },
  };
}

export interface LibraryWorld {
  world: World;
  library: NodeLibrary;
  call: NodeLibrary['call'];
  /** Seconds before and after all that a test does. */
  window(): [number, number];
}

/** A world that is reached over the network, and the library with its key. Close the world at the end. */
export async function libraryWorld(settings: WorldOptions['settings'] = {}): Promise<LibraryWorld> {
  const world = await startWorld({ settings });
  const { url } = await world.server.listen({ host: '127.0.0.1', port: 0 });
  const library = nodeLibrary(world.server.services.settings.secretKey, `${url}/v1`);
  const window = (): [number, number] => {
    const now = Math.floor(world.clock.nowMs() / 1000);
    return [now - 1000, now + 1000];
  };
  return { world, library, window, call: library.call };
}
