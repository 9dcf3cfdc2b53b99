import { createApi, type Api } from '../../kit/api.ts';
import { openCheckout, type Checkout } from '../../kit/checkout.ts';
import { customerRoutes } from '../../../server/customers/customer.resource.ts';
import { paymentMethodRoutes } from '../../../server/customers/payment-method.resource.ts';
import { eventRoutes } from '../../../server/events/event.resource.ts';
import { attemptRoutes } from '../../../server/payments/attempt.resource.ts';
import { movementRoutes } from '../../../server/payments/movement.resource.ts';
import { paymentSessionRoutes } from '../../../server/payments/payment-session.resource.ts';
import { transactionRoutes } from '../../../server/payments/transaction.resource.ts';
import { sandboxAccountRoutes } from '../../../server/sandbox/sandbox-account.resource.ts';
import type { Server } from '../../../server/app.ts';
import type { ServerSettings } from '../../../server/services.ts';
import { smallServer, type SmallServer } from '../http/small-server.ts';

/** A small server with what payments need, and shops that call it: the platform's own, and that of its sub account. */
export interface PaymentServer extends SmallServer {
  api: Api;
  shop: Checkout;
  /** Acts for the sub account, by the Account header. */
  branch: Checkout;
  branchApi: Api;
}

export async function paymentServer(settings: Partial<ServerSettings> = {}): Promise<PaymentServer> {
  const server = await smallServer(
    (services) => [
      ...paymentSessionRoutes(services),
      ...attemptRoutes(services),
      ...movementRoutes(services),
      ...transactionRoutes(services),
      ...customerRoutes(services),
      ...paymentMethodRoutes(services),
      ...eventRoutes(services),
      ...sandboxAccountRoutes(services),
    ],
    settings,
  );
  const { secretKey, publicKey } = server.services.settings;
  const api = createApi(() => server as unknown as Server, secretKey);
  const branchApi = api.as(server.subAccountId);
  const front = api.withKey(publicKey);
  return {
    ...server,
    api,
    branchApi,
    shop: openCheckout(api, front),
    branch: openCheckout(branchApi, front.as(server.subAccountId)),
  };
}
