import { createApi, type Api } from '../../../../testing/world/api.ts';
import { openCheckout, type Checkout } from '../../../kit/checkout.ts';
import { customerRoutes } from '../../../../server/api/customers/customer.resource.ts';
import { paymentMethodRoutes } from '../../../../server/api/customers/payment-method.resource.ts';
import { eventRoutes } from '../../../../server/api/webhooks/event.resource.ts';
import { attemptRoutes } from '../../../../server/api/payments/attempt.resource.ts';
import { captureVoidRefundRoutes } from '../../../../server/api/payments/captures-voids-refunds.resource.ts';
import { paymentSessionRoutes } from '../../../../server/api/payments/payment-session.resource.ts';
import { paymentTransactionRoutes } from '../../../../server/api/payments/payment-transaction.resource.ts';
import { sandboxAccountRoutes } from '../../../../server/sandbox-controls/sandbox-account.resource.ts';
import type { Route } from '../../../../server/platform/http/route.ts';
import type { Server } from '../../../../server/app.ts';
import { smallServer, type SmallServer } from '../../platform/http/small-server.ts';
import type { ServerSettings } from '../../../../server/platform/settings.ts';

/** A small server with what payments need, and shops that call it: the platform's own, and that of its sub account. */
export interface PaymentServer extends SmallServer {
  api: Api;
  shop: Checkout;
  /** Acts for the sub account, by the Account header. */
  branch: Checkout;
  branchApi: Api;
}

const ROUTES = [
  ...paymentSessionRoutes,
  ...attemptRoutes,
  ...captureVoidRefundRoutes,
  ...paymentTransactionRoutes,
  ...customerRoutes,
  ...paymentMethodRoutes,
  ...eventRoutes,
  ...sandboxAccountRoutes,
];

export async function paymentServer(
  settings: Partial<ServerSettings> = {},
  more: readonly Route[] = [],
): Promise<PaymentServer> {
  const server = await smallServer([...ROUTES, ...more], settings);
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
