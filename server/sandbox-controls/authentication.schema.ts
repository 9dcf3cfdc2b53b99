import { Id, Type } from '../../protocol/schema.ts';
import { PaymentSession } from '../api/payments/payment-session.schema.ts';

export const AuthenticationOutcome = Type.Object({
  outcome: Type.Enum(['Identified', 'Authenticated', 'Failed'], {
    description:
      '`Identified` sends the fingerprint of the device, for the required action Identify. For Challenge and Redirect: `Authenticated` when the cardholder approves with the right code, `Failed` when the cardholder cancels.',
  }),
});

export const Authentication = Type.Object({
  paymentSessionId: Id('paymentSession'),
  status: PaymentSession.properties.status,
});
