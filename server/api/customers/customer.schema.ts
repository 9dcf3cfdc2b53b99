import {
  Email,
  Id,
  Metadata,
  Nullable,
  PhoneNumber,
  Timestamp,
  Type,
  type Static,
} from '../../../protocol/schema.ts';
import { Text } from '../accounts/details.schema.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import { TimeWindow } from '../../platform/http/time-window.schema.ts';

export const METADATA_MAX = 10; // docs/choices.md, Customers

/** What may be told of a customer besides the address. */
export const CUSTOMER_DETAILS = {
  firstName: Type.Optional(Text('Given name', 100)),
  lastName: Type.Optional(Text('Family name', 100)),
  homePhoneNumber: Type.Optional(PhoneNumber),
  mobilePhoneNumber: Type.Optional(PhoneNumber),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
};

/** Somebody who pays: Spec §4.8. */
export const Customer = Type.Object(
  {
    id: Id('customer'),
    email: Type.String({ description: 'Unique in the account, whatever its case; never changes' }),
    firstName: Type.Optional(Type.String({ description: 'Given name' })),
    lastName: Type.Optional(Type.String({ description: 'Family name' })),
    homePhoneNumber: Type.Optional(Type.String({ description: 'E.164' })),
    mobilePhoneNumber: Type.Optional(Type.String({ description: 'E.164' })),
    defaultPaymentMethod: Type.Optional(
      Type.String({ description: 'A stored payment method of the customer (pmt_); none until one is set' }),
    ),
    metadata: Metadata(METADATA_MAX),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'Customer' },
);
export type Customer = Static<typeof Customer>;

export const CustomerCreate = Type.Object({ email: Email, ...CUSTOMER_DETAILS });

/** The address never changes: another address is another customer. */
export const CustomerUpdate = Type.Object({
  ...CUSTOMER_DETAILS,
  defaultPaymentMethod: Type.Optional(
    Nullable({
      ...Id('paymentMethod'),
      description: 'A stored payment method of the customer; null for none',
    }),
  ),
});

export const CustomerQuery = Type.Object({
  ...PageQuery.properties,
  ...TimeWindow,
  email: Type.Optional(
    Type.String({ description: 'Finds the one customer with this address; nothing else is looked at then' }),
  ),
});
