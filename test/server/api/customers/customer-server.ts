import { customerRoutes } from '../../../../server/api/customers/customer.resource.ts';
import { createCardToken } from '../../../../server/api/customers/card-tokens.ts';
import type { Address } from '../../../../server/api/customers/address.schema.ts';
import type { CardDetails } from '../../../../server/api/customers/payment-method.records.ts';
import { paymentMethodRoutes } from '../../../../server/api/customers/payment-method.resource.ts';
import { smallServer, type SmallServer } from '../../platform/http/small-server.ts';

export const CARD: CardDetails = {
  scheme: 'Visa',
  bin: '401200',
  last4: '0085',
  expiryMonth: '10',
  expiryYear: '2030',
};

/** The customer side of a server. */
interface CustomerServer extends SmallServer {
  /** Creates a customer; answers the id. */
  create(email: string, details?: object): Promise<string>;
  /** Keeps a card of a customer; answers its token. */
  keep(customerId: string, options?: { stored?: boolean; billingAddress?: Address }): Promise<string>;
  /** Types of the events recorded, oldest first, with the id that each is about. */
  events(): Promise<string[]>;
}

const ROUTES = [...customerRoutes, ...paymentMethodRoutes];

export async function customerServer(): Promise<CustomerServer> {
  const server = await smallServer(ROUTES);
  const { services, platformId } = server;
  return {
    ...server,
    async create(email, details = {}) {
      const { body } = await server.call('POST /v1/customers', { body: { email, ...details } });
      return body.id as string;
    },
    async keep(customerId, { stored = true, billingAddress } = {}) {
      const card = {
        accountId: platformId,
        sessionId: 'ps_1',
        customerId,
        card: CARD,
        billingAddress,
        stored,
      };
      const { id } = await services.store.transaction((tx) =>
        createCardToken(tx, services, { ...card, checks: { avsResponseCode: 'Y', cvvResponseCode: 'M' } }),
      );
      return id;
    },
    async events() {
      const rows = await services.store.all<{ event_type: string; body: string }>(
        'SELECT event_type, body FROM events ORDER BY seq',
      );
      return rows.map(({ event_type, body }) => `${event_type} ${JSON.parse(body).data.id}`);
    },
  };
}
