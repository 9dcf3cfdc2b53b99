import {
  AmountMinor,
  explained,
  Id,
  Metadata,
  PhoneNumber,
  Timestamp,
  Type,
  type Static,
} from '../../../protocol/schema.ts';
import { OrderDetails } from './order.schema.ts';
import { RequiredAction } from './required-action.schema.ts';
import { Address, ShippingDetails } from './shipping.schema.ts';
import { SplitPaymentDetail } from './split.schema.ts';

export const METADATA_MAX = 10; // Spec §2.1

const BookTo = Type.Object({ bookTo: Id('account') });

/** Which account pays each part of the processing cost; `combined` goes before the others. */
export const FeeAllocation = Type.Object(
  {
    interchange: Type.Optional(BookTo),
    network: Type.Optional(BookTo),
    processor: Type.Optional(BookTo),
    gateway: Type.Optional(BookTo),
    miscPassThrough: Type.Optional(BookTo),
    combined: Type.Optional(BookTo),
  },
  { title: 'FeeAllocation' },
);
export type FeeAllocation = Static<typeof FeeAllocation>;

export const PlatformSettings = Type.Object({ paymentFees: Type.Optional(FeeAllocation) });

export const PaymentSettings = Type.Object(
  {
    paymentMethodOptions: Type.Optional(
      Type.Object({
        disabled: Type.Optional(
          Type.Array(Type.String({ maxLength: 30 }), {
            maxItems: 10,
            description: 'Schemes and wallets that are declined',
          }),
        ),
      }),
    ),
    threeDs: Type.Optional(
      Type.Object({
        challengeIndicator: Type.Optional(
          Type.String({ minLength: 1, maxLength: 50, description: 'What the shop would like; shown only' }),
        ),
        policy: Type.Optional(
          Type.String({ minLength: 1, maxLength: 50, description: 'When 3DS is used; kept and shown only' }),
        ),
      }),
    ),
    platform: Type.Optional(PlatformSettings),
  },
  { title: 'PaymentSettings' },
);
export type PaymentSettings = Static<typeof PaymentSettings>;

/** The card of a session or a transaction: never more of its number than the last four digits. */
export const PaymentMethod = Type.Object(
  {
    type: Type.Literal('Card'),
    tokenizedDetails: Type.Optional(
      Type.Object({
        id: Id('paymentMethod'),
        stored: Type.Boolean({ description: 'False for a token that is used once' }),
      }),
    ),
    card: Type.Optional(
      Type.Object({
        scheme: Type.Enum(['Visa', 'Mastercard', 'Amex']),
        last4: Type.String({ description: 'The last four digits of its number' }),
        binDetails: Type.Optional(
          Type.Object({
            issuer: Type.Optional(Type.String({ description: 'Who gave the card out' })),
            issuerCountry: Type.Optional(Type.String({ description: 'ISO 3166-1, two letters' })),
            fundingType: Type.Optional(Type.String({ description: 'Credit, Debit, Prepaid and so on' })),
            productType: Type.Optional(Type.String({ description: 'Consumer or Corporate' })),
          }),
        ),
      }),
    ),
    wallet: Type.Optional(Type.Object({ type: Type.Enum(['ApplePay', 'GooglePay']) })),
    billingAddress: Type.Optional(Address),
    checks: Type.Optional(
      Type.Object({
        avsResponseCode: Type.Optional(Type.String({ description: 'Of the address; Y it matches' })),
        cvvResponseCode: Type.Optional(Type.String({ description: 'Of the security code; M it matches' })),
      }),
    ),
  },
  { title: 'PaymentMethodDetails' },
);
export type PaymentMethod = Static<typeof PaymentMethod>;

const CUSTOMER_METADATA_MAX = 10;
const Name = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }));

/** Who pays, as far as the shop says. */
export const CustomerDetails = Type.Object(
  {
    id: Type.Optional(Type.String({ maxLength: 100, description: 'A customer of the account' })),
    firstName: Name('Given name'),
    lastName: Name('Family name'),
    homePhoneNumber: Type.Optional(PhoneNumber),
    mobilePhoneNumber: Type.Optional(PhoneNumber),
    metadata: Type.Optional(Metadata(CUSTOMER_METADATA_MAX)),
  },
  { title: 'CustomerDetails' },
);
export type CustomerDetails = Static<typeof CustomerDetails>;

/** What a series of payments will be (Spec §2.2, rule 4). */
export const RebillingDetail = Type.Object(
  {
    amountVariance: Type.Enum(['Fixed', 'Variable'], { description: 'Whether all are of one amount' }),
    numberOfDaysBetweenPayments: Type.Integer({ minimum: 1, maximum: 100_000 }),
    totalNumberOfPayments: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    currentPaymentNumber: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    expiry: Type.Optional(Timestamp),
  },
  { title: 'RebillingDetail' },
);
export type RebillingDetail = Static<typeof RebillingDetail>;

/** Who began this payment with a kept card, and whether it is the first of its series (Spec §2.2, rule 1). */
export const CredentialUsage = Type.Object(
  {
    initiator: Type.Enum(['Customer', 'Merchant'], { description: 'Who began the payment' }),
    sequence: Type.Enum(['Initial', 'Subsequent'], { description: 'Whether the card was kept before' }),
  },
  { title: 'CredentialOnFileUsage' },
);
export type CredentialUsage = Static<typeof CredentialUsage>;

export const StatementDescriptor = Type.Object({
  descriptor: Type.String({ minLength: 1, maxLength: 22, description: 'Name of the shop' }),
  city: Type.String({ minLength: 1, maxLength: 13, description: 'Where it is' }),
});

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
    amount: explained(AmountMinor, 'Minor units; 0 when the card is only looked at'),
    currency: Type.String({ description: 'ISO 4217' }),
    paymentType: Type.Enum(['Standard', 'Recurring', 'Unscheduled'], {
      description: 'One payment, or one of a series that is due on dates or whenever',
    }),
    entryMode: Type.Enum(['Online', 'MOTO', 'InPerson'], {
      description: 'Where the card is: in a browser or an app, in a letter or a call, at a terminal',
    }),
    customerEmail: Type.Optional(Type.String({ description: 'Of who pays; needed before the payment' })),
    customerId: Type.Optional(Type.String({ description: 'The same as customerDetails.id' })),
    customerDetails: Type.Optional(CustomerDetails),
    credentialOnFileUsage: Type.Optional(CredentialUsage),
    previousPayment: Type.Optional(
      Type.Object({ id: Id('paymentSession') }, { description: 'The earlier payment of the series' }),
    ),
    rebillingDetail: Type.Optional(RebillingDetail),
    enabledPaymentMethods: Type.Array(Type.String(), {
      description: 'Card, which is every scheme and wallet that is not disabled',
    }),
    paymentMethod: Type.Optional(PaymentMethod),
    platformFee: Type.Optional(explained(AmountMinor, 'What of it the platform takes')),
    splitPaymentDetail: explained(SplitPaymentDetail, 'What goes to other accounts; empty without splits'),
    status: Type.Enum([...SESSION_STATUSES], {
      description: 'A decline leaves PendingPayment, a refund leaves Captured',
    }),
    metadata: Metadata(METADATA_MAX),
    clientSecret: Type.String({
      description: 'Lets a front end act on this one session; never log or store it',
    }),
    lastError: Type.Optional(
      Type.String({ description: 'Why the last attempt was declined; may be extended' }),
    ),
    refundedAmount: explained(AmountMinor, 'All that was given back so far'),
    statementDescriptor: Type.Object(
      { descriptor: Type.String(), city: Type.String() },
      { description: 'What the cardholder reads on the statement' },
    ),
    requiredAction: Type.Optional(RequiredAction),
    returnUrl: Type.String({ description: 'Where a redirect comes back to, `ps` added to its query' }),
    authorizationType: Type.Enum(['FinalAuth', 'PreAuth'], {
      description: 'PreAuth when the final amount is not known yet',
    }),
    captureFlow: Type.Enum(['Automatic', 'Manual'], {
      description: 'Captured once it is approved, or by a call within 7 days',
    }),
    verifyAccount: Type.Optional(Type.Boolean({ description: 'The card was only looked at' })),
    shippingDetails: Type.Optional(ShippingDetails),
    orderDetails: Type.Optional(OrderDetails),
    paymentSettings: Type.Optional(PaymentSettings),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'PaymentSession' },
);
export type PaymentSession = Static<typeof PaymentSession>;
