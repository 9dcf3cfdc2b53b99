import {
  AmountMinor,
  Currency,
  CurrencyCode,
  PositiveAmount,
  Timestamp,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';

/** An instant that may be in the future: up to the end of the year 9999, the last that a date can represent. */
export const FutureTimestamp = Type.Integer({
  minimum: 0,
  maximum: 253_402_300_799,
  description: 'Unix timestamp, in seconds',
  examples: [1_767_603_600],
});

export const BillingInterval = Type.Object({
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

/** The length of a cycle; `times` is the number of cycles, unlimited when not given. */
export type Interval = Static<typeof BillingInterval>;

export const Amount = withDescription(PositiveAmount, 'Amount of each cycle, in minor units of the currency');

/** The price of a new subscription. */
export const Price = Type.Object(
  { amount: Amount, currency: CurrencyCode, interval: withDescription(BillingInterval, 'Length of a cycle') },
  { description: 'Price of each cycle' },
);

export const PriceChange = Type.Object(
  {
    amount: Type.Optional(Amount),
    interval: Type.Optional(withDescription(BillingInterval, 'Length of a cycle, from the next one on')),
  },
  { description: 'Price of each cycle, from the next one on' },
);

/** The price that a reply shows. */
export const PriceShown = Type.Object(
  {
    amount: withDescription(AmountMinor, 'Amount of each cycle, in minor units of `currency`'),
    currency: Currency,
    interval: withDescription(BillingInterval, 'Length of a cycle'),
  },
  { description: 'Price of each cycle' },
);

export const FirstBilling = withDescription(
  FutureTimestamp,
  'Time of the first billing, or, on update, of the next one: a Unix timestamp, in seconds, not in the past. Defaults to the current time.',
);

export const BillingDetail = Type.Object(
  {
    totalCycles: Type.Integer({ description: 'Number of cycles; 0 when the subscription has no end' }),
    currentCycle: Type.Integer({
      description: 'Number of the current cycle, counted from 1; 0 before the first',
    }),
    currentCycleStartTimestamp: withDescription(
      Timestamp,
      'Time at which the current cycle started, or at which the first will: a Unix timestamp, in seconds',
    ),
    currentCycleEndTimestamp: withDescription(
      Timestamp,
      'Time at which the next cycle starts: a Unix timestamp, in seconds',
    ),
    billingCycleTimestamp: withDescription(
      Timestamp,
      'Time of the first billing, on whose day of the month later cycles start: a Unix timestamp, in seconds',
    ),
    nextBillingTimestamp: Type.Optional(
      withDescription(
        Timestamp,
        'Time at which the next payment is attempted: a Unix timestamp, in seconds. Absent when there will be none.',
      ),
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
);
