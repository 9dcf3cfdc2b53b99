import {
  AmountMinor,
  CreatedTimestamp,
  Currency,
  EmailText,
  Id,
  LastUpdatedTimestamp,
  Metadata,
  MobilePhoneNumber,
  PhoneNumber,
  PlatformFeeMinor,
  Timestamp,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { entriesOf } from '../../../protocol/tables.ts';
import { DECLINE_MEANINGS } from '../../bank/issuer/decline-codes.ts';
import { OrderDetails, ShippingDetails } from './order.schema.ts';
import { RequiredAction } from '../../bank/three-ds/required-action.schema.ts';
import { SplitPaymentDetail } from './split.schema.ts';
import { PaymentSettings } from './payment-settings.schema.ts';
import { PaymentMethod } from './payment-method-details.schema.ts';
import { City, FirstName, LastName } from '../../platform/http/text.schema.ts';
import { Url } from '../../platform/http/url.schema.ts';

export const METADATA_MAX = 10; // Spec §2.1

const CUSTOMER_METADATA_MAX = 10;
const NAME_LIMITS = { minLength: 1, maxLength: 100 };

/** The customer, as given by the shop. */
export const CustomerDetails = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Id of a customer of the account. Required to pay with a stored payment method.',
      }),
    ),
    firstName: Type.Optional(FirstName('First name of the customer', NAME_LIMITS)),
    lastName: Type.Optional(LastName('Last name of the customer', NAME_LIMITS)),
    homePhoneNumber: Type.Optional(
      withDescription(PhoneNumber, 'Home phone number of the customer, in E.164 format'),
    ),
    mobilePhoneNumber: Type.Optional(
      withDescription(MobilePhoneNumber, 'Mobile phone number of the customer, in E.164 format'),
    ),
    metadata: Type.Optional(Metadata(CUSTOMER_METADATA_MAX)),
  },
  { title: 'CustomerDetails', description: 'Details of the customer who pays' },
);
export type CustomerDetails = Static<typeof CustomerDetails>;

/** Schedule of a series of payments (Spec §2.2, rule 4). */
export const RebillingDetail = Type.Object(
  {
    amountVariance: Type.Enum(['Fixed', 'Variable'], {
      description:
        'Whether the payments of the series all have the same amount (`Fixed`) or can differ (`Variable`)',
    }),
    numberOfDaysBetweenPayments: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'Minimum number of days between two payments of the series',
    }),
    totalNumberOfPayments: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100_000, description: 'Number of payments in the series' }),
    ),
    currentPaymentNumber: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description: 'Number of this payment within the series, counted from 1',
      }),
    ),
    expiry: Type.Optional(
      withDescription(
        Timestamp,
        'Time after which no more payments of the series are made: a Unix timestamp, in seconds',
      ),
    ),
  },
  { title: 'RebillingDetail', description: 'Series of payments that this payment belongs to' },
);
export type RebillingDetail = Static<typeof RebillingDetail>;

/** Who initiated this payment with a stored card, and whether it is the first of its series (Spec §2.2, rule 1). */
export const CredentialUsage = Type.Object(
  {
    initiator: Type.Enum(['Customer', 'Merchant'], { description: 'Who initiated the payment' }),
    sequence: Type.Enum(['Initial', 'Subsequent'], {
      description:
        '`Initial` for the payment that stores the card, `Subsequent` for a later payment with the stored card',
    }),
  },
  { title: 'CredentialOnFileUsage', description: 'Use of a stored card in this payment' },
);
export type CredentialUsage = Static<typeof CredentialUsage>;

export const StatementDescriptor = Type.Object({
  descriptor: Type.String({
    minLength: 1,
    maxLength: 22,
    description: 'Name of the merchant, as the statement of the cardholder shows it',
  }),
  city: City('City of the merchant, as the statement of the cardholder shows it', {
    minLength: 1,
    maxLength: 13,
  }),
});

const SESSION_STATUSES = [
  'PendingPayment',
  'PendingAction',
  'Processing',
  'Approved',
  'Captured',
  'Voided',
] as const;

/** A payment session: Spec §2.2. */
export const PaymentSession = Type.Object(
  {
    id: Id('paymentSession'),
    amount: withDescription(
      AmountMinor,
      'Amount to pay, in minor units of `currency`; 0 for an account verification',
    ),
    currency: Currency,
    paymentType: Type.Enum(['Standard', 'Recurring', 'Unscheduled'], {
      description:
        '`Standard` for a single payment, `Recurring` for one of a series with a schedule, `Unscheduled` for one of a series without',
    }),
    entryMode: Type.Enum(['Online', 'MOTO', 'InPerson'], {
      description:
        'How the card details are entered: `Online`, by mail or telephone order (`MOTO`), or on a terminal (`InPerson`)',
    }),
    customerEmail: Type.Optional(EmailText('Email address of the customer; absent until it is known')),
    customerId: Type.Optional(
      Type.String({ description: 'Id of the customer; same as `customerDetails.id`' }),
    ),
    customerDetails: Type.Optional(CustomerDetails),
    credentialOnFileUsage: Type.Optional(CredentialUsage),
    previousPayment: Type.Optional(
      Type.Object({ id: Id('paymentSession') }, { description: 'Earlier payment of the series' }),
    ),
    rebillingDetail: Type.Optional(RebillingDetail),
    enabledPaymentMethods: Type.Array(Type.String(), {
      description:
        'Payment methods that can be used. `Card` covers all card schemes and wallets that are not disabled.',
    }),
    paymentMethod: Type.Optional(PaymentMethod),
    platformFee: Type.Optional(
      withDescription(
        PlatformFeeMinor,
        'Part of the amount that the platform takes, in minor units of `currency`',
      ),
    ),
    splitPaymentDetail: withDescription(
      SplitPaymentDetail,
      'How the amount is divided between sub accounts; empty without splits',
    ),
    status: Type.Enum([...SESSION_STATUSES], {
      description:
        '`PendingPayment` until an attempt is approved, `PendingAction` while `requiredAction` has to be handled, `Approved` while the amount is held, then `Captured` or `Voided`. A declined attempt leaves it `PendingPayment`; a refund leaves it `Captured`.',
    }),
    metadata: Metadata(METADATA_MAX),
    clientSecret: Type.String({
      description: 'Lets a front end pay this session with the public key. Do not store or log it.',
    }),
    lastError: Type.Optional(
      Type.String({
        description: `Code of the reason why the last attempt was declined; absent when it was not. One of ${entriesOf(
          DECLINE_MEANINGS,
        )
          .map(([code, meaning]) => `\`${code}\` (${meaning})`)
          .join(', ')}. More values can be added, such as \`payment_method_option_visa_disabled\`.`,
      }),
    ),
    refundedAmount: withDescription(AmountMinor, 'Total refunded so far, in minor units of `currency`'),
    statementDescriptor: Type.Object(
      {
        descriptor: Type.String({ description: 'Name of the merchant' }),
        city: City('City of the merchant'),
      },
      { description: 'What the statement of the cardholder shows' },
    ),
    requiredAction: Type.Optional(RequiredAction),
    returnUrl: Url(
      'paymentReturn',
      'URL to which a redirect returns the customer, with the id of the session in the query parameter `ps`',
    ),
    authorizationType: Type.Enum(['FinalAuth', 'PreAuth'], {
      description: '`FinalAuth` for an amount that is final, `PreAuth` for one that is not',
    }),
    captureFlow: Type.Enum(['Automatic', 'Manual'], {
      description:
        '`Automatic` captures an approved payment at once. `Manual` holds the amount for up to 7 days, to be captured or voided by a request.',
    }),
    verifyAccount: Type.Optional(
      Type.Boolean({ description: 'Whether the payment only verifies the card, without charging it' }),
    ),
    shippingDetails: Type.Optional(ShippingDetails),
    orderDetails: Type.Optional(OrderDetails),
    paymentSettings: Type.Optional(PaymentSettings),
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: LastUpdatedTimestamp,
  },
  { title: 'PaymentSession', description: 'A payment, from its creation to its last refund' },
);
export type PaymentSession = Static<typeof PaymentSession>;

const { clientSecret: _secret, paymentMethod: _shown, ...members } = PaymentSession.properties;

/** The data of a `PaymentSession` event: the session without its client secret, and which transaction it is about. */
export const SessionEventData = Type.Object({
  ...members,
  paymentMethod: Type.Optional(
    Type.Object({
      ...PaymentMethod.properties,
      id: Type.Optional(
        Id('paymentMethod', 'Same as `tokenizedDetails.id`; absent when the card has no token'),
      ),
    }),
  ),
  paymentTransactionId: Type.Optional(
    Id(
      'transaction',
      'Id of the transaction that the event is about: the authorization, capture, void or refund. Absent when there is none.',
    ),
  ),
});
export type SessionEventData = Static<typeof SessionEventData>;
