import { AmountMinor, explained, Id, Timestamp, Type, type Static } from '../../../protocol/schema.ts';
import { PaymentMethod } from './payment-session.schema.ts';
import { SplitPaymentDetail } from './split.schema.ts';

/** One movement of a payment session: Spec §4.1. */
export const PaymentTransaction = Type.Object(
  {
    id: Id('transaction'),
    paymentSessionId: Id('paymentSession'),
    amount: explained(AmountMinor, 'Minor units'),
    currency: Type.String({ description: 'ISO 4217, as its session' }),
    type: Type.Enum(['Authorization', 'Void', 'Capture', 'Refund', 'Chargeback', 'ChargebackReversal']),
    status: Type.Enum(['Pending', 'Failed', 'Succeeded'], {
      description: 'Succeeded at once, unless the sandbox makes it fail; Failed for a decline',
    }),
    refundedAmount: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Of a capture: what was given back of it' }),
    ),
    platformFee: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Of a capture: what the platform took of it' }),
    ),
    platformFeeRefundedAmount: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Of a capture: what the platform gave back of its fee' }),
    ),
    processingFee: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Of a capture: what processing it cost, whoever pays' }),
    ),
    reason: Type.Optional(Type.String({ description: 'Of a refund' })),
    captureType: Type.Optional(
      Type.Enum(['Final', 'NotFinal'], { description: 'Of a capture: whether it is the last one' }),
    ),
    captureTransaction: Type.Optional(
      Type.Object(
        { id: Id('transaction') },
        { description: 'Of a refund: the capture that it gives back of' },
      ),
    ),
    paymentMethod: Type.Optional(PaymentMethod),
    splitPaymentDetail: Type.Optional(SplitPaymentDetail),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'PaymentTransaction' },
);
export type PaymentTransaction = Static<typeof PaymentTransaction>;
