import { accountDirectory } from './api/accounts/api-keys.ts';
import { challengedPayments } from './api/payments/continue-payment.ts';
import { endSubscriptionsOf } from './api/subscriptions/apply-subscription-event.ts';
import { isOfSubscription, lockSubscriptionOf } from './api/subscriptions/subscription.records.ts';
import type { CustomerServices } from './api/customers/customer-service.ts';
import type { PaymentServices } from './api/payments/payment-services.ts';
import type { ChallengeServices } from './bank/three-ds/challenge-page.ts';
import { disputedMinorOf } from './api/disputes/dispute.records.ts';
import { isRefundInFlight } from './api/in-person/actions/action.records.ts';

/** The services of a sandbox, with the ports that its areas declare. */
export interface SandboxServices extends PaymentServices, CustomerServices, ChallengeServices {}

/**
 * Connects the ports that lower layers and areas declare to the areas that implement them.
 * @param services returns those of the sandbox, which have these ports
 */
export function areaPorts(services: () => SandboxServices) {
  return {
    accounts: accountDirectory,
    challengedPayments: challengedPayments(services),
    refundHolds: { isRefundInFlight, disputedMinorOf },
    customerUse: { end: endSubscriptionsOf },
    subscriptionSessions: { isOfSubscription, lockSubscriptionOf },
  };
}
