import { onboardingPages } from './api/onboarding/onboarding-pages.ts';
import type { WebPage } from './platform/http/pages/page.ts';
import { challengePages } from './bank/three-ds/challenge-page.ts';
import { methodPages } from './bank/three-ds/method-page.ts';
import { accountLinkRoutes } from './api/onboarding/account-link.resource.ts';
import { accountRoutes } from './api/accounts/account.resource.ts';
import { personRoutes } from './api/accounts/person.resource.ts';
import { customerRoutes } from './api/customers/customer.resource.ts';
import { paymentMethodRoutes } from './api/customers/payment-method.resource.ts';
import { eventRoutes } from './api/webhooks/event.resource.ts';
import { webhookRoutes } from './api/webhooks/webhook.resource.ts';
import { fileRoutes } from './api/files/file.resource.ts';
import { healthRoutes } from './platform/http/health.resource.ts';
import { openApiRoute } from './platform/http/openapi/openapi.resource.ts';
import type { Route } from './platform/http/route.ts';
import { actionRoutes } from './api/in-person/actions/action.resource.ts';
import { locationRoutes } from './api/in-person/terminals/location.resource.ts';
import { catalogueRoutes } from './api/in-person/catalogue/catalogue.resource.ts';
import { terminalRoutes } from './api/in-person/terminals/terminal.resource.ts';
import { balanceRoutes } from './api/ledger/balance.resource.ts';
import { conversionRoutes } from './api/ledger/conversion.resource.ts';
import { platformFeeRoutes } from './api/ledger/platform-fee.resource.ts';
import { transferRoutes } from './api/ledger/transfer.resource.ts';
import { disputeRoutes } from './api/disputes/dispute.resource.ts';
import { payoutMethodRoutes } from './api/payouts/payout-method.resource.ts';
import { payoutRoutes } from './api/payouts/payout.resource.ts';
import { walletRoutes } from './api/wallets/wallet.resource.ts';
import { pairingRoutes } from './api/pairing/pairing.resource.ts';
import { attemptRoutes } from './api/payments/attempt.resource.ts';
import { captureVoidRefundRoutes } from './api/payments/captures-voids-refunds.resource.ts';
import { paymentSessionRoutes } from './api/payments/payment-session.resource.ts';
import { paymentTransactionRoutes } from './api/payments/payment-transaction.resource.ts';
import { certificateRoutes } from './sandbox-controls/certificates/certificate.resource.ts';
import { faultPlanRoutes } from './sandbox-controls/faults/fault-plan.resource.ts';
import { sandboxRoutes } from './sandbox-controls/routes.ts';
import { sandboxesRoutes } from './sandboxes/sandbox.resource.ts';
import { snapshotRoutes } from './sandboxes/snapshot.resource.ts';
import { recordingRoutes } from './traces/recording.resource.ts';
import { subscriptionRoutes } from './api/subscriptions/subscription.resource.ts';

/** Every route there is, in the specification's order, then those around it. */
export const ROUTES: readonly Route[] = [
  ...paymentSessionRoutes,
  ...attemptRoutes,
  ...captureVoidRefundRoutes,
  ...paymentTransactionRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...accountRoutes,
  ...accountLinkRoutes,
  ...personRoutes,
  ...payoutMethodRoutes,
  ...payoutRoutes,
  ...transferRoutes,
  ...balanceRoutes,
  ...conversionRoutes,
  ...platformFeeRoutes,
  ...customerRoutes,
  ...paymentMethodRoutes,
  ...subscriptionRoutes,
  ...fileRoutes,
  ...disputeRoutes,
  ...walletRoutes,
  ...locationRoutes,
  ...terminalRoutes,
  ...actionRoutes,
  ...catalogueRoutes,
  ...sandboxRoutes,
  ...faultPlanRoutes(() => ROUTES),
  ...recordingRoutes,
  ...certificateRoutes,
  ...sandboxesRoutes,
  ...snapshotRoutes,
  ...pairingRoutes,
  ...healthRoutes,
  openApiRoute(() => ROUTES),
];

/** Every page that a person sees in a browser. */
export const PAGES: readonly WebPage[] = [...challengePages, ...methodPages, ...onboardingPages];
