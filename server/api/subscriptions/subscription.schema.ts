import {
  AmountMinor,
  CreatedTimestamp,
  Currency,
  CurrencyCode,
  Id,
  Metadata,
  Timestamp,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { StatementDescriptor } from '../payments/payment-session.schema.ts';
import { RequiredAction } from '../../bank/three-ds/required-action.schema.ts';
import { ShippingDetails } from '../payments/shipping.schema.ts';
import { SUBSCRIPTION_STATUSES } from './subscription.machine.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import { TimeWindow } from '../../platform/http/time-window.schema.ts';

const METADATA_MAX = 10; // docs/choices.md, Subscriptions

/** An instant that may be in the future: up to the end of the year 9999, the last that a date can represent. */
const FutureTimestamp = Type.Integer({
  minimum: 0,
  maximum: 253_402_300_799,
  description: 'Unix timestamp, in seconds',
});

const Reason = Type.String({
  minLength: 1,
  maxLength: 250,
  description: 'Reason, for your own records',
});

const BillingInterval = Type.Object({
  unit: Type.Enum(['Days', 'Months'], {
    description: 'Unit of the interval: days of 24 hours, or calendar months in UTC',
  }),
  count: Type.Integer({ minimum: 1, maximum: 1000, description: 'Number of units in a cycle' }),
  times: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'Number of cycles; without it the subscription has no end',
    }),
  ),
});

const Amount = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Amount of each cycle, in minor units of the currency',
});

const Price = Type.Object({
  amount: Amount,
  currency: CurrencyCode,
  interval: withDescription(BillingInterval, 'Length of a cycle'),
});

const SubscriptionPaymentSettings = Type.Object({
  // Shown on the statement for every payment of the subscription; the account's own unless set.
  statementDescriptor: Type.Optional(
    withDescription(
      StatementDescriptor,
      'What the statement of the cardholder shows for the payments. Defaults to that of the account.',
    ),
  ),
});

/** Properties that are set at creation and can be updated later. */
const SETTINGS = {
  description: Type.Optional(
    Type.String({ minLength: 1, maxLength: 250, description: 'What the customer subscribes to' }),
  ),
  paymentMethod: Type.Optional(
    Type.Object(
      { id: Type.String({ description: 'Id of a stored payment method of the customer' }) },
      { description: 'Payment method to charge' },
    ),
  ),
  billingCycleTimestamp: Type.Optional(
    withDescription(
      FutureTimestamp,
      'Time of the first billing, or, on update, of the next one: a Unix timestamp, in seconds, not in the past. Defaults to the current time.',
    ),
  ),
  shippingDetails: Type.Optional(ShippingDetails),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
  paymentSettings: Type.Optional(
    withDescription(SubscriptionPaymentSettings, 'Settings of the payments of the subscription'),
  ),
};

export const SubscriptionCreate = Type.Object({
  customer: Type.Object(
    { id: Type.String({ description: 'Id of the customer' }) },
    { description: 'Customer who pays' },
  ),
  price: withDescription(Price, 'Price of each cycle'),
  ...SETTINGS,
});

export const SubscriptionUpdate = Type.Object({
  price: Type.Optional(
    Type.Object(
      {
        amount: Type.Optional(Amount),
        interval: Type.Optional(withDescription(BillingInterval, 'Length of a cycle, from the next one on')),
      },
      { description: 'Price of each cycle, from the next one on' },
    ),
  ),
  ...SETTINGS,
});

export const SubscriptionPause = Type.Object({
  reason: Type.Optional(withDescription(Reason, 'Reason for the pause, for your own records')),
  resumeAtTimestamp: Type.Optional(
    withDescription(
      FutureTimestamp,
      'Time at which the subscription resumes: a Unix timestamp, in seconds. Without it the subscription stays paused until it is resumed by a request.',
    ),
  ),
  resumeTimestamp: Type.Optional(withDescription(FutureTimestamp, 'Alternative name of `resumeAtTimestamp`')),
  unschedule: Type.Optional(
    Type.Boolean({ description: 'Whether to remove a pause that is scheduled and has not started' }),
  ),
});

export const SubscriptionCancel = Type.Object({
  reason: Type.Optional(withDescription(Reason, 'Reason for the cancellation, for your own records')),
});

/** The properties of a payment session that a front end needs to have it paid. */
const SessionReference = Type.Object(
  {
    id: Id('paymentSession'),
    clientSecret: Type.Optional(
      Type.String({ description: 'Lets a front end pay the session with the public key; absent in events' }),
    ),
    requiredAction: Type.Optional(RequiredAction),
  },
  {
    title: 'SubscriptionPaymentSession',
    description: 'Payment session of a subscription, as far as a front end needs it',
  },
);

export type SessionReference = Static<typeof SessionReference>;

/** A recurring payment: Spec §4.8. */
export const Subscription = Type.Object(
  {
    id: Id('subscription'),
    status: Type.Enum([...SUBSCRIPTION_STATUSES], {
      description:
        '`Pending` until the first payment, `Active` while payments succeed, `PastDue` while a payment is owed, `Paused` during a pause, `Cancelled` by a request, `Ended` after the last cycle',
    }),
    description: Type.Optional(Type.String({ description: 'What the customer subscribes to' })),
    customer: Type.Object({ id: Id('customer') }, { description: 'Customer who pays' }),
    paymentMethod: Type.Optional(
      Type.Object(
        { id: Id('paymentMethod') },
        { description: 'Stored payment method that is charged; absent until one is known' },
      ),
    ),
    paymentSessions: Type.Object(
      { initial: SessionReference, latest: SessionReference },
      { description: 'Payment sessions of the subscription' },
    ),
    price: Type.Object(
      {
        amount: withDescription(AmountMinor, 'Amount of each cycle, in minor units of `currency`'),
        currency: Currency,
        interval: withDescription(BillingInterval, 'Length of a cycle'),
      },
      { description: 'Price of each cycle' },
    ),
    balance: Type.Object(
      {
        amount: Type.Integer({
          description: 'Amount that the customer owes now, in minor units of the currency of `price`',
        }),
      },
      { description: 'What the customer owes' },
    ),
    pausePaymentDetail: Type.Optional(
      Type.Object(
        {
          reason: Type.Optional(Type.String({ description: 'Reason that was given for the pause' })),
          resumeAtTimestamp: Type.Optional(
            Type.Integer({
              description:
                'Time at which the subscription resumes: a Unix timestamp, in seconds. Absent when it is resumed by a request.',
            }),
          ),
          pausedAtTimestamp: Type.Integer({
            description:
              'Time at which the subscription was paused or the pause was scheduled: a Unix timestamp, in seconds',
          }),
        },
        { description: 'Current or scheduled pause; absent when there is none' },
      ),
    ),
    cancelDetail: Type.Optional(
      Type.Object(
        {
          reason: Type.Optional(Type.String({ description: 'Reason that was given for the cancellation' })),
          cancelledAtTimestamp: withDescription(
            Timestamp,
            'Time at which the subscription was cancelled: a Unix timestamp, in seconds',
          ),
        },
        { description: 'Cancellation of the subscription; absent unless it is `Cancelled`' },
      ),
    ),
    billingDetail: Type.Object(
      {
        totalCycles: Type.Integer({ description: 'Number of cycles; 0 when the subscription has no end' }),
        currentCycle: Type.Integer({
          description: 'Number of the current cycle, counted from 1; 0 before the first',
        }),
        currentCycleStartTimestamp: Type.Integer({
          description:
            'Time at which the current cycle started, or at which the first will: a Unix timestamp, in seconds',
        }),
        currentCycleEndTimestamp: Type.Integer({
          description: 'Time at which the next cycle starts: a Unix timestamp, in seconds',
        }),
        billingCycleTimestamp: Type.Integer({
          description:
            'Time of the first billing, on whose day of the month later cycles start: a Unix timestamp, in seconds',
        }),
        nextBillingTimestamp: Type.Optional(
          Type.Integer({
            description:
              'Time at which the next payment is attempted: a Unix timestamp, in seconds. Absent when there will be none.',
          }),
        ),
        failureDetail: Type.Optional(
          Type.Object(
            {
              paymentAttempts: Type.Integer({
                description: 'Number of failed attempts to charge this cycle',
              }),
              lastPaymentError: Type.String({
                description:
                  'Code of the reason why the last attempt failed, as `lastError` of a payment session',
              }),
            },
            { description: 'Failure of the latest payment; absent unless the subscription is `PastDue`' },
          ),
        ),
      },
      { description: 'Progress of the billing cycles' },
    ),
    shippingDetails: Type.Optional(ShippingDetails),
    metadata: Metadata(METADATA_MAX),
    paymentSettings: withDescription(
      SubscriptionPaymentSettings,
      'Settings of the payments of the subscription',
    ),
    createdTimestamp: CreatedTimestamp,
  },
  { title: 'Subscription', description: 'A series of payments that the service schedules and takes' },
);
export type Subscription = Static<typeof Subscription>;

/** The data of a `Subscription` event. `Subscription.created` has the price at the top level too. */
export const SubscriptionEventData = Type.Object({
  ...Subscription.properties,
  amount: Type.Optional(withDescription(AmountMinor, 'Same as `price.amount`')),
  currency: Type.Optional(withDescription(Currency, 'Same as `price.currency`')),
});
export type SubscriptionEventData = Static<typeof SubscriptionEventData>;
export type SubscriptionCreate = Static<typeof SubscriptionCreate>;
export type SubscriptionUpdate = Static<typeof SubscriptionUpdate>;

export const WindowedPage = Type.Object({ ...PageQuery.properties, ...TimeWindow });
