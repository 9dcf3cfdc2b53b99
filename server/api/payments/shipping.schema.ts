import { PhoneNumber, Type, withDescription, type Static } from '../../../protocol/schema.ts';
import { Address } from '../customers/address.schema.ts';

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
