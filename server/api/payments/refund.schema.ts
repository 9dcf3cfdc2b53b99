import { Type, type Static } from '../../../protocol/schema.ts';
import { FEE_SPELLINGS } from './payment-settings.schema.ts';
import { SplitRefund } from './split.schema.ts';

/** What of a captured payment is given back; all that is left of it unless said. Spec §4.1. */
export const RefundRequest = Type.Object({
  amount: Type.Optional(
    Type.Integer({
      maximum: Number.MAX_SAFE_INTEGER,
      description: '1 to what is left of the capture, which is the default',
    }),
  ),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 250 })),
  refundPlatformFee: Type.Optional(
    Type.Boolean({
      description: 'Give back the fee too, in proportion; false unless said; without effect beside splits',
    }),
  ),
  splits: Type.Optional(SplitRefund),
  captureTransaction: Type.Optional(
    Type.Object(
      { id: Type.String({ maxLength: 100 }) },
      { description: 'Which capture; required when there are several' },
    ),
  ),
  ...FEE_SPELLINGS,
});
export type RefundRequest = Static<typeof RefundRequest>;
