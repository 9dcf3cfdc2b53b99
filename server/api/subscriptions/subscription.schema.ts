import {
  AmountMinor,
  CurrencyCode,
  Id,
  Metadata,
  Timestamp,
  Type,
  type Static,
} from '../../../protocol/schema.ts';
import { StatementDescriptor } from '../payments/payment-session.schema.ts';
import { RequiredAction } from '../payments/required-action.schema.ts';
import { ShippingDetails } from '../payments/shipping.schema.ts';
import { SUBSCRIPTION_STATUSES } from './subscription.machine.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import { TimeWindow } from '../../platform/http/time-window.schema.ts';

export const METADATA_MAX = 10; // docs/choices.md, Subscriptions

/** An instant that may lie ahead: up to the end of the year 9999, the last that a date can be written in. */
export const FutureTimestamp = Type.Integer({
  minimum: 0,
  maximum: 253_402_300_799,
  description: 'Epoch seconds',
});

export const Reason = Type.String({ minLength: 1, maxLength: 250, description: 'Why, for whoever reads it' });

export const BillingInterval = Type.Object({
  unit: Type.Enum(['Days', 'Months'], { description: 'Of 24 hours, or of the calendar in UTC' }),
  count: Type.Integer({ minimum: 1, maximum: 1000, description: 'Units in a cycle' }),
  times: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100_000, description: 'Cycles in all; without end when not given' }),
  ),
});

const Amount = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Minor units' });

export const Price = Type.Object({ amount: Amount, currency: CurrencyCode, interval: BillingInterval });

export const SubscriptionPaymentSettings = Type.Object({
  // As every payment of the subscription shows on the statement; that of the account unless given.
  statementDescriptor: Type.Optional(StatementDescriptor),
});

/** What can be said at the start and changed later. */
const SETTINGS = {
  description: Type.Optional(
    Type.String({ minLength: 1, maxLength: 250, description: 'What is subscribed to' }),
  ),
  paymentMethod: Type.Optional(
    Type.Object({ id: Type.String({ description: 'A stored payment method of the customer (pmt_)' }) }),
  ),
  billingCycleTimestamp: Type.Optional({
    ...FutureTimestamp,
    description: 'The first billing moment, or from now on the next one; not in the past; default now',
  }),
  shippingDetails: Type.Optional(ShippingDetails),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
  paymentSettings: Type.Optional(SubscriptionPaymentSettings),
};

export const SubscriptionCreate = Type.Object({
  customer: Type.Object({ id: Type.String({ description: 'Who pays (cus_)' }) }),
  price: Price,
  ...SETTINGS,
});

export const SubscriptionUpdate = Type.Object({
  price: Type.Optional(
    Type.Object({ amount: Type.Optional(Amount), interval: Type.Optional(BillingInterval) }),
  ),
  ...SETTINGS,
});

export const SubscriptionPause = Type.Object({
  reason: Type.Optional(Reason),
  resumeAtTimestamp: Type.Optional({
    ...FutureTimestamp,
    description: 'When the pause ends by itself; without end when not given',
  }),
  resumeTimestamp: Type.Optional({ ...FutureTimestamp, description: 'Another name for resumeAtTimestamp' }),
  unschedule: Type.Optional(Type.Boolean({ description: 'Takes back a pause that has not begun' })),
});

export const SubscriptionCancel = Type.Object({ reason: Type.Optional(Reason) });

/** A payment session, as far as a front end needs it to have it paid. */
const SessionReference = Type.Object(
  {
    id: Id('paymentSession'),
    clientSecret: Type.Optional(Type.String({ description: 'Never in an event' })),
    requiredAction: Type.Optional(RequiredAction),
  },
  { title: 'SubscriptionPaymentSession' },
);

export type SessionReference = Static<typeof SessionReference>;

/** What is billed again and again: Spec §4.8. */
export const Subscription = Type.Object(
  {
    id: Id('subscription'),
    status: Type.Enum([...SUBSCRIPTION_STATUSES], {
      description:
        'Pending until the first payment, PastDue while a payment is owed, Ended after the last of its cycles',
    }),
    description: Type.Optional(Type.String({ description: 'What is subscribed to' })),
    customer: Type.Object({ id: Id('customer') }),
    paymentMethod: Type.Optional(Type.Object({ id: Id('paymentMethod') })),
    paymentSessions: Type.Object(
      { initial: SessionReference, latest: SessionReference },
      { description: 'The first session that was paid (until then the latest), and the latest' },
    ),
    price: Type.Object({ amount: AmountMinor, currency: Type.String(), interval: BillingInterval }),
    balance: Type.Object({ amount: Type.Integer({ description: 'What the customer owes now' }) }),
    pausePaymentDetail: Type.Optional(
      Type.Object({
        reason: Type.Optional(Type.String()),
        resumeAtTimestamp: Type.Optional(Type.Integer({ description: 'When it ends by itself' })),
        pausedAtTimestamp: Type.Integer({ description: 'When it was paused, or the pause scheduled' }),
      }),
    ),
    cancelDetail: Type.Optional(
      Type.Object({ reason: Type.Optional(Type.String()), cancelledAtTimestamp: Timestamp }),
    ),
    billingDetail: Type.Object({
      totalCycles: Type.Integer({ description: '0 when there is no end' }),
      currentCycle: Type.Integer({ description: '0 before the first' }),
      currentCycleStartTimestamp: Type.Integer({ description: 'Of the first cycle before it begins' }),
      currentCycleEndTimestamp: Type.Integer({ description: 'When the next cycle begins' }),
      billingCycleTimestamp: Type.Integer({ description: 'The first billing moment; its day is kept to' }),
      nextBillingTimestamp: Type.Optional(
        Type.Integer({ description: 'When the next payment is tried; absent when none will be' }),
      ),
      failureDetail: Type.Optional(
        Type.Object({
          paymentAttempts: Type.Integer({ description: 'Charges of this cycle that failed' }),
          lastPaymentError: Type.String({ description: 'Why, as lastError of a payment session' }),
        }),
      ),
    }),
    shippingDetails: Type.Optional(ShippingDetails),
    metadata: Metadata(METADATA_MAX),
    paymentSettings: SubscriptionPaymentSettings,
    createdTimestamp: Timestamp,
  },
  { title: 'Subscription' },
);
export type Subscription = Static<typeof Subscription>;
export type SubscriptionCreate = Static<typeof SubscriptionCreate>;
export type SubscriptionUpdate = Static<typeof SubscriptionUpdate>;

export const WindowedPage = Type.Object({ ...PageQuery.properties, ...TimeWindow });
