import { Id, Type, type Static } from '../../../protocol/schema.ts';
import { PaymentMethod } from './payment-method-details.schema.ts';
import { PaymentSession } from './payment-session.schema.ts';

const { clientSecret: _secret, paymentMethod: _shown, ...members } = PaymentSession.properties;

/** The data of a `PaymentSession` event: the session without its client secret, and which transaction it is about. */
export const SessionEventData = Type.Object({
  ...members,
  paymentMethod: Type.Optional(
    Type.Object({
      ...PaymentMethod.properties,
      id: Type.Optional(
        Id('paymentMethod', 'Same as `tokenizedDetails.id`; absent when the card has no token'),
      ),
    }),
  ),
  paymentTransactionId: Type.Optional(
    Id(
      'transaction',
      'Id of the transaction that the event is about: the authorization, capture, void or refund. Absent when there is none.',
    ),
  ),
});
export type SessionEventData = Static<typeof SessionEventData>;
