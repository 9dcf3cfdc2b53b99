import { Type } from '../../protocol/schema.ts';
import { DisputeCategory, DisputeReason } from '../api/disputes/dispute.schema.ts';

export const DisputeOpen = Type.Object({
  amount: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Minor units; all that is not refunded when not given',
    }),
  ),
  category: Type.Optional(DisputeCategory),
  reason: Type.Optional(DisputeReason),
});
