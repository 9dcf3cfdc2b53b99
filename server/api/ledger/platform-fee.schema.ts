import {
  CreatedTimestamp,
  Currency,
  Id,
  LastUpdatedTimestamp,
  Type,
  type Static,
} from '../../../protocol/schema.ts';

/** What the platform took of a payment of a sub account: Spec §4.7. */
export const PlatformFee = Type.Object(
  {
    id: Id('platformFee'),
    paymentSessionId: Id('paymentSession'),
    amount: Type.Integer({ description: 'Amount that the platform collected, in minor units of `currency`' }),
    paymentAmount: Type.Integer({
      description: 'Captured amount, or the amount of the split, in minor units of `currency`',
    }),
    processingFee: Type.Integer({
      description: 'Processing fee that the platform pays out of the fee, in minor units of `currency`',
    }),
    netAmount: Type.Integer({ description: '`amount` less `processingFee`, in minor units of `currency`' }),
    currency: Currency,
    fromAccountId: Type.String({ description: 'Id of the sub account that paid the fee' }),
    createdTimestamp: CreatedTimestamp,
  },
  { title: 'PlatformFee', description: 'A fee that the platform collected from a payment of a sub account' },
);
export type PlatformFee = Static<typeof PlatformFee>;

/** What of a platform fee went back to the account that it was taken from: Spec §4.7. */
export const PlatformFeeRefund = Type.Object(
  {
    id: Id('platformFeeRefund'),
    platformFeeId: Id('platformFee'),
    amount: Type.Integer({ description: 'Amount that was refunded, in minor units of `currency`' }),
    currency: Currency,
    reason: Type.Optional(
      Type.String({ description: 'Reason of the payment refund that caused it; absent when none was given' }),
    ),
    status: Type.Enum(['Pending', 'Failed', 'Succeeded'], {
      description: 'Status of the refund: `Succeeded` at once',
    }),
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: LastUpdatedTimestamp,
  },
  { title: 'PlatformFeeRefund', description: 'A refund of a platform fee to the sub account that paid it' },
);
export type PlatformFeeRefund = Static<typeof PlatformFeeRefund>;
