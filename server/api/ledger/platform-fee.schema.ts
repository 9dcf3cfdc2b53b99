import { Currency, Id, Type, withExample, type Static } from '../../../protocol/schema.ts';
import { CREATED, ObjectSchema, UPDATED } from '../../platform/http/openapi/object-schemas.ts';
import type { Properties } from '../../platform/store/stored-property.ts';

const Minor = (description: string) => Type.Integer({ description });
const FeeMinor = (description: string) => withExample(Minor(description), 100);

/** What the platform, to which it belongs, took of a payment of a sub account: Spec §4.7. */
export const PLATFORM_FEE = {
  paymentSessionId: { schema: Id('paymentSession'), column: 'session_id', always: true },
  captureId: { schema: Id('transaction'), column: 'capture_id', always: true, reply: 'hidden' },
  /** The split that it is taken from, if not from the payment. */
  splitId: { schema: Id('split'), column: 'split_id', reply: 'hidden' },
  amount: {
    schema: FeeMinor('Amount that the platform collected, in minor units of `currency`'),
    column: 'amount_minor',
    always: true,
  },
  paymentAmount: {
    schema: Minor('Captured amount, or the amount of the split, in minor units of `currency`'),
    column: 'payment_minor',
    always: true,
  },
  processingFee: {
    schema: Minor('Processing fee that the platform pays out of the fee, in minor units of `currency`'),
    column: 'processing_minor',
    always: true,
  },
  netAmount: { reply: Minor('`amount` less `processingFee`, in minor units of `currency`') },
  refundedAmount: { schema: Type.Integer(), column: 'refunded_minor', initial: 0, reply: 'hidden' },
  currency: { schema: Currency, column: 'currency', always: true },
  fromAccountId: {
    schema: Type.String({ description: 'Id of the sub account that paid the fee' }),
    column: 'from_account_id',
    always: true,
  },
  createdTimestamp: CREATED,
} as const satisfies Properties;

export const PlatformFee = ObjectSchema('platformFee', PLATFORM_FEE, {
  title: 'PlatformFee',
  description: 'A fee that the platform collected from a payment of a sub account',
});
export type PlatformFee = Static<typeof PlatformFee>;

/** What of a platform fee went back to the account that it was taken from: Spec §4.7. */
export const PLATFORM_FEE_REFUND = {
  platformFeeId: { schema: Id('platformFee'), column: 'fee_id', always: true, owner: true },
  amount: {
    schema: FeeMinor('Amount that was refunded, in minor units of `currency`'),
    column: 'amount_minor',
    always: true,
  },
  currency: { schema: Currency, column: 'currency', always: true },
  reason: {
    schema: Type.String({
      description: 'Reason of the payment refund that caused it; absent when none was given',
    }),
    column: 'reason',
    searched: true,
  },
  status: {
    schema: Type.Enum(['Pending', 'Failed', 'Succeeded'], {
      description: 'Status of the refund: `Succeeded` at once',
    }),
    column: 'status',
    initial: 'Succeeded',
  },
  createdTimestamp: CREATED,
  lastUpdatedTimestamp: UPDATED,
} as const satisfies Properties;

export const PlatformFeeRefund = ObjectSchema('platformFeeRefund', PLATFORM_FEE_REFUND, {
  title: 'PlatformFeeRefund',
  description: 'A refund of a platform fee to the sub account that paid it',
});
