import {
  AmountMinor,
  CurrencyCode,
  Email,
  Metadata,
  PlatformFeeMinor,
  Timestamp,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { FEE_SPELLINGS } from './payment-settings.schema.ts';
import { AuthenticationParameters, WalletNetworkToken } from './network-token.schema.ts';
import { OrderDetails, ShippingDetails } from './order.schema.ts';
import { CustomerDetails, METADATA_MAX, StatementDescriptor } from './payment-session.schema.ts';
import { SplitRequest } from './split.schema.ts';
import { SecurityCode } from '../../platform/http/text.schema.ts';
import { Url } from '../../platform/http/url.schema.ts';

const Count = (description: string) => Type.Integer({ minimum: 1, maximum: 100_000, description });

const RebillingRequest = Type.Object(
  {
    amountVariance: Type.Optional(
      Type.Enum(['Fixed', 'Variable'], {
        description:
          'Whether the payments of the series all have the same amount (`Fixed`) or can differ (`Variable`). Required.',
      }),
    ),
    // Spelling of one client library.
    amountVeriance: Type.Optional(
      Type.Enum(['Fixed', 'Variable'], { description: 'Alternative spelling of `amountVariance`' }),
    ),
    numberOfDaysBetweenPayments: Count('Minimum number of days between two payments of the series'),
    totalNumberOfPayments: Type.Optional(Count('Number of payments in the series')),
    currentPaymentNumber: Type.Optional(Count('Number of this payment within the series, counted from 1')),
    expiry: Type.Optional(
      withDescription(
        Timestamp,
        'Time after which no more payments of the series are made: a Unix timestamp, in seconds',
      ),
    ),
  },
  {
    title: 'RebillingRequest',
    description: 'Series of payments that this payment belongs to. `amountVariance` is required.',
  },
);
export type RebillingRequest = Static<typeof RebillingRequest>;

const ReturnUrl = Url(
  'paymentReturn',
  'URL to which a redirect returns the customer, with the id of the session in the query parameter `ps`. Must use https, or the scheme of an app. Defaults to the URL set on the account.',
  { minLength: 1, maxLength: 2048 },
);

/** Members of a new session that can be updated until the payment is approved. */
const UPDATABLE_MEMBERS = {
  customerEmail: Type.Optional(
    withDescription(
      Email,
      'Email address of the customer. Required to take a payment, here or with the attempt, unless the customer has one.',
    ),
  ),
  platformFee: Type.Optional(
    withDescription(
      PlatformFeeMinor,
      'Part of the amount that the platform takes, in minor units of `currency`, at most `amount`. Requires the `Account` header.',
    ),
  ),
  splits: Type.Optional(SplitRequest),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
  captureFlow: Type.Optional(
    Type.Enum(['Automatic', 'Manual'], {
      description:
        '`Automatic` captures an approved payment at once. `Manual` holds the amount for up to 7 days, to be captured or voided by a request. Defaults to `Automatic`, and to `Manual` for an account verification.',
    }),
  ),
  shippingDetails: Type.Optional(ShippingDetails),
  orderDetails: Type.Optional(OrderDetails),
  customerDetails: Type.Optional(CustomerDetails),
  customerId: Type.Optional(
    Type.String({ maxLength: 100, description: 'Id of the customer; same as `customerDetails.id`' }),
  ),
  returnUrl: Type.Optional(ReturnUrl),
  ...FEE_SPELLINGS,
};

/** Request for a new payment session: Spec §2.2. */
export const SessionCreation = Type.Object({
  amount: withDescription(
    AmountMinor,
    'Amount to pay, in minor units of `currency`, within the limits of the currency; 0 for an account verification',
  ),
  currency: CurrencyCode,
  ...UPDATABLE_MEMBERS,
  passThroughProcessingFee: Type.Optional(
    Type.Boolean({
      deprecated: true,
      description:
        'Whether the sub account pays the processing fee. Cannot be combined with `splits`, and has no other effect; use `platformSettings.paymentFees` instead.',
    }),
  ),
  paymentType: Type.Optional(
    Type.Enum(['Standard', 'Recurring', 'Unscheduled', 'MOTO'], {
      description:
        '`Standard` for a single payment, `Recurring` for one of a series with a schedule, `Unscheduled` for one of a series without. Defaults to `Standard`. `MOTO` is deprecated: use `entryMode`.',
    }),
  ),
  entryMode: Type.Optional(
    Type.Enum(['Online', 'MOTO'], {
      description:
        'How the card details are entered: `Online`, or by mail or telephone order (`MOTO`). Defaults to `Online`.',
    }),
  ),
  authorizationType: Type.Optional(
    Type.Enum(['FinalAuth', 'PreAuth'], {
      description:
        '`FinalAuth` for an amount that is final, `PreAuth` for one that is not. Defaults to `FinalAuth`.',
    }),
  ),
  previousPayment: Type.Optional(
    Type.Object(
      {
        id: Type.String({ maxLength: 100, description: 'Id of the payment session of the earlier payment' }),
      },
      {
        description:
          'Earlier `Recurring` or `Unscheduled` payment of the series; makes this payment merchant-initiated',
      },
    ),
  ),
  rebillingDetail: Type.Optional(RebillingRequest),
  authenticationParameters: Type.Optional(AuthenticationParameters),
  verifyAccount: Type.Optional(
    Type.Boolean({ description: 'Whether to only verify the card, without charging it; `amount` must be 0' }),
  ),
  statementDescriptor: Type.Optional(
    withDescription(
      StatementDescriptor,
      'What the statement of the cardholder shows. Defaults to that of the account.',
    ),
  ),
  attemptPayment: Type.Optional(
    Type.Object(
      {
        paymentMethod: Type.Optional(
          Type.Object(
            {
              id: Type.String({
                maxLength: 100,
                description: 'Id of a stored payment method of the customer',
              }),
              cvc: Type.Optional(SecurityCode),
            },
            { description: 'Stored payment method to pay with; requires `customerDetails.id`' },
          ),
        ),
        walletNetworkToken: Type.Optional(WalletNetworkToken),
      },
      { description: 'Attempt to pay at once, with exactly one of the properties' },
    ),
  ),
});
export type SessionCreation = Static<typeof SessionCreation>;

/** Update of a payment session that is not approved yet: Spec §4.1. */
export const SessionUpdate = Type.Object({
  amount: Type.Optional(
    withDescription(
      AmountMinor,
      'Amount to pay, in minor units of the currency of the session, within the limits of that currency',
    ),
  ),
  ...UPDATABLE_MEMBERS,
});
export type SessionUpdate = Static<typeof SessionUpdate>;
