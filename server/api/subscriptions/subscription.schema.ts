import {
  AmountMinor,
  Currency,
  CurrencyCode,
  Id,
  SignedAmount,
  Timestamp,
  Type,
  withDescription,
  type Static,
  type TSchema,
} from '../../../protocol/schema.ts';
import { StatementDescriptor } from '../payments/payment-session.schema.ts';
import { RequiredAction } from '../../bank/three-ds/required-action.schema.ts';
import { ShippingDetails } from '../payments/order.schema.ts';
import { SUBSCRIPTION_STATUSES, type SubscriptionState } from './subscription.machine.ts';
import {
  CREATED,
  CreateSchema,
  metadataProperty,
  ObjectSchema,
  UpdateSchema,
} from '../../platform/http/openapi/object-schemas.ts';
import {
  Amount,
  BillingDetail,
  BillingInterval,
  FirstBilling,
  FutureTimestamp,
  Price,
  PriceChange,
  PriceShown,
} from './subscription-billing.schema.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import { TimeWindow } from '../../platform/http/time-window.ts';
import type { Properties } from '../../platform/store/stored-property.ts';

const METADATA_MAX = 10; // docs/choices.md, Subscriptions

const Reason = Type.String({
  minLength: 1,
  maxLength: 250,
  description: 'Reason, for your own records',
});

const SubscriptionPaymentSettings = Type.Object(
  {
    // Shown on the statement for every payment of the subscription; the account's own unless set.
    statementDescriptor: Type.Optional(
      withDescription(
        StatementDescriptor,
        'What the statement of the cardholder shows for the payments. Defaults to that of the account.',
      ),
    ),
  },
  { description: 'Settings of the payments of the subscription' },
);

const MethodToCharge = Type.Object(
  { id: Type.String({ description: 'Id of a stored payment method of the customer' }) },
  { description: 'Payment method to charge' },
);

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

/** Stores a part of the object that replies show within another, or not at all. */
function part<const C extends string, S extends TSchema>(column: C, schema: S) {
  return { schema, column, reply: 'hidden' } as const;
}

const { unit, count } = BillingInterval.properties;

/** A recurring payment: Spec §4.8. */
export const SUBSCRIPTION = {
  status: {
    schema: Type.Enum([...SUBSCRIPTION_STATUSES], {
      description:
        '`Pending` until the first payment, `Active` while payments succeed, `PastDue` while a payment is owed, `Paused` during a pause, `Cancelled` by a request, `Ended` after the last cycle',
    }),
    column: 'status',
    initial: 'Pending',
  },
  phase: { ...part('phase', Type.Unsafe<SubscriptionState>(Type.String())), initial: 'pending' },
  description: {
    schema: Type.String({ minLength: 1, maxLength: 250, description: 'What the customer subscribes to' }),
    column: 'description',
    create: 'optional',
    update: 'set',
    reply: Type.String({ description: 'What the customer subscribes to' }),
    searched: true,
  },
  customer: {
    schema: Id('customer'),
    column: 'customer_id',
    always: true,
    fixed: true,
    create: Type.Object(
      { id: Type.String({ description: 'Id of the customer' }) },
      { description: 'Customer who pays' },
    ),
    reply: Type.Object({ id: Id('customer') }, { description: 'Customer who pays' }),
    toReply: (id: string) => ({ id }),
  },
  paymentMethod: {
    schema: Id('paymentMethod'),
    column: 'payment_method_id',
    create: Type.Optional(MethodToCharge),
    update: MethodToCharge,
    reply: Type.Object(
      { id: Id('paymentMethod') },
      { description: 'Stored payment method that is charged; absent until one is known' },
    ),
    toReply: (id: string) => ({ id }),
  },
  // Its sessions are created after it, in the same transaction.
  initialSessionId: { ...part('initial_session_id', Type.String()), initial: '' },
  latestSessionId: { ...part('latest_session_id', Type.String()), initial: '' },
  paymentSessions: {
    reply: Type.Object(
      { initial: SessionReference, latest: SessionReference },
      { description: 'Payment sessions of the subscription' },
    ),
  },
  amount: { ...part('price_minor', Amount), always: true },
  currency: { ...part('currency', CurrencyCode), always: true, fixed: true },
  intervalUnit: { ...part('interval_unit', unit), always: true },
  intervalCount: { ...part('interval_count', count), always: true },
  /** Number of cycles; null without an end. */
  intervalTimes: part('interval_times', Type.Integer()),
  price: { create: Price, update: PriceChange, reply: PriceShown },
  balance: {
    schema: AmountMinor,
    column: 'balance_minor',
    initial: 0,
    reply: Type.Object(
      {
        amount: withDescription(
          SignedAmount,
          'Amount that the customer owes now, in minor units of the currency of `price`',
        ),
      },
      { description: 'What the customer owes' },
    ),
    toReply: (amount: number) => ({ amount }),
  },
  pauseReason: part('pause_reason', Type.String()),
  pausedMs: part('paused_ms', Type.Integer()),
  resumeMs: part('resume_ms', Type.Integer()),
  pausePaymentDetail: {
    reply: Type.Optional(
      Type.Object(
        {
          reason: Type.Optional(Type.String({ description: 'Reason that was given for the pause' })),
          resumeAtTimestamp: Type.Optional(
            withDescription(
              Timestamp,
              'Time at which the subscription resumes: a Unix timestamp, in seconds. Absent when it is resumed by a request.',
            ),
          ),
          pausedAtTimestamp: withDescription(
            Timestamp,
            'Time at which the subscription was paused or the pause was scheduled: a Unix timestamp, in seconds',
          ),
        },
        { description: 'Current or scheduled pause; absent when there is none' },
      ),
    ),
  },
  cancelReason: part('cancel_reason', Type.String()),
  cancelledMs: part('cancelled_ms', Type.Integer()),
  cancelDetail: {
    reply: Type.Optional(
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
  },
  /** Number of the current cycle, from 1; 0 before the first. */
  cycle: { ...part('cycle', Type.Integer()), initial: 0 },
  cycleStartMs: { ...part('cycle_start_ms', Type.Integer()), always: true },
  cycleEndMs: { ...part('cycle_end_ms', Type.Integer()), always: true },
  nextBillingMs: part('next_billing_ms', Type.Integer()),
  paymentAttempts: { ...part('payment_attempts', Type.Integer()), initial: 0 },
  lastError: part('last_error', Type.String()),
  /** The time whose day of the month is that of the billing. */
  billingCycleTimestamp: {
    ...part('billing_cycle_ms', FirstBilling),
    instant: true,
    always: true,
    create: Type.Optional(FirstBilling),
    update: FirstBilling,
  },
  billingDetail: { reply: BillingDetail },
  shippingDetails: { schema: ShippingDetails, column: 'shipping_details', create: 'optional', update: 'set' },
  metadata: metadataProperty(METADATA_MAX),
  paymentSettings: {
    schema: SubscriptionPaymentSettings,
    column: 'payment_settings',
    create: 'optional',
    update: 'set',
    ofNull: {},
  },
  createdTimestamp: CREATED,
} as const satisfies Properties;

export const Subscription = ObjectSchema('subscription', SUBSCRIPTION, {
  title: 'Subscription',
  description: 'A series of payments that the service schedules and takes',
});
export type Subscription = Static<typeof Subscription>;

export const SubscriptionCreate = CreateSchema(SUBSCRIPTION);
export type SubscriptionCreate = Static<typeof SubscriptionCreate>;

export const SubscriptionUpdate = UpdateSchema(SUBSCRIPTION);
export type SubscriptionUpdate = Static<typeof SubscriptionUpdate>;

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

/** The data of a `Subscription` event. `Subscription.created` has the price at the top level too. */
export const SubscriptionEventData = Type.Object({
  ...Subscription.properties,
  amount: Type.Optional(withDescription(AmountMinor, 'Same as `price.amount`')),
  currency: Type.Optional(withDescription(Currency, 'Same as `price.currency`')),
});
export type SubscriptionEventData = Static<typeof SubscriptionEventData>;

export const WindowedPage = Type.Object({ ...PageQuery.properties, ...TimeWindow });
