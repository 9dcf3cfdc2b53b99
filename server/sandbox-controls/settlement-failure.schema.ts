import { Id, Nullable, Type } from '../../protocol/schema.ts';
import { FAILABLE_TYPES } from '../api/payments/settlement-failure.ts';

export const SettlementFailureRequest = Type.Object({
  type: Nullable(
    Type.Enum([...FAILABLE_TYPES]),
    'Type of the transaction to fail; null cancels an earlier request',
  ),
});

export const SettlementFailure = Type.Object({
  paymentSessionId: Id('paymentSession'),
  type: Nullable(Type.Enum([...FAILABLE_TYPES]), 'Type of the transaction that will fail; null for none'),
});
