import { accountLinkRoutes } from './accounts/account-link.resource.ts';
import { accountRoutes } from './accounts/account.resource.ts';
import { personRoutes } from './accounts/person.resource.ts';
import type { Broker } from './broker/broker.ts';
import { customerRoutes } from './customers/customer.resource.ts';
import { paymentMethodRoutes } from './customers/payment-method.resource.ts';
import { eventRoutes } from './events/event.resource.ts';
import { webhookRoutes } from './events/webhook.resource.ts';
import { fileRoutes } from './files/file.resource.ts';
import { healthRoutes } from './http/health.resource.ts';
import { openApiRoutes } from './http/openapi.resource.ts';
import { routesIn, type Route } from './http/route.ts';
import { actionRoutes } from './in-person/action.resource.ts';
import { locationRoutes } from './in-person/location.resource.ts';
import { orderRoutes } from './in-person/order.resource.ts';
import { productRoutes } from './in-person/product.resource.ts';
import { skuRoutes } from './in-person/sku.resource.ts';
import { terminalRoutes } from './in-person/terminal.resource.ts';
import { ledgerRoutes } from './ledger/routes.ts';
import { disputeRoutes } from './disputes/dispute.resource.ts';
import { payoutMethodRoutes } from './payouts/payout-method.resource.ts';
import { payoutRoutes } from './payouts/payout.resource.ts';
import { walletRoutes } from './wallets/wallet.resource.ts';
import { pairingRoutes } from './pairing/pairing.resource.ts';
import { attemptRoutes } from './payments/attempt.resource.ts';
import { movementRoutes } from './payments/movement.resource.ts';
import { paymentSessionRoutes } from './payments/payment-session.resource.ts';
import { transactionRoutes } from './payments/transaction.resource.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import type { Services } from './services.ts';
import { subscriptionRoutes } from './subscriptions/subscription.resource.ts';

/** Every route of the server in its mode, in the specification's order, then those around it. */
export function allRoutes(services: Services, broker: Broker | undefined): Route[] {
  const routes = routesIn(services.settings.mode, [
    ...paymentSessionRoutes(services),
    ...attemptRoutes(services),
    ...movementRoutes(services),
    ...transactionRoutes(services),
    ...webhookRoutes(services),
    ...eventRoutes(services),
    ...accountRoutes(services),
    ...accountLinkRoutes(services),
    ...personRoutes(services),
    ...payoutMethodRoutes(services),
    ...payoutRoutes(services),
    ...ledgerRoutes(services),
    ...customerRoutes(services),
    ...paymentMethodRoutes(services),
    ...subscriptionRoutes(services),
    ...fileRoutes(services),
    ...disputeRoutes(services),
    ...walletRoutes(services),
    ...locationRoutes(services),
    ...terminalRoutes(services),
    ...actionRoutes(services),
    ...productRoutes(services),
    ...skuRoutes(services),
    ...orderRoutes(services),
    ...sandboxRoutes(services),
    ...pairingRoutes(services, broker),
    ...healthRoutes(services),
  ]);
  return [...routes, ...openApiRoutes(routes)];
}
