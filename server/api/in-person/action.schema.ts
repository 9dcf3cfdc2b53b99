import { ActionStatus, ActionType, ReceiptSource } from '../../../protocol/messages/action.messages.ts';
import { AmountMinor, Id, Nullable, Timestamp, Type, type Static } from '../../../protocol/schema.ts';

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
