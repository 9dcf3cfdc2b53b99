import { PositiveAmount, Type, withDescription } from '../../protocol/schema.ts';
import { DisputeCategory, DisputeReason } from '../api/disputes/dispute.schema.ts';

export const DisputeOpen = Type.Object({
  amount: Type.Optional(
    withDescription(
      PositiveAmount,
      'Amount to dispute, in minor units of the currency of the payment session. Defaults to all that is not refunded.',
    ),
  ),
  category: Type.Optional(
    withDescription(DisputeCategory, 'Category of the reason. A usual one by default.'),
  ),
  reason: Type.Optional(
    withDescription(DisputeReason, 'Reason, as the card scheme classifies it. A usual one by default.'),
  ),
});
