import {
  CountryCode,
  CreatedTimestamp,
  Email,
  Id,
  LastUpdatedTimestamp,
  Metadata,
  PhoneNumber,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { ACCOUNT_METADATA_MAX } from './account.schema.ts';
import { human } from './account-holder.schema.ts';
import { Text } from './details.schema.ts';
import { Documents, DocumentsGiven } from './document.schema.ts';
import { BUSINESS_ROLES, PersonVerification } from './verification.schema.ts';

const required = {
  ...human,
  email: withDescription(Email, 'Email address of the person'),
  phoneNumber: withDescription(PhoneNumber, 'Phone number of the person, in E.164 format'),
  businessRoles: Type.Array(Type.Enum([...BUSINESS_ROLES]), {
    minItems: 1,
    uniqueItems: true,
    description: 'Roles of the person in the business, at least one',
  }),
};
const more = {
  middleNames: Type.Optional(Text('Middle names of the person')),
  countryOfBirth: Type.Optional(
    withDescription(CountryCode, 'Country of birth, as a two-letter ISO 3166-1 alpha-2 code'),
  ),
};
const metadata = Metadata(ACCOUNT_METADATA_MAX);

export const PersonCreate = Type.Object({
  ...required,
  ...more,
  documents: Type.Optional(DocumentsGiven),
  metadata: Type.Optional(metadata),
});
export type PersonCreate = Static<typeof PersonCreate>;

export const PersonUpdate = Type.Partial(Type.Object(PersonCreate.properties));
export type PersonUpdate = Static<typeof PersonUpdate>;

/** Somebody behind a business: Spec §2.4. */
export const Person = Type.Object(
  {
    id: Id('person'),
    ...required,
    ...more,
    documents: Documents,
    verification: PersonVerification,
    metadata,
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: LastUpdatedTimestamp,
  },
  { title: 'Person', description: 'A person behind a business' },
);
export type Person = Static<typeof Person>;

/** What is said of a person; the rest of a person has columns of its own. */
export type PersonDetails = Omit<PersonCreate, 'businessRoles' | 'documents' | 'metadata'>;
