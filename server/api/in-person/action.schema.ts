import { ActionStatus, ActionType, ReceiptSource } from '../../../protocol/messages/action.messages.ts';
import {
  AmountMinor,
  Id,
  Nullable,
  Timestamp,
  Type,
  type Static,
  CurrencyCode,
  Metadata,
} from '../../../protocol/schema.ts';
import { METADATA_MAX, PaymentSettings } from '../payments/payment-session.schema.ts';

export const CopyStatus = Type.Enum(['NotRequired', 'Required', 'Succeeded', 'Failed']);
export type CopyStatus = Static<typeof CopyStatus>;

const Copy = Type.Object({ status: CopyStatus });

const Settings = Type.Object({ receiptPrintingSource: ReceiptSource });

/** What a terminal is doing or did last: Spec §2.8. */
export const Action = Type.Object(
  {
    type: Type.Literal('Transaction'),
    status: ActionStatus,
    id: Id('action'),
    error: Nullable(
      Type.Object({
        code: Type.String({ description: 'May be extended without notice' }),
        settings: Settings,
      }),
    ),
    transaction: Type.Object({
      type: ActionType,
      paymentSessionId: Id('paymentSession'),
      amounts: Type.Object({ requested: AmountMinor }),
      currency: Type.String(),
      receiptDetail: Type.Object({ customerCopy: Copy, merchantCopy: Copy }),
      settings: Settings,
    }),
    createdTimestamp: Timestamp,
    completedTimestamp: Type.Optional(Timestamp),
  },
  { title: 'Action' },
);
export type Action = Static<typeof Action>;

const ActionSettings = Type.Object({ receiptPrintingSource: Type.Optional(ReceiptSource) });

export const TerminalPayment = Type.Object({
  amounts: Type.Object({ requested: AmountMinor }),
  currency: CurrencyCode,
  paymentSession: Type.Optional(
    Type.Object({
      platformFee: Type.Optional(AmountMinor),
      metadata: Type.Optional(Metadata(METADATA_MAX)),
      paymentSettings: Type.Optional(PaymentSettings),
    }),
  ),
  settings: Type.Optional(ActionSettings),
});

export const TerminalRefund = Type.Object({
  paymentSession: Type.Object({ id: Type.String() }),
  amount: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  refundPlatformFee: Type.Optional(Type.Boolean()),
  settings: Type.Optional(ActionSettings),
});

const CopyConfirmation = Type.Object({ status: Type.Enum(['Succeeded', 'Failed']) });

export const ReceiptConfirmation = Type.Object({
  merchantCopy: Type.Optional(CopyConfirmation),
  customerCopy: Type.Optional(CopyConfirmation),
});
