import {
  Email,
  Id,
  Nullable,
  MobilePhoneText,
  PhoneText,
  EmailText,
  Type,
  withDescription,
  type Static,
  type TextKind,
  type TextLimits,
} from '../../../protocol/schema.ts';
import { TEXT_FORMATS } from '../../../protocol/text-formats.ts';
import {
  CREATED,
  CreateSchema,
  ObjectSchema,
  UPDATED,
  UpdateSchema,
  metadataProperty,
} from '../../platform/http/openapi/object-schemas.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import { TimeWindow } from '../../platform/http/time-window.ts';
import type { Properties } from '../../platform/store/stored-property.ts';
import { FirstName, LastName } from '../../platform/http/text.schema.ts';

const METADATA_MAX = 10; // docs/choices.md, Customers

const NAME_LIMITS = { minLength: 1, maxLength: 100 };
const PHONE_LIMITS = { pattern: TEXT_FORMATS.phoneNumber.pattern };

const EMAIL = 'Email address of the customer. Unique within the account, ignoring case; cannot be changed.';

/** A detail that requests may give and replies show when there is one. */
function detail<const C extends string>(column: C, kind: TextKind, description: string, limits: TextLimits) {
  return {
    schema: kind(description, limits),
    column,
    create: 'optional',
    update: 'set',
    reply: kind(description),
  } as const;
}

/** The person who pays: Spec §4.8. The address never changes: another address is another customer. */
export const CUSTOMER = {
  email: {
    schema: withDescription(Email, EMAIL),
    column: 'email',
    create: 'required',
    reply: EmailText(EMAIL),
    searched: true,
  },
  /** The address in the form in which it is compared. */
  emailKey: { schema: Type.String(), column: 'email_key', always: true, reply: 'hidden' },
  firstName: {
    ...detail('first_name', FirstName, 'First name of the customer', NAME_LIMITS),
    searched: true,
  },
  lastName: {
    ...detail('last_name', LastName, 'Last name of the customer', NAME_LIMITS),
    searched: true,
  },
  homePhoneNumber: detail(
    'home_phone',
    PhoneText,
    'Home phone number of the customer, in E.164 format',
    PHONE_LIMITS,
  ),
  mobilePhoneNumber: detail(
    'mobile_phone',
    MobilePhoneText,
    'Mobile phone number of the customer, in E.164 format',
    PHONE_LIMITS,
  ),
  defaultPaymentMethod: {
    schema: Id('paymentMethod', 'A stored payment method of the customer; null for none'),
    column: 'default_payment_method_id',
    update: Nullable(
      Id('paymentMethod', 'A stored payment method of the customer; null for none'),
      'Id of the stored payment method to use when none is named; null removes it',
    ),
    reply: Type.String({
      description: 'Id of the stored payment method to use when none is named; absent until one is set',
    }),
  },
  metadata: metadataProperty(METADATA_MAX),
  createdTimestamp: CREATED,
  lastUpdatedTimestamp: UPDATED,
} as const satisfies Properties;

export const Customer = ObjectSchema('customer', CUSTOMER, {
  title: 'Customer',
  description: 'A customer of an account',
});
export type Customer = Static<typeof Customer>;

export const CustomerCreate = CreateSchema(CUSTOMER);

export const CustomerUpdate = UpdateSchema(CUSTOMER);

export const CustomerQuery = Type.Object({
  ...PageQuery.properties,
  ...TimeWindow,
  email: Type.Optional(
    Type.String({
      description: 'Return only the customer with this email address. The other filters are ignored then.',
    }),
  ),
});
