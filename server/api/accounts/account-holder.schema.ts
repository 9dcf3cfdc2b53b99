import {
  CountryCode,
  Email,
  PhoneNumber,
  Type,
  textOf,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { Text, TEXT_LIMITS, AccountAddress, withNullLines } from './details.schema.ts';
import { Documents, DocumentsInput } from './document.schema.ts';
import { FirstName, LastName } from '../../platform/http/text.schema.ts';
import { Url } from '../../platform/http/url.schema.ts';

const DateOfBirth = textOf('1990-04-01');
const RegistrationDate = textOf('2015-03-02');

export const EntityType = Type.Enum(['Business', 'Individual'], {
  description:
    'Whether the account belongs to a business or to an individual, which decides the block of details it has. Can change until verification starts.',
});
export type EntityType = Static<typeof EntityType>;

const Countries = (description: string) =>
  Type.Array(CountryCode, { minItems: 1, maxItems: 250, description });

const businessRequired = {
  name: Text('Registered name of the business'),
  type: Type.Enum(
    ['Corporation', 'GovernmentEntity', 'Charity', 'LimitedPartnership', 'PrivateCompany', 'PublicCompany'],
    { description: 'Legal form of the business' },
  ),
  registrationNumber: Text('Number of the business in its national register of companies', 50),
  registeredAddress: AccountAddress,
  contactEmail: withDescription(Email, 'Email address at which the business can be reached'),
};
const businessOptional = {
  registrationDate: RegistrationDate('Date on which the business was registered, in the form `yyyy-MM-dd`', {
    format: 'date',
  }),
  phoneNumber: withDescription(PhoneNumber, 'Phone number of the business, in E.164 format'),
  tradingName: Text('Name that the business trades under, when it differs from the registered name'),
  tradingAddress: AccountAddress,
  tradingCountries: Countries('Countries that the business sells to'),
  websiteUrl: Url('website', 'URL of the website of the business', { minLength: 1, maxLength: 2048 }),
};

/** Details of a registered business (Spec §2.3). The first five fields are required to create one. */
export const BusinessInput = Type.Object(
  {
    ...businessRequired,
    ...Type.Partial(Type.Object({ ...businessOptional, documents: DocumentsInput })).properties,
  },
  { title: 'BusinessInput', description: 'Details of the business' },
);
export const BusinessChange = Type.Partial(Type.Object(BusinessInput.properties), {
  title: 'BusinessChange',
  description: 'Details of the business to change',
});
export type BusinessChange = Static<typeof BusinessChange>;
export const Business = Type.Object(
  {
    ...Type.Partial(Type.Object({ ...businessRequired, ...businessOptional })).properties,
    documents: Documents,
  },
  { title: 'Business', description: 'Details of the business; documents are present once some are supplied' },
);
/** A business as it is stored: without documents until some are supplied. */
export type Business = Partial<Static<typeof Business>>;

/** Fields that an individual and a person of a business share: Spec §2.3, §2.4. */
export const personalDetails = {
  firstName: FirstName('First name of the person', TEXT_LIMITS),
  lastName: LastName('Last name of the person', TEXT_LIMITS),
  dateOfBirth: DateOfBirth('Date of birth, in the form `yyyy-MM-dd`', { format: 'date' }),
  gender: Type.Enum(['Male', 'Female'], {
    description: 'Gender as stated in the passport. Banking regulation requires one of the two values.',
  }),
  nationalities: Countries('Every nationality of the person, at least one'),
  address: AccountAddress,
};
const individualRequired = {
  ...personalDetails,
  email: withDescription(Email, 'Email address of the person'),
};
const individualOptional = {
  middleNames: Text('Middle names of the person'),
  countryOfBirth: withDescription(CountryCode, 'Country of birth, as a two-letter ISO 3166-1 alpha-2 code'),
  phoneNumber: withDescription(PhoneNumber, 'Phone number of the person, in E.164 format'),
};

export const IndividualInput = Type.Object(
  {
    ...individualRequired,
    ...Type.Partial(Type.Object({ ...individualOptional, documents: DocumentsInput })).properties,
  },
  { title: 'IndividualInput', description: 'Details of the individual' },
);
export const IndividualChange = Type.Partial(Type.Object(IndividualInput.properties), {
  title: 'IndividualChange',
  description: 'Details of the individual to change',
});
export type IndividualChange = Static<typeof IndividualChange>;
export const Individual = Type.Object(
  {
    ...Type.Partial(Type.Object({ ...individualRequired, ...individualOptional })).properties,
    documents: Documents,
  },
  {
    title: 'Individual',
    description: 'Details of the individual; documents are present once some are supplied',
  },
);
/** A person as it is stored: without documents until some are supplied. */
export type Individual = Partial<Static<typeof Individual>>;

/** Returns a stored business as the API shows it. */
export function toBusiness({
  registeredAddress,
  tradingAddress,
  documents = [],
  ...rest
}: Business): Static<typeof Business> {
  return {
    ...rest,
    documents,
    ...(registeredAddress && { registeredAddress: withNullLines(registeredAddress) }),
    ...(tradingAddress && { tradingAddress: withNullLines(tradingAddress) }),
  };
}

/** Returns a stored individual as the API shows it. */
export function toIndividual({ address, documents = [], ...rest }: Individual): Static<typeof Individual> {
  return { ...rest, documents, ...(address && { address: withNullLines(address) }) };
}
