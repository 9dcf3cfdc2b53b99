import { Id, Timestamp, Type, type Static } from '../../../protocol/schema.ts';

const Currency = Type.String({ description: 'ISO 4217' });

/** What the platform took of a payment of a sub account: Spec §4.7. */
export const PlatformFee = Type.Object(
  {
    id: Id('platformFee'),
    paymentSessionId: Id('paymentSession'),
    amount: Type.Integer({ description: 'What the platform took, minor units' }),
    paymentAmount: Type.Integer({ description: 'What was captured, or of a split its amount' }),
    processingFee: Type.Integer({ description: 'Processing fee that the platform pays out of it' }),
    netAmount: Type.Integer({ description: 'The amount without the processing fee' }),
    currency: Currency,
    fromAccountId: Type.String({ description: 'The sub account that it was taken from' }),
    createdTimestamp: Timestamp,
  },
  { title: 'PlatformFee' },
);
export type PlatformFee = Static<typeof PlatformFee>;

/** What of a platform fee went back to the account that it was taken from: Spec §4.7. */
export const PlatformFeeRefund = Type.Object(
  {
    id: Id('platformFeeRefund'),
    platformFeeId: Id('platformFee'),
    amount: Type.Integer({ description: 'What went back, minor units' }),
    currency: Currency,
    reason: Type.Optional(Type.String({ description: 'The reason of the refund of the payment' })),
    status: Type.Enum(['Pending', 'Failed', 'Succeeded'], { description: 'Succeeded at once' }),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'PlatformFeeRefund' },
);
export type PlatformFeeRefund = Static<typeof PlatformFeeRefund>;
