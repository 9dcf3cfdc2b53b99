import type { Queries } from '../../platform/store/store.ts';

/** What the area of subscriptions knows of payment sessions. */
interface SubscriptionSessions {
  /** Returns whether the session pays a subscription or verifies its card: that card is always stored. */
  isOfSubscription(queries: Queries, sessionId: string): Promise<boolean>;
}

declare module '../../platform/services.ts' {
  interface Services {
    subscriptionSessions: SubscriptionSessions;
  }
}
