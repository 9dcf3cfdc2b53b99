import { AmountMinor, Type, withDescription, type Static, PhoneNumber } from '../../../protocol/schema.ts';
import { Url } from '../../platform/http/url.schema.ts';
import { Address } from '../customers/address.schema.ts';

const ORDER_LINES_MAX = 100;

const Text = (description: string) => Type.String({ minLength: 1, maxLength: 250, description });
const URL_LIMITS = { minLength: 1, maxLength: 2048 };

/** The order of a payment: Spec §2.2, rule 4. Returned as given; its totals are not checked. */
export const OrderDetails = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          reference: Text('Your own identifier of the product, such as its SKU'),
          name: Text('Name of the product'),
          quantity: Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'Number of units',
          }),
          unitPrice: withDescription(
            AmountMinor,
            'Price of one unit, in minor units of the currency of the session',
          ),
          taxAmount: withDescription(
            AmountMinor,
            'Tax of the line, in minor units of the currency of the session',
          ),
          totalAmount: withDescription(
            AmountMinor,
            'Total of the line, in minor units of the currency of the session. It is not checked against the other amounts.',
          ),
          discountAmount: Type.Optional(
            withDescription(
              AmountMinor,
              'Discount of the line, in minor units of the currency of the session',
            ),
          ),
          productUrl: Type.Optional(Url('product', 'URL of the page that shows the product', URL_LIMITS)),
          imageUrl: Type.Optional(Url('productImage', 'URL of an image of the product', URL_LIMITS)),
        },
        { title: 'OrderLine', description: 'Line of an order' },
      ),
      { maxItems: ORDER_LINES_MAX, description: 'Lines of the order' },
    ),
  },
  { title: 'OrderDetails', description: 'Products that are paid for' },
);
export type OrderDetails = Static<typeof OrderDetails>;

export const ShippingDetails = Type.Object(
  {
    address: Address,
    phoneNumber: Type.Optional(
      withDescription(PhoneNumber, 'Phone number of the recipient, in E.164 format'),
    ),
  },
  { title: 'ShippingDetails', description: 'Where the goods are shipped to' },
);
export type ShippingDetails = Static<typeof ShippingDetails>;
