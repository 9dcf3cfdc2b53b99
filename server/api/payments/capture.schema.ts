import { AmountMinor, explained, Type, type Static } from '../../../protocol/schema.ts';
import { FEE_SPELLINGS } from './payment-settings.schema.ts';
import { SplitRequest } from './split.schema.ts';

/** What of an approved payment is taken; all of it unless said. Spec §4.1. */
export const CaptureRequest = Type.Object({
  amount: Type.Optional(
    Type.Integer({
      maximum: Number.MAX_SAFE_INTEGER,
      description: '1 to what is not captured yet, which is the default',
    }),
  ),
  captureType: Type.Optional(
    Type.Enum(['Final', 'NotFinal', 'NonFinal'], {
      description: 'Final unless said, which lets go what is not captured with it',
    }),
  ),
  platformFee: Type.Optional(explained(AmountMinor, 'In place of the one of the session')),
  splits: Type.Optional(SplitRequest),
  ...FEE_SPELLINGS,
});
export type CaptureRequest = Static<typeof CaptureRequest>;
