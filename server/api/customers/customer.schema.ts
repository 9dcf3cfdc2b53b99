import {
  CreatedTimestamp,
  Email,
  Id,
  LastUpdatedTimestamp,
  Metadata,
  Nullable,
  PhoneNumber,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { Text } from '../accounts/details.schema.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import { TimeWindow } from '../../platform/http/time-window.schema.ts';

const METADATA_MAX = 10; // docs/choices.md, Customers

/** Optional fields of a customer other than the email address. */
const CUSTOMER_DETAILS = {
  firstName: Type.Optional(Text('First name of the customer', 100)),
  lastName: Type.Optional(Text('Last name of the customer', 100)),
  homePhoneNumber: Type.Optional(
    withDescription(PhoneNumber, 'Home phone number of the customer, in E.164 format'),
  ),
  mobilePhoneNumber: Type.Optional(
    withDescription(PhoneNumber, 'Mobile phone number of the customer, in E.164 format'),
  ),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
};

/** Somebody who pays: Spec §4.8. */
export const Customer = Type.Object(
  {
    id: Id('customer'),
    email: Type.String({
      description:
        'Email address of the customer. Unique within the account, ignoring case; cannot be changed.',
    }),
    firstName: Type.Optional(Type.String({ description: 'First name of the customer' })),
    lastName: Type.Optional(Type.String({ description: 'Last name of the customer' })),
    homePhoneNumber: Type.Optional(
      Type.String({ description: 'Home phone number of the customer, in E.164 format' }),
    ),
    mobilePhoneNumber: Type.Optional(
      Type.String({ description: 'Mobile phone number of the customer, in E.164 format' }),
    ),
    defaultPaymentMethod: Type.Optional(
      Type.String({
        description: 'Id of the stored payment method to use when none is named; absent until one is set',
      }),
    ),
    metadata: Metadata(METADATA_MAX),
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: LastUpdatedTimestamp,
  },
  { title: 'Customer', description: 'A customer of an account' },
);
export type Customer = Static<typeof Customer>;

export const CustomerCreate = Type.Object({
  email: withDescription(
    Email,
    'Email address of the customer. Unique within the account, ignoring case; cannot be changed.',
  ),
  ...CUSTOMER_DETAILS,
});

/** The address never changes: another address is another customer. */
export const CustomerUpdate = Type.Object({
  ...CUSTOMER_DETAILS,
  defaultPaymentMethod: Type.Optional(
    Nullable(
      Id('paymentMethod', 'A stored payment method of the customer; null for none'),
      'Id of the stored payment method to use when none is named; null removes it',
    ),
  ),
});

export const CustomerQuery = Type.Object({
  ...PageQuery.properties,
  ...TimeWindow,
  email: Type.Optional(
    Type.String({
      description: 'Return only the customer with this email address. The other filters are ignored then.',
    }),
  ),
});
