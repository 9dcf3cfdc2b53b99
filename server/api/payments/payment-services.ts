import type { Services } from '../../platform/services.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';

/** Limits of other areas on the refunds of a payment session. */
interface RefundHolds {
  /** Returns whether a refund of the session is in progress at a terminal. */
  isRefundInFlight(queries: Queries, sessionId: string): Promise<boolean>;
  /** Returns the amount of the session that is disputed, in minor units. */
  disputedMinorOf(queries: Queries, sessionId: string): Promise<number>;
}

/** What the area of subscriptions knows of payment sessions. */
interface SubscriptionSessions {
  /** Returns whether the session pays a subscription or verifies its card: that card is always stored. */
  isOfSubscription(queries: Queries, sessionId: string): Promise<boolean>;
  /** Locks the subscription of the session, if it has one, and the customer of that. */
  lockSubscriptionOf(tx: Transaction, sessionId: string): Promise<void>;
}

/** What payments need: the services of the platform, and ports to the areas that limit them. */
export interface PaymentServices extends Services {
  refundHolds: RefundHolds;
  subscriptionSessions: SubscriptionSessions;
}
