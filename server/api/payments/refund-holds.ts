import type { Queries } from '../../platform/store/store.ts';

/** Limits of other areas on the refunds of a payment session. */
interface RefundHolds {
  /** Returns whether a refund of the session is in progress at a terminal. */
  isRefundInFlight(queries: Queries, sessionId: string): Promise<boolean>;
  /** Returns the amount of the session that is disputed, in minor units. */
  disputedMinorOf(queries: Queries, sessionId: string): Promise<number>;
}

declare module '../../platform/services.ts' {
  interface Services {
    refundHolds: RefundHolds;
  }
}
