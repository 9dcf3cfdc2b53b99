import { accountDirectory } from './api/accounts/account-directory.ts';
import { challengedPayments } from './api/payments/challenged-payments.ts';
import { endSubscriptionsOf } from './api/subscriptions/apply-subscription-event.ts';
import { isOfSubscription } from './api/subscriptions/subscription.records.ts';
import type { Services } from './platform/services.ts';
import { disputedMinorOf } from './api/disputes/dispute.records.ts';
import { isRefundInFlight } from './api/in-person/action.records.ts';

/** The ports that lower layers and areas declare, with the areas that implement them. */
export const AREA_PORTS = {
  accounts: accountDirectory,
  challengedPayments,
  refundHolds: { isRefundInFlight, disputedMinorOf },
  customerUse: { end: endSubscriptionsOf },
  subscriptionSessions: { isOfSubscription },
} satisfies Partial<Services>;
