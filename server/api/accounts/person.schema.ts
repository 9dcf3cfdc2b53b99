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
import { personalDetails } from './account-holder.schema.ts';
import { Text } from './details.schema.ts';
import { Documents, DocumentsInput } from './document.schema.ts';
import { BUSINESS_ROLES, PersonVerification } from './verification.schema.ts';

const requiredFields = {
  ...personalDetails,
  email: withDescription(Email, 'Email address of the person'),
  phoneNumber: withDescription(PhoneNumber, 'Phone number of the person, in E.164 format'),
  businessRoles: Type.Array(Type.Enum([...BUSINESS_ROLES]), {
    minItems: 1,
    uniqueItems: true,
    description: 'Roles of the person in the business, at least one',
  }),
};
const optionalFields = {
  middleNames: Type.Optional(Text('Middle names of the person')),
  countryOfBirth: Type.Optional(
    withDescription(CountryCode, 'Country of birth, as a two-letter ISO 3166-1 alpha-2 code'),
  ),
};
const metadata = Metadata(ACCOUNT_METADATA_MAX);

export const PersonCreate = Type.Object({
  ...requiredFields,
  ...optionalFields,
  documents: Type.Optional(DocumentsInput),
  metadata: Type.Optional(metadata),
});
export type PersonCreate = Static<typeof PersonCreate>;

export const PersonUpdate = Type.Partial(Type.Object(PersonCreate.properties));
export type PersonUpdate = Static<typeof PersonUpdate>;

/** A person behind a business, such as a director or a shareholder (Spec §2.4). */
export const Person = Type.Object(
  {
    id: Id('person'),
    ...requiredFields,
    ...optionalFields,
    documents: Documents,
    verification: PersonVerification,
    metadata,
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: LastUpdatedTimestamp,
  },
  { title: 'Person', description: 'A person behind a business' },
);
export type Person = Static<typeof Person>;

/** The details of a person that are stored as JSON; the other fields have columns of their own. */
export type PersonDetails = Omit<PersonCreate, 'businessRoles' | 'documents' | 'metadata'>;
