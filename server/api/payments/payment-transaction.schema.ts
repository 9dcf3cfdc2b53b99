import {
  AmountMinor,
  CreatedTimestamp,
  Id,
  LastUpdatedTimestamp,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { PaymentMethod } from './payment-method-details.schema.ts';
import { SplitPaymentDetail } from './split.schema.ts';

/** One transaction of a payment session: Spec §4.1. */
export const PaymentTransaction = Type.Object(
  {
    id: Id('transaction'),
    paymentSessionId: Id('paymentSession'),
    amount: withDescription(AmountMinor, 'Amount of the transaction, in minor units of `currency`'),
    currency: Type.String({ description: 'Three-letter ISO 4217 currency code of the payment session' }),
    type: Type.Enum(['Authorization', 'Void', 'Capture', 'Refund', 'Chargeback', 'ChargebackReversal'], {
      description: 'What the transaction does to the payment',
    }),
    status: Type.Enum(['Pending', 'Failed', 'Succeeded'], {
      description:
        '`Succeeded` at once, unless the sandbox makes it fail; `Failed` for an authorization that was declined',
    }),
    refundedAmount: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Captures only: total refunded of the capture, in minor units of `currency`',
      }),
    ),
    platformFee: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Captures only: part that the platform took, in minor units of `currency`',
      }),
    ),
    platformFeeRefundedAmount: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Captures only: total that the platform refunded of its fee, in minor units of `currency`',
      }),
    ),
    processingFee: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Captures only: processing fee, whichever account pays it, in minor units of `currency`',
      }),
    ),
    reason: Type.Optional(Type.String({ description: 'Refunds only: reason for the refund' })),
    captureType: Type.Optional(
      Type.Enum(['Final', 'NotFinal'], { description: 'Captures only: whether it is the last one' }),
    ),
    captureTransaction: Type.Optional(
      Type.Object({ id: Id('transaction') }, { description: 'Refunds only: capture that is refunded' }),
    ),
    paymentMethod: Type.Optional(PaymentMethod),
    splitPaymentDetail: Type.Optional(
      withDescription(
        SplitPaymentDetail,
        'Captures and refunds only: how the amount is divided between sub accounts',
      ),
    ),
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: LastUpdatedTimestamp,
  },
  {
    title: 'PaymentTransaction',
    description: 'An authorization, capture, void, refund or chargeback of a payment session',
  },
);
export type PaymentTransaction = Static<typeof PaymentTransaction>;
