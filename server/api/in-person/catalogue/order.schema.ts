import {
  AmountMinor,
  CountryText,
  CreatedTimestamp,
  CurrencyCode,
  EmailText,
  Id,
  LastUpdatedTimestamp,
  Metadata,
  MobilePhoneText,
  Nullable,
  Timestamp,
  Type,
  withDescription,
  type Static,
} from '../../../../protocol/schema.ts';
import { City, FirstName, LastName, LineOne, PostalCode } from '../../../platform/http/text.schema.ts';

const METADATA_MAX = 10; // Spec §2.1

const Text = (description: string) => Type.String({ description });
const TextOrNull = (description: string) => Nullable(Type.String(), description);

const OrderItem = Type.Object({
  id: Id('sku'),
  name: Text('Name of the SKU'),
  totalAmountPerUnit: withDescription(
    AmountMinor,
    'Price of one unit, tax included, in minor units of `currency`',
  ),
  taxAmountPerUnit: withDescription(
    AmountMinor,
    'Tax in the price of one unit, in minor units of `currency`',
  ),
  quantity: Type.Integer({ minimum: 1, description: 'Number of units ordered' }),
});

const OrderShipping = Type.Object({
  address: Nullable(
    Type.Object({
      businessName: TextOrNull('Business that receives the delivery; null when none was given'),
      firstName: FirstName('First name of the recipient'),
      lastName: LastName('Last name of the recipient'),
      lineOne: LineOne('Street and house number'),
      lineTwo: TextOrNull('Second line of the address; null when there is none'),
      city: City('City or town'),
      country: CountryText('Two-letter ISO 3166-1 alpha-2 country code, in uppercase'),
      postalCode: PostalCode('Postal code or ZIP code'),
      region: TextOrNull('State, province or county; null when there is none'),
      deliveryInstructions: TextOrNull('Instructions for the carrier; null when there are none'),
    }),
    'Address to deliver to; null until one is chosen',
  ),
  contact: Nullable(
    Type.Object({
      email: EmailText('Email address of the delivery contact'),
      mobilePhoneNumber: MobilePhoneText('Phone number of the delivery contact, in E.164 format'),
    }),
    'Person to contact about the delivery; null until one is given',
  ),
  method: Nullable(
    Type.Object({
      id: Id('shippingMethod'),
      name: Text('Name of the shipping method'),
      description: Text('Description of the shipping method'),
      totalAmount: withDescription(
        AmountMinor,
        'Price of the shipping, tax included, in minor units of `currency`',
      ),
      taxAmount: withDescription(
        AmountMinor,
        'Tax in the price of the shipping, in minor units of `currency`',
      ),
    }),
    'How the order is shipped; null until a method is chosen',
  ),
});

/** An order of physical terminals. The API can only read it. */
export const Order = Type.Object(
  {
    id: Id('order'),
    status: Type.Enum(['AwaitingPayment', 'ReadyToShip', 'Shipped', 'Cancelled'], {
      description:
        '`AwaitingPayment` until it is paid, `ReadyToShip` until the parcel leaves, then `Shipped`. `Cancelled` orders are never shipped.',
    }),
    totalAmount: withDescription(
      AmountMinor,
      'Price of the order, tax and shipping included, in minor units of `currency`',
    ),
    taxAmount: withDescription(AmountMinor, 'Tax in the price of the order, in minor units of `currency`'),
    currency: CurrencyCode,
    items: Type.Array(OrderItem, { description: 'SKUs that are ordered' }),
    customer: Type.Object(
      {
        email: EmailText('Email address of the buyer'),
        firstName: TextOrNull('First name of the buyer; null when not given'),
        lastName: TextOrNull('Last name of the buyer; null when not given'),
      },
      { description: 'Buyer of the order' },
    ),
    shipping: Nullable(OrderShipping, 'Delivery of the order; null until it is known'),
    tracking: Nullable(
      Type.Object({
        items: Type.Array(
          Type.Object({
            carrier: Text('Company that delivers the parcel'),
            reference: Text('Tracking number at the carrier'),
            shippedTimestamp: withDescription(
              Timestamp,
              'Time at which the parcel was shipped: a Unix timestamp, in seconds',
            ),
          }),
          { description: 'Parcels, in the order in which they were shipped' },
        ),
      }),
      'Parcels of the order; null until one is shipped',
    ),
    metadata: Nullable(
      Metadata(METADATA_MAX),
      'Set of key-value pairs attached to the order, at most 10; null when there is none',
    ),
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: LastUpdatedTimestamp,
  },
  { title: 'Order', description: 'An order of terminals' },
);
export type Order = Static<typeof Order>;
