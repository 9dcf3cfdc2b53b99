import { Id, Type, type Static } from '../../../protocol/schema.ts';
import { Address } from '../customers/address.schema.ts';
import { CardLast4 } from '../../platform/http/text.schema.ts';

/** The card of a session or a transaction: never more of its number than the last four digits. */
export const PaymentMethod = Type.Object(
  {
    type: Type.Literal('Card', { description: 'Type of the payment method' }),
    tokenizedDetails: Type.Optional(
      Type.Object(
        {
          id: Id('paymentMethod'),
          stored: Type.Boolean({
            description:
              'Whether the card is stored for later payments; false for a token that can be used once',
          }),
        },
        { description: 'Token that stands for the card' },
      ),
    ),
    card: Type.Optional(
      Type.Object(
        {
          scheme: Type.Enum(['Visa', 'Mastercard', 'Amex'], { description: 'Card scheme' }),
          last4: CardLast4,
          binDetails: Type.Optional(
            Type.Object(
              {
                issuer: Type.Optional(Type.String({ description: 'Bank that issued the card' })),
                issuerCountry: Type.Optional(
                  Type.String({
                    description: 'Country of the issuer, as a two-letter ISO 3166-1 alpha-2 code',
                  }),
                ),
                fundingType: Type.Optional(
                  Type.String({
                    description:
                      'How the card is funded: `Credit`, `Debit`, `Prepaid`, `DeferredDebit` or `Charge`',
                  }),
                ),
                productType: Type.Optional(
                  Type.String({
                    description:
                      'Whether the card is for consumers or for businesses: `Consumer` or `Corporate`',
                  }),
                ),
              },
              { description: 'Details that the first digits of the card number identify' },
            ),
          ),
        },
        { description: 'Card that was used; absent until one is known' },
      ),
    ),
    wallet: Type.Optional(
      Type.Object(
        { type: Type.Enum(['ApplePay', 'GooglePay'], { description: 'Type of the wallet' }) },
        { description: 'Wallet that supplied the card; absent when none did' },
      ),
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
  },
  {
    title: 'PaymentMethodDetails',
    description: 'Payment method of an attempt. The card number is never returned.',
  },
);
export type PaymentMethod = Static<typeof PaymentMethod>;
