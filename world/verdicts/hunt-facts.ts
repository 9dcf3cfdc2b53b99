import { Type } from '../../protocol/schema.ts';

/** A payment session, as a verdict sees it. */
export interface HuntedPayment {
  id: string;
  /** Account that was paid: the platform or a sub account. */
  accountId: string;
  /** Value of the metadata member that names the order; undefined without it. */
  orderId: string | undefined;
  /** Status of the session (docs/openapi.json, PaymentSession). */
  status: string;
  /** What the session is for, in minor units. */
  amount: number;
  /** What was taken: less than `amount` where only a part of what was held is captured; 0 before. */
  captured: number;
  refundedAmount: number;
  /** What its disputes took back and did not return, in minor units. */
  chargedBack: number;
  /** What the platform collected of it and kept, in minor units; 0 for a payment of the platform. */
  platformFee: number;
  currency: string;
  /** Whether it was cancelled while it was in progress at a terminal. */
  cancelled: boolean;
  /** Whether a subscription made it, for one of its billing periods. */
  isOfSubscription: boolean;
}

/** A transfer between the platform and a sub account that is completed. */
export interface HuntedTransfer {
  id: string;
  /** Value of the metadata member that names the order; undefined without it. */
  orderId: string | undefined;
  /** The sub account. */
  accountId: string;
  /** Whether the money goes to the sub account, and not from it to the platform. */
  toSubAccount: boolean;
  /** Minor units. */
  amount: number;
  currency: string;
}

/** A payout that a request made, and that has not failed. */
export interface HuntedPayout {
  id: string;
  /** Value of the metadata member that names an order; undefined without it. */
  orderId: string | undefined;
  accountId: string;
  /** Minor units. */
  amount: number;
  currency: string;
}

/** An order in the books of the integrator; amounts in minor units. */
export interface ShopOrder {
  orderId: string;
  paid: boolean;
  amount: number;
  refunded?: number;
  /** What disputes took of it, less what they returned. Leave it out where the books do not say so. */
  chargedBack?: number;
  /** Whether the shop has sent a cancel for it. Leave it out where the books do not say so. */
  cancelled?: boolean;
  /** In how many payments it was paid, such as two cards; 1 by default. */
  payments?: number;
  /** Whether its amount is held, and the shop captures it later. */
  held?: boolean;
  /** What the platform keeps of it as a platform fee. */
  platformFee?: number;
  /** What was transferred to sub accounts for it, less what came back. */
  transferred?: number;
  /** What was paid out for it. */
  paidOut?: number;
}

/** A recorded event, with what its webhook endpoints said. */
export interface HuntedEvent {
  id: string;
  eventType: string;
  endpoints: readonly {
    webhookId: string;
    acknowledged: boolean;
    /** False when a fault dropped the last attempt: what came before may have failed for the faults of that time. */
    asked: boolean;
  }[];
}

/** What there is once everything that was due has happened. */
export interface HuntFacts {
  payments: readonly HuntedPayment[];
  transfers: readonly HuntedTransfer[];
  payouts: readonly HuntedPayout[];
  events: readonly HuntedEvent[];
  /** Terminals with an action in progress. */
  busyTerminals: readonly string[];
  shop: { orders: readonly ShopOrder[] } | undefined;
}

/** Returns a sentence about what is wrong; undefined when nothing is. */
export type Verdict = (facts: HuntFacts) => string | undefined | Promise<string | undefined>;

/** What the books of a shop say, as it prints or serves them. */
export const Books = Type.Object({
  orders: Type.Array(
    Type.Object({
      orderId: Type.String(),
      paid: Type.Boolean(),
      amount: Type.Integer(),
      refunded: Type.Optional(Type.Integer()),
      chargedBack: Type.Optional(Type.Integer()),
      cancelled: Type.Optional(Type.Boolean()),
      payments: Type.Optional(Type.Integer({ minimum: 1 })),
      held: Type.Optional(Type.Boolean()),
      platformFee: Type.Optional(Type.Integer()),
      transferred: Type.Optional(Type.Integer()),
      paidOut: Type.Optional(Type.Integer()),
    }),
  ),
});
