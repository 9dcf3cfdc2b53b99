import { PlatformFeeMinor, Type, withDescription, type Static } from '../../../protocol/schema.ts';
import { FEE_SPELLINGS } from './payment-settings.schema.ts';
import { SplitRequest, SplitRefund } from './split.schema.ts';

/** A capture of an approved payment, by default of the whole amount. Spec §4.1. */
export const CaptureRequest = Type.Object({
  amount: Type.Optional(
    Type.Integer({
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [1250],
      description:
        'Amount to capture, in minor units of the currency of the session: at least 1, at most what is not captured yet, which is the default',
    }),
  ),
  captureType: Type.Optional(
    Type.Enum(['Final', 'NotFinal', 'NonFinal'], {
      description:
        '`Final` releases what is not captured. `NotFinal`, or `NonFinal`, keeps it for later captures. Defaults to `Final`.',
    }),
  ),
  platformFee: Type.Optional(
    withDescription(
      PlatformFeeMinor,
      'Part of the captured amount that the platform takes, in minor units of the currency of the session; overrides that of the session',
    ),
  ),
  splits: Type.Optional(SplitRequest),
  ...FEE_SPELLINGS,
});
export type CaptureRequest = Static<typeof CaptureRequest>;

/** A refund of a captured payment, by default of all that is left. Spec §4.1. */
export const RefundRequest = Type.Object({
  amount: Type.Optional(
    Type.Integer({
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [1250],
      description:
        'Amount to refund, in minor units of the currency of the session: at least 1, at most what is left of the capture, which is the default',
    }),
  ),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 250, description: 'Reason for the refund' })),
  refundPlatformFee: Type.Optional(
    Type.Boolean({
      description:
        'Whether to refund the platform fee too, in proportion to the amount. Defaults to false. Has no effect on a payment with splits.',
    }),
  ),
  splits: Type.Optional(SplitRefund),
  captureTransaction: Type.Optional(
    Type.Object(
      { id: Type.String({ maxLength: 100, description: 'Id of the payment transaction of the capture' }) },
      { description: 'Capture to refund; required when the session has several' },
    ),
  ),
  ...FEE_SPELLINGS,
});
export type RefundRequest = Static<typeof RefundRequest>;
