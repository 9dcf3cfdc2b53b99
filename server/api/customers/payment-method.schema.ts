import { Type, type Static } from '../../../protocol/schema.ts';
import { CREATED, ObjectSchema } from '../../platform/http/openapi/object-schemas.ts';
import type { Properties } from '../../platform/store/stored-property.ts';
import { Address } from './address.schema.ts';
import { CardLast4, ExpiryMonth, ExpiryYear } from '../../platform/http/text.schema.ts';

const CARD = {
  scheme: Type.Enum(['Visa', 'Mastercard', 'Amex'], { description: 'Card scheme' }),
  last4: CardLast4,
  expiryMonth: ExpiryMonth('Month in which the card expires, two digits'),
  expiryYear: ExpiryYear('Year in which the card expires, four digits'),
};

const AVS = 'One-letter result of the address check: `Y` for a match, `U` when it is unavailable';
const CVV =
  'One-letter result of the security code check: `M` for a match (`Y` for Amex), `N` for no match, `U` when no code was supplied';

/** A stored card, identified by its token instead of its number: Spec §4.8. */
export const PAYMENT_METHOD = {
  type: { reply: Type.Literal('Card', { description: 'Type of the payment method' }) },
  card: { reply: Type.Object(CARD, { description: 'Card of the payment method' }) },
  scheme: { schema: CARD.scheme, column: 'scheme', always: true, reply: 'hidden' },
  /** Of the card number, only the BIN and the last four digits are stored. */
  bin: { schema: Type.String(), column: 'bin', always: true, reply: 'hidden' },
  last4: { schema: CARD.last4, column: 'last4', always: true, reply: 'hidden', searched: true },
  expiryMonth: { schema: CARD.expiryMonth, column: 'expiry_month', always: true, reply: 'hidden' },
  expiryYear: { schema: CARD.expiryYear, column: 'expiry_year', always: true, reply: 'hidden' },
  billingAddress: { schema: Address, column: 'billing_address' },
  checks: {
    schema: Type.Object(
      {
        avsResponseCode: Type.Optional(Type.String({ description: AVS })),
        cvvResponseCode: Type.Optional(Type.String({ description: CVV })),
      },
      { description: 'Results of the checks that the issuer made' },
    ),
    column: 'checks',
  },
  customerId: {
    schema: Type.String({ description: 'Id of the customer that the payment method belongs to' }),
    column: 'customer_id',
  },
  /** The payment session at which the card was presented; a single-use token is deleted with it. */
  sessionId: { schema: Type.String(), column: 'session_id', reply: 'hidden' },
  /** Whether it can be used again; false for the token of one payment session. */
  stored: { schema: Type.Boolean(), column: 'stored', always: true, reply: 'hidden' },
  createdTimestamp: CREATED,
} as const satisfies Properties;

export const StoredPaymentMethod = ObjectSchema('paymentMethod', PAYMENT_METHOD, {
  title: 'StoredPaymentMethod',
  description: 'A card that is known by a token',
});
export type StoredPaymentMethod = Static<typeof StoredPaymentMethod>;

export const PaymentMethodUpdate = Type.Object({ billingAddress: Address });
