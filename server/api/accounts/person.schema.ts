import {
  CountryCode,
  Email,
  PhoneNumber,
  Type,
  withDescription,
  type Static,
  type TSchema,
} from '../../../protocol/schema.ts';
import {
  CREATED,
  CreateSchema,
  metadataProperty,
  ObjectSchema,
  UPDATED,
} from '../../platform/http/openapi/object-schemas.ts';
import type { Properties } from '../../platform/store/stored-property.ts';
import { ACCOUNT_METADATA_MAX } from './account.schema.ts';
import { personalDetails } from './account-holder.schema.ts';
import { Text } from './details.schema.ts';
import { Documents, DocumentsInput } from './document.schema.ts';
import type { StoredVerification } from './verification.rules.ts';
import { BUSINESS_ROLES, PersonVerification } from './verification.schema.ts';

/** The details of a person, which are stored as JSON in one column. */
const PersonDetails = Type.Object({
  ...personalDetails,
  email: withDescription(Email, 'Email address of the person'),
  phoneNumber: withDescription(PhoneNumber, 'Phone number of the person, in E.164 format'),
  middleNames: Type.Optional(Text('Middle names of the person')),
  countryOfBirth: Type.Optional(
    withDescription(CountryCode, 'Country of birth, as a two-letter ISO 3166-1 alpha-2 code'),
  ),
});
export type PersonDetails = Static<typeof PersonDetails>;

/** Returns properties that requests give and replies show, and that are stored in the column of another one. */
function membersOf<const S extends Record<string, TSchema>>(schemas: S) {
  const members = Object.entries(schemas).map(([name, schema]) => [name, { create: schema, reply: schema }]);
  return Object.fromEntries(members) as { readonly [K in keyof S]: { create: S[K]; reply: S[K] } };
}

/** A person behind a business, such as a director or a shareholder (Spec §2.4). */
export const PERSON = {
  ...membersOf(PersonDetails.properties),
  details: { schema: PersonDetails, column: 'details', always: true, reply: 'hidden', searched: true },
  businessRoles: {
    schema: Type.Array(Type.Enum([...BUSINESS_ROLES]), {
      minItems: 1,
      uniqueItems: true,
      description: 'Roles of the person in the business, at least one',
    }),
    column: 'roles',
    create: 'required',
  },
  documents: {
    schema: Documents,
    column: 'documents',
    always: true,
    create: Type.Optional(DocumentsInput),
  },
  verification: { reply: PersonVerification },
  storedVerification: {
    schema: Type.Unsafe<StoredVerification>({ type: 'object' }),
    column: 'verification',
    always: true,
    reply: 'hidden',
  },
  metadata: metadataProperty(ACCOUNT_METADATA_MAX),
  createdTimestamp: CREATED,
  lastUpdatedTimestamp: UPDATED,
} as const satisfies Properties;

export const PersonCreate = CreateSchema(PERSON);
export type PersonCreate = Static<typeof PersonCreate>;

export const PersonUpdate = Type.Partial(PersonCreate);
export type PersonUpdate = Static<typeof PersonUpdate>;

export const Person = ObjectSchema('person', PERSON, {
  title: 'Person',
  description: 'A person behind a business',
});
export type Person = Static<typeof Person>;
