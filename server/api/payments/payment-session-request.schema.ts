import {
  AmountMinor,
  CurrencyCode,
  explained,
  Email,
  Metadata,
  Timestamp,
  Type,
  type Static,
} from '../../../protocol/schema.ts';
import { FEE_SPELLINGS } from './payment-settings.schema.ts';
import { OrderDetails } from './order.schema.ts';
import { CustomerDetails, METADATA_MAX, StatementDescriptor } from './payment-session.schema.ts';
import { ShippingDetails } from './shipping.schema.ts';
import { SplitRequest } from './split.schema.ts';

const Count = (description: string) => Type.Integer({ minimum: 1, maximum: 100_000, description });

const RebillingRequest = Type.Object(
  {
    amountVariance: Type.Optional(Type.Enum(['Fixed', 'Variable'])),
    // One client library spells it so.
    amountVeriance: Type.Optional(Type.Enum(['Fixed', 'Variable'])),
    numberOfDaysBetweenPayments: Count('At least so many days apart'),
    totalNumberOfPayments: Type.Optional(Count('How many there will be')),
    currentPaymentNumber: Type.Optional(Count('Which of them this is')),
    expiry: Type.Optional(Timestamp),
  },
  { title: 'RebillingRequest', description: 'What a series of payments will be; amountVariance is required' },
);
export type RebillingRequest = Static<typeof RebillingRequest>;

const ReturnUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'https, or the scheme of an app',
});

/** What may be said at first and changed until the payment is approved. */
const CHANGEABLE = {
  customerEmail: Type.Optional(explained(Email, 'Of who pays; needed before the payment, here or there')),
  platformFee: Type.Optional(
    explained(AmountMinor, 'What of it the platform takes, at most all; with the Account header alone'),
  ),
  splits: Type.Optional(SplitRequest),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
  captureFlow: Type.Optional(
    Type.Enum(['Automatic', 'Manual'], { description: 'Automatic unless asked, Manual for a verification' }),
  ),
  shippingDetails: Type.Optional(ShippingDetails),
  orderDetails: Type.Optional(OrderDetails),
  customerDetails: Type.Optional(CustomerDetails),
  customerId: Type.Optional(Type.String({ maxLength: 100, description: 'The same as customerDetails.id' })),
  returnUrl: Type.Optional(ReturnUrl),
  ...FEE_SPELLINGS,
};

const Identifier = Type.Optional(
  Type.String({ maxLength: 100, description: 'Id of the transaction; not looked at' }),
);

/** The outcome of 3DS that the shop ran with a provider of its own. */
const AuthenticationParameters = Type.Object(
  {
    eci: Type.String({
      minLength: 1,
      maxLength: 2,
      description: 'Electronic commerce indicator, such as 05',
    }),
    authenticationValue: Type.Optional(
      Type.String({ maxLength: 100, description: 'What the issuer answered; not looked at and not kept' }),
    ),
    protocolVersion: Type.Optional(Type.String({ maxLength: 10, description: 'Version of 3DS' })),
    threeDsServerTransactionId: Identifier,
    acsTransactionId: Identifier,
    dsTransactionId: Identifier,
  },
  {
    title: 'AuthenticationParameters',
    description: 'The cardholder was authenticated elsewhere: no 3DS here',
  },
);

/** What a new payment session is asked for with: Spec §2.2. */
export const SessionCreation = Type.Object({
  amount: explained(AmountMinor, 'Minor units, within the limits of the currency; 0 for a verification'),
  currency: CurrencyCode,
  ...CHANGEABLE,
  passThroughProcessingFee: Type.Optional(
    Type.Boolean({
      deprecated: true,
      description: 'No splits go with it, and it does nothing else; use paymentFees',
    }),
  ),
  paymentType: Type.Optional(
    Type.Enum(['Standard', 'Recurring', 'Unscheduled', 'MOTO'], {
      description: 'Standard unless asked; MOTO is deprecated and means entryMode MOTO',
    }),
  ),
  entryMode: Type.Optional(Type.Enum(['Online', 'MOTO'], { description: 'Online unless asked' })),
  authorizationType: Type.Optional(
    Type.Enum(['FinalAuth', 'PreAuth'], { description: 'FinalAuth unless asked' }),
  ),
  previousPayment: Type.Optional(
    Type.Object(
      { id: Type.String({ maxLength: 100 }) },
      {
        description:
          'The earlier payment of the series, Recurring or Unscheduled: this one is begun by the merchant',
      },
    ),
  ),
  rebillingDetail: Type.Optional(RebillingRequest),
  authenticationParameters: Type.Optional(AuthenticationParameters),
  verifyAccount: Type.Optional(Type.Boolean({ description: 'Only look at the card; the amount is 0' })),
  statementDescriptor: Type.Optional(StatementDescriptor),
  attemptPayment: Type.Optional(
    Type.Object(
      {
        paymentMethod: Type.Object({
          id: Type.String({ maxLength: 100, description: 'A stored payment method of the customer' }),
          cvc: Type.Optional(Type.String({ pattern: '^[0-9]{3,4}$' })),
        }),
      },
      { description: 'Pay at once; needs customerDetails.id' },
    ),
  ),
});
export type SessionCreation = Static<typeof SessionCreation>;

/** What of a payment session may be changed until it is approved: Spec §4.1. */
export const SessionUpdate = Type.Object({
  amount: Type.Optional(explained(AmountMinor, 'Minor units, within the limits of the currency')),
  ...CHANGEABLE,
});
export type SessionUpdate = Static<typeof SessionUpdate>;
