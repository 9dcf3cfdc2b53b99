import { AmountMinor, Type, type Static } from '../../../protocol/schema.ts';

const ORDER_LINES_MAX = 100;

const Text = Type.String({ minLength: 1, maxLength: 250 });
const Link = Type.String({ minLength: 1, maxLength: 2048 });

/** What is paid for: Spec §2.2, rule 4. Shown as it was given; nobody checks that it adds up. */
export const OrderDetails = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          reference: Text,
          name: Text,
          quantity: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
          unitPrice: AmountMinor,
          taxAmount: AmountMinor,
          totalAmount: AmountMinor,
          discountAmount: Type.Optional(AmountMinor),
          productUrl: Type.Optional(Link),
          imageUrl: Type.Optional(Link),
        },
        { title: 'OrderLine' },
      ),
      { maxItems: ORDER_LINES_MAX },
    ),
  },
  { title: 'OrderDetails' },
);
export type OrderDetails = Static<typeof OrderDetails>;
