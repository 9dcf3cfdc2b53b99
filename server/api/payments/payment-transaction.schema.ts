import {
  AmountMinor,
  CurrencyText,
  Id,
  Type,
  withDescription,
  withExample,
  type Static,
} from '../../../protocol/schema.ts';
import { CREATED, ObjectSchema, UPDATED } from '../../platform/http/openapi/object-schemas.ts';
import type { Properties } from '../../platform/store/stored-property.ts';
import { PaymentMethod } from './payment-method-details.schema.ts';
import { Split, SplitPaymentDetail } from './split.schema.ts';

/** A split of a capture, with the refunded amounts of the split and of its fee, in minor units. */
const CaptureSplit = Type.Object({
  ...Split.properties,
  refundedMinor: Type.Integer(),
  feeRefundedMinor: Type.Integer(),
});
export type CaptureSplit = Static<typeof CaptureSplit>;

const Minor = (description: string) => Type.Integer({ minimum: 0, description });

/** One transaction of a payment session: Spec §4.1. */
export const PAYMENT_TRANSACTION = {
  accountId: { schema: Id('account'), column: 'account_id', always: true, reply: 'hidden' },
  paymentSessionId: { schema: Id('paymentSession'), column: 'session_id', always: true, owner: true },
  amount: {
    schema: withDescription(AmountMinor, 'Amount of the transaction, in minor units of `currency`'),
    column: 'amount_minor',
    always: true,
  },
  currency: {
    schema: CurrencyText('Three-letter ISO 4217 currency code of the payment session'),
    column: 'currency',
    always: true,
  },
  type: {
    schema: Type.Enum(['Authorization', 'Void', 'Capture', 'Refund', 'Chargeback', 'ChargebackReversal'], {
      description: 'What the transaction does to the payment',
    }),
    column: 'type',
    always: true,
  },
  status: {
    schema: Type.Enum(['Pending', 'Failed', 'Succeeded'], {
      description:
        '`Succeeded` at once, unless the sandbox makes it fail; `Failed` for an authorization that was declined',
    }),
    column: 'status',
    always: true,
  },
  refundedAmount: {
    schema: Minor('Captures only: total refunded of the capture, in minor units of `currency`'),
    column: 'refunded_minor',
  },
  platformFee: {
    schema: withExample(
      Minor('Captures only: part that the platform took, in minor units of `currency`'),
      100,
    ),
    column: 'platform_fee_minor',
  },
  /** Of a capture, the refunded part of its fee. Of a refund, the part that it returned; null when the fee stays. */
  platformFeeRefunded: { schema: Type.Integer(), column: 'platform_fee_refunded_minor', reply: 'hidden' },
  platformFeeRefundedAmount: {
    reply: Type.Optional(
      Minor('Captures only: total that the platform refunded of its fee, in minor units of `currency`'),
    ),
  },
  processingFee: {
    reply: Type.Optional(
      Minor('Captures only: processing fee, whichever account pays it, in minor units of `currency`'),
    ),
  },
  reason: {
    schema: Type.String({ description: 'Refunds only: reason for the refund' }),
    column: 'reason',
    searched: true,
  },
  captureType: {
    schema: Type.Enum(['Final', 'NotFinal'], { description: 'Captures only: whether it is the last one' }),
    column: 'capture_type',
  },
  captureId: { schema: Id('transaction'), column: 'capture_id', reply: 'hidden' },
  captureTransaction: {
    reply: Type.Optional(
      Type.Object({ id: Id('transaction') }, { description: 'Refunds only: capture that is refunded' }),
    ),
  },
  paymentMethod: { schema: PaymentMethod, column: 'payment_method' },
  splits: { schema: Type.Array(CaptureSplit), column: 'splits', reply: 'hidden' },
  splitPaymentDetail: {
    reply: Type.Optional(
      withDescription(
        SplitPaymentDetail,
        'Captures and refunds only: how the amount is divided between sub accounts',
      ),
    ),
  },
  createdTimestamp: CREATED,
  lastUpdatedTimestamp: UPDATED,
} as const satisfies Properties;

export const PaymentTransaction = ObjectSchema('transaction', PAYMENT_TRANSACTION, {
  title: 'PaymentTransaction',
  description: 'An authorization, capture, void, refund or chargeback of a payment session',
});
export type PaymentTransaction = Static<typeof PaymentTransaction>;
