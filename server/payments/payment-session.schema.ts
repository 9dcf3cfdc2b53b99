import { AmountMinor, Id, Metadata, Timestamp, Type, type Static } from '../../protocol/schema.ts';

export const METADATA_MAX = 10; // Spec §2.1

const BookTo = Type.Object({ bookTo: Id('account') });

/** Which account pays each part of the processing cost. */
export const FeeAllocation = Type.Object({
  interchange: Type.Optional(BookTo),
  network: Type.Optional(BookTo),
  processor: Type.Optional(BookTo),
  gateway: Type.Optional(BookTo),
  miscPassThrough: Type.Optional(BookTo),
  combined: Type.Optional(BookTo),
});

export const PaymentSettings = Type.Object({
  paymentMethodOptions: Type.Optional(
    Type.Object({ disabled: Type.Optional(Type.Array(Type.String({ maxLength: 30 }), { maxItems: 10 })) }),
  ),
  platform: Type.Optional(Type.Object({ paymentFees: Type.Optional(FeeAllocation) })),
});

/** The card of a session or a transaction: never more of its number than the last four digits. */
export const PaymentMethod = Type.Object(
  {
    type: Type.Literal('Card'),
    card: Type.Optional(
      Type.Object({
        scheme: Type.Enum(['Visa', 'Mastercard', 'Amex']),
        last4: Type.String(),
        binDetails: Type.Optional(
          Type.Object({
            issuer: Type.Optional(Type.String()),
            issuerCountry: Type.Optional(Type.String()),
            fundingType: Type.Optional(Type.String()),
            productType: Type.Optional(Type.String()),
          }),
        ),
      }),
    ),
    wallet: Type.Optional(Type.Object({ type: Type.Enum(['ApplePay', 'GooglePay']) })),
  },
  { title: 'PaymentMethod' },
);
export type PaymentMethod = Static<typeof PaymentMethod>;

export const SESSION_STATUSES = [
  'PendingPayment',
  'PendingAction',
  'Processing',
  'Approved',
  'Captured',
  'Voided',
] as const;

/** A payment, from being asked for to being settled: Spec §2.2. */
export const PaymentSession = Type.Object(
  {
    id: Id('paymentSession'),
    amount: AmountMinor,
    currency: Type.String({ description: 'ISO 4217' }),
    paymentType: Type.Enum(['Standard', 'Recurring', 'Unscheduled']),
    entryMode: Type.Enum(['Online', 'MOTO', 'InPerson']),
    enabledPaymentMethods: Type.Array(Type.String()),
    paymentMethod: Type.Optional(PaymentMethod),
    platformFee: Type.Optional(AmountMinor),
    status: Type.Enum([...SESSION_STATUSES]),
    metadata: Metadata(METADATA_MAX),
    clientSecret: Type.String({
      description: 'Lets a front end act on this one session; never log or store it',
    }),
    lastError: Type.Optional(
      Type.String({ description: 'Why the last attempt was declined; may be extended' }),
    ),
    refundedAmount: AmountMinor,
    statementDescriptor: Type.Object({ descriptor: Type.String(), city: Type.String() }),
    returnUrl: Type.String(),
    authorizationType: Type.Enum(['FinalAuth', 'PreAuth']),
    captureFlow: Type.Enum(['Automatic', 'Manual']),
    paymentSettings: Type.Optional(PaymentSettings),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'PaymentSession' },
);
export type PaymentSession = Static<typeof PaymentSession>;
