import {
  AmountMinor,
  CurrencyCode,
  Id,
  Metadata,
  Nullable,
  Timestamp,
  Type,
  type Static,
} from '../../../protocol/schema.ts';

const METADATA_MAX = 10; // Spec §2.1

const text = Type.String();
const textOrNull = Nullable(Type.String());

const OrderItem = Type.Object({
  id: Id('sku'),
  name: text,
  totalAmountPerUnit: AmountMinor,
  taxAmountPerUnit: AmountMinor,
  quantity: Type.Integer({ minimum: 1 }),
});

const OrderShipping = Type.Object({
  address: Nullable(
    Type.Object({
      businessName: textOrNull,
      firstName: text,
      lastName: text,
      lineOne: text,
      lineTwo: textOrNull,
      city: text,
      country: text,
      postalCode: text,
      region: textOrNull,
      deliveryInstructions: textOrNull,
    }),
  ),
  contact: Nullable(Type.Object({ email: text, mobilePhoneNumber: text })),
  method: Nullable(
    Type.Object({
      id: Id('shippingMethod'),
      name: text,
      description: text,
      totalAmount: AmountMinor,
      taxAmount: AmountMinor,
    }),
  ),
});

/** An order of physical terminals, made outside the API and read here. */
export const Order = Type.Object(
  {
    id: Id('order'),
    status: Type.Enum(['AwaitingPayment', 'ReadyToShip', 'Shipped', 'Cancelled']),
    totalAmount: AmountMinor,
    taxAmount: AmountMinor,
    currency: CurrencyCode,
    items: Type.Array(OrderItem),
    customer: Type.Object({ email: text, firstName: textOrNull, lastName: textOrNull }),
    shipping: Nullable(OrderShipping),
    tracking: Nullable(
      Type.Object({
        items: Type.Array(Type.Object({ carrier: text, reference: text, shippedTimestamp: Timestamp })),
      }),
    ),
    metadata: Nullable(Metadata(METADATA_MAX)),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'Order' },
);
export type Order = Static<typeof Order>;
