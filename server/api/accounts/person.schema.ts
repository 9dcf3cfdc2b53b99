import { Email, Id, Metadata, PhoneNumber, Timestamp, Type, type Static } from '../../../protocol/schema.ts';
import { ACCOUNT_METADATA_MAX, human } from './account.schema.ts';
import { CountryCode, Text } from './details.schema.ts';
import { Documents, DocumentsGiven } from './document.schema.ts';
import { BUSINESS_ROLES, PersonVerification } from './verification.schema.ts';

const required = {
  ...human,
  email: Email,
  phoneNumber: PhoneNumber,
  businessRoles: Type.Array(Type.Enum([...BUSINESS_ROLES]), {
    minItems: 1,
    uniqueItems: true,
    description: 'What the person is to the business, at least one',
  }),
};
const more = {
  middleNames: Type.Optional(Text('Names between the two')),
  countryOfBirth: Type.Optional(CountryCode),
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
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'Person' },
);
export type Person = Static<typeof Person>;

/** What is said of a person; the rest of a person has columns of its own. */
export type PersonDetails = Omit<PersonCreate, 'businessRoles' | 'documents' | 'metadata'>;
