import { Id, Nullable, Type } from '../../protocol/schema.ts';
import { DECLINE_CODES } from '../bank/issuer/decline-codes.ts';
import { FAILABLE_TYPES } from '../api/payments/settlement-failure.ts';

export const SettlementFailureRequest = Type.Object({
  type: Nullable(
    Type.Enum([...FAILABLE_TYPES]),
    'Type of the transaction to fail; null cancels an earlier request',
  ),
});

export const NextDeclineRequest = Type.Object({
  code: Nullable(
    Type.Enum([...DECLINE_CODES]),
    'Code with which the next attempt is declined, as `lastError`; null cancels an earlier request',
  ),
});

export const NextDecline = Type.Object({
  paymentSessionId: Id('paymentSession'),
  code: Nullable(Type.Enum([...DECLINE_CODES]), 'Code of the next decline; null for none'),
});

export const SettlementFailure = Type.Object({
  paymentSessionId: Id('paymentSession'),
  type: Nullable(Type.Enum([...FAILABLE_TYPES]), 'Type of the transaction that will fail; null for none'),
});
