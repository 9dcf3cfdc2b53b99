import {
  ActionStatus,
  ActionType,
  Reason,
  ReceiptSource,
} from '../../../../protocol/messages/action.messages.ts';
import {
  AmountMinor,
  CreatedTimestamp,
  Currency,
  CurrencyCode,
  Id,
  Metadata,
  Nullable,
  PlatformFeeMinor,
  PositiveAmount,
  Timestamp,
  Type,
  withDescription,
  type Static,
} from '../../../../protocol/schema.ts';
import { asExtension } from '../../../platform/http/extensions.ts';
import { METADATA_MAX } from '../../payments/payment-session.schema.ts';
import { PaymentSettings } from '../../payments/payment-settings.schema.ts';

export const CopyStatus = Type.Enum(['NotRequired', 'Required', 'Succeeded', 'Failed'], {
  description:
    '`NotRequired` when the point of sale does not have to print this copy, `Required` while it has to print and confirm it, `Succeeded` or `Failed` once it has confirmed it',
});
export type CopyStatus = Static<typeof CopyStatus>;

const Copy = Type.Object({
  status: withDescription(
    CopyStatus,
    '`NotRequired` when the point of sale does not have to print this copy, `Required` while it has to print and confirm it, `Succeeded` or `Failed` once it has confirmed it',
  ),
});

const Settings = Type.Object({
  receiptPrintingSource: withDescription(
    ReceiptSource,
    'Who prints the receipt: the terminal or the point of sale',
  ),
});

/** The current or latest action of a terminal: Spec §2.8. */
export const Action = Type.Object(
  {
    type: Type.Literal('Transaction', { description: 'Kind of action' }),
    status: withDescription(
      ActionStatus,
      '`InProgress` until the action ends `Succeeded`, `Failed` or `Cancelled`',
    ),
    id: Id('action'),
    error: Nullable(
      Type.Object({
        code: Type.String({
          description:
            'Decline code of the issuer, or what went wrong at the terminal, such as `timeout`. More values can be added.',
        }),
        reason: asExtension(
          'action-error-reason',
          Type.Optional(
            withDescription(
              Reason,
              'What the reader of the terminal reported, in words: one printable line, without card numbers. Absent when the terminal reported none.',
            ),
          ),
        ),
        settings: withDescription(Settings, 'Settings of the failed action'),
      }),
      'Reason why the action is `Failed`; null otherwise',
    ),
    transaction: Type.Object(
      {
        type: withDescription(ActionType, 'Whether the action takes a payment or refunds one'),
        paymentSessionId: Id(
          'paymentSession',
          'Unique identifier of the payment session that is paid or refunded',
        ),
        amounts: Type.Object(
          {
            requested: withDescription(AmountMinor, 'Amount to pay or refund, in minor units of `currency`'),
          },
          { description: 'Amounts of the transaction' },
        ),
        currency: Currency,
        receiptDetail: Type.Object(
          {
            customerCopy: withDescription(Copy, 'Copy for the cardholder'),
            merchantCopy: withDescription(Copy, 'Copy for the merchant'),
          },
          { description: 'Status of the two copies of the receipt' },
        ),
        settings: withDescription(Settings, 'Settings of the action'),
      },
      { description: 'Payment or refund that the action makes' },
    ),
    createdTimestamp: withDescription(
      CreatedTimestamp,
      'Time at which the action started: a Unix timestamp, in seconds',
    ),
    completedTimestamp: Type.Optional(
      withDescription(
        Timestamp,
        'Time at which the action ended: a Unix timestamp, in seconds. Absent while it is in progress.',
      ),
    ),
  },
  { title: 'Action', description: 'A payment or refund on a terminal' },
);
export type Action = Static<typeof Action>;

const ActionSettings = Type.Object({
  receiptPrintingSource: Type.Optional(
    withDescription(
      ReceiptSource,
      'Who prints the receipt. Defaults to `Terminal`. With `PointOfSale`, confirm each copy with `confirm-receipt`.',
    ),
  ),
});

export const TerminalPayment = Type.Object({
  amounts: Type.Object(
    { requested: withDescription(AmountMinor, 'Amount to take, in minor units of `currency`') },
    { description: 'Amounts of the payment' },
  ),
  currency: CurrencyCode,
  paymentSession: Type.Optional(
    Type.Object(
      {
        platformFee: Type.Optional(
          withDescription(
            PlatformFeeMinor,
            'Part of the amount that the platform takes, in minor units of `currency`. Requires the `Account` header.',
          ),
        ),
        metadata: Type.Optional(Metadata(METADATA_MAX)),
        paymentSettings: Type.Optional(PaymentSettings),
      },
      { description: 'Properties of the payment session that is created' },
    ),
  ),
  settings: Type.Optional(withDescription(ActionSettings, 'Settings of the action')),
});

export const TerminalRefund = Type.Object({
  paymentSession: Type.Object(
    {
      id: Type.String({
        description: 'Id of the payment session to refund. It was captured, and paid in person.',
      }),
    },
    { description: 'Payment session to refund' },
  ),
  amount: Type.Optional(
    withDescription(
      PositiveAmount,
      'Amount to refund, in minor units of the currency of the payment session. Defaults to all that has not been refunded.',
    ),
  ),
  refundPlatformFee: Type.Optional(
    Type.Boolean({
      description: 'Whether to refund the platform fee too, in proportion to the amount. Defaults to false.',
    }),
  ),
  settings: Type.Optional(withDescription(ActionSettings, 'Settings of the action')),
});

const CopyConfirmation = Type.Object({
  status: Type.Enum(['Succeeded', 'Failed'], { description: 'Whether the copy was printed' }),
});

export const ReceiptConfirmation = Type.Object({
  merchantCopy: Type.Optional(withDescription(CopyConfirmation, 'Confirmation of the copy for the merchant')),
  customerCopy: Type.Optional(
    withDescription(CopyConfirmation, 'Confirmation of the copy for the cardholder'),
  ),
});
