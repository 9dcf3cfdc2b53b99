import { Id, Timestamp, Type, type Static } from '../../../protocol/schema.ts';
import { Address } from '../payments/shipping.schema.ts';

/** A card known by its token, which stands for it where its number is not told: Spec §4.8. */
export const StoredPaymentMethod = Type.Object(
  {
    id: Id('paymentMethod'),
    type: Type.Literal('Card'),
    card: Type.Object({
      scheme: Type.Enum(['Visa', 'Mastercard', 'Amex'], { description: 'Whose card it is' }),
      last4: Type.String({ description: 'The last four digits; no more of the number is kept' }),
      expiryMonth: Type.String({ description: 'Two digits' }),
      expiryYear: Type.String({ description: 'Four digits' }),
    }),
    billingAddress: Type.Optional(Address),
    checks: Type.Optional(
      Type.Object({
        avsResponseCode: Type.Optional(
          Type.String({ description: 'What the issuer said of the address, one letter' }),
        ),
        cvvResponseCode: Type.Optional(
          Type.String({ description: 'What the issuer said of the security code, one letter' }),
        ),
      }),
    ),
    customerId: Type.Optional(Type.String({ description: 'Whose it is (cus_)' })),
    createdTimestamp: Timestamp,
  },
  { title: 'StoredPaymentMethod' },
);
export type StoredPaymentMethod = Static<typeof StoredPaymentMethod>;

export const PaymentMethodUpdate = Type.Object({ billingAddress: Address });
