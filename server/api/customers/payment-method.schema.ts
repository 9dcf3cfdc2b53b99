import { CreatedTimestamp, Id, Type, type Static } from '../../../protocol/schema.ts';
import { Address } from './address.schema.ts';

/** A stored card, identified by its token instead of its number: Spec §4.8. */
export const StoredPaymentMethod = Type.Object(
  {
    id: Id('paymentMethod'),
    type: Type.Literal('Card', { description: 'Type of the payment method' }),
    card: Type.Object(
      {
        scheme: Type.Enum(['Visa', 'Mastercard', 'Amex'], { description: 'Card scheme' }),
        last4: Type.String({ description: 'Last four digits of the card number' }),
        expiryMonth: Type.String({ description: 'Month in which the card expires, two digits' }),
        expiryYear: Type.String({ description: 'Year in which the card expires, four digits' }),
      },
      { description: 'Card of the payment method' },
    ),
    billingAddress: Type.Optional(Address),
    checks: Type.Optional(
      Type.Object(
        {
          avsResponseCode: Type.Optional(
            Type.String({
              description:
                'One-letter result of the address check: `Y` for a match, `U` when it is unavailable',
            }),
          ),
          cvvResponseCode: Type.Optional(
            Type.String({
              description:
                'One-letter result of the security code check: `M` for a match (`Y` for Amex), `N` for no match, `U` when no code was supplied',
            }),
          ),
        },
        { description: 'Results of the checks that the issuer made' },
      ),
    ),
    customerId: Type.Optional(
      Type.String({ description: 'Id of the customer that the payment method belongs to' }),
    ),
    createdTimestamp: CreatedTimestamp,
  },
  { title: 'StoredPaymentMethod', description: 'A card that is known by a token' },
);
export type StoredPaymentMethod = Static<typeof StoredPaymentMethod>;

export const PaymentMethodUpdate = Type.Object({ billingAddress: Address });
