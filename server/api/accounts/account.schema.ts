import {
  Email,
  explained,
  Id,
  Metadata,
  PhoneNumber,
  Timestamp,
  Type,
  type Static,
} from '../../../protocol/schema.ts';
import { AccountAddress } from './address.schema.ts';
import { CalendarDate, CountryCode, Text } from './details.schema.ts';
import { Documents, DocumentsGiven } from './document.schema.ts';
import { AccountVerification, RequiredDocument, RequiredField } from './verification.schema.ts';

export const ACCOUNT_METADATA_MAX = 5; // Spec §2.1

const Countries = (description: string) =>
  Type.Array(CountryCode, { minItems: 1, maxItems: 250, description });

const business = {
  name: Text('Registered name'),
  type: Type.Enum([
    'Corporation',
    'GovernmentEntity',
    'Charity',
    'LimitedPartnership',
    'PrivateCompany',
    'PublicCompany',
  ]),
  registrationNumber: Text('Number in the register of companies', 50),
  registeredAddress: AccountAddress,
  contactEmail: Email,
};
const businessMore = {
  registrationDate: CalendarDate,
  phoneNumber: PhoneNumber,
  tradingName: Text('The name over the door'),
  tradingAddress: AccountAddress,
  tradingCountries: Countries('Where it sells'),
  websiteUrl: Text('Its web site', 2048),
};

/** A business as it is registered: Spec §2.3. Those who create one give the first five members at least. */
export const BusinessGiven = Type.Object(
  { ...business, ...Type.Partial(Type.Object({ ...businessMore, documents: DocumentsGiven })).properties },
  { title: 'BusinessGiven' },
);
export const BusinessChange = Type.Partial(Type.Object(BusinessGiven.properties), {
  title: 'BusinessChange',
});
export type BusinessChange = Static<typeof BusinessChange>;
export const Business = Type.Object(
  { ...Type.Partial(Type.Object({ ...business, ...businessMore })).properties, documents: Documents },
  { title: 'Business' },
);
/** A business as it is kept: without documents until some are supplied. */
export type Business = Partial<Static<typeof Business>>;

/** What accounts and persons have in common about a human being: Spec §2.3, §2.4. */
export const human = {
  firstName: Text('Given name'),
  lastName: Text('Family name'),
  dateOfBirth: CalendarDate,
  gender: Type.Enum(['Male', 'Female']),
  nationalities: Countries('Every nationality, at least one'),
  address: AccountAddress,
};
const individual = { ...human, email: Email };
const individualMore = {
  middleNames: Text('Names between the two'),
  countryOfBirth: CountryCode,
  phoneNumber: PhoneNumber,
};

export const IndividualGiven = Type.Object(
  {
    ...individual,
    ...Type.Partial(Type.Object({ ...individualMore, documents: DocumentsGiven })).properties,
  },
  { title: 'IndividualGiven' },
);
export const IndividualChange = Type.Partial(Type.Object(IndividualGiven.properties), {
  title: 'IndividualChange',
});
export type IndividualChange = Static<typeof IndividualChange>;
export const Individual = Type.Object(
  { ...Type.Partial(Type.Object({ ...individual, ...individualMore })).properties, documents: Documents },
  { title: 'Individual' },
);
/** A person as it is kept: without documents until some are supplied. */
export type Individual = Partial<Static<typeof Individual>>;

export const CAPABILITIES = [
  'visaPayments',
  'mastercardPayments',
  'amexPayments',
  'inPersonPayments',
] as const;
export type CapabilityName = (typeof CAPABILITIES)[number];

/** Whether an account may do something, and whether it asked to: Spec §2.3. */
export const Capability = Type.Object(
  {
    status: Type.Enum(['NotRequested', 'Pending', 'Disabled', 'Enabled']),
    requested: Type.Boolean(),
    requiredFields: Type.Array(RequiredField, { description: 'Fields to supply first' }),
    requiredDocuments: Type.Array(RequiredDocument, { description: 'Documents to supply first' }),
    disabledReason: Type.Optional(Type.String()),
    requestedTimestamp: Type.Optional(explained(Timestamp, 'Epoch seconds; absent unless it is requested')),
    lastUpdatedTimestamp: Type.Optional(Timestamp),
  },
  { title: 'Capability' },
);

const CapabilityAsked = Type.Object({ requested: Type.Boolean() });

export const PayoutSchedule = Type.Enum(['Automatic', 'Manual'], {
  description: 'Manual payouts are for NonHosted sub accounts',
});
export type PayoutSchedule = Static<typeof PayoutSchedule>;

const acceptance = {
  ipAddress: Type.String({ minLength: 1, maxLength: 64, description: 'From where they were accepted' }),
  userAgent: Type.Optional(Text('With what they were accepted', 500)),
};

export const TermsGiven = Type.Object({
  acceptance: Type.Object({
    ...acceptance,
    when: Type.Optional(Type.Integer({ minimum: 0, description: 'Epoch seconds; now, when not given' })),
  }),
});

export const OnboardingFlow = Type.Enum(['Hosted', 'NonHosted'], {
  description: 'Hosted: the person behind the account gives the details on a page of this server',
});
export const EntityType = Type.Enum(['Business', 'Individual'], {
  description: 'Says which of the blocks there is; can change until verification begins',
});
export type EntityType = Static<typeof EntityType>;

const capabilitiesOf = <T extends typeof Capability | typeof CapabilityAsked>(each: T) => ({
  visaPayments: each,
  mastercardPayments: each,
  amexPayments: each,
  inPersonPayments: each,
});

/** What can be said of an account at any time. */
const common = {
  metadata: Type.Optional(Metadata(ACCOUNT_METADATA_MAX)),
  settings: Type.Optional(
    Type.Object({
      payouts: Type.Optional(
        Type.Object({ schedule: Type.Optional(Type.Object({ type: Type.Optional(PayoutSchedule) })) }),
      ),
    }),
  ),
  capabilities: Type.Optional(
    Type.Partial(Type.Object(capabilitiesOf(CapabilityAsked)), {
      description: 'What is not named stays as it is; of a new account, it is as its platform has it',
    }),
  ),
  termsOfService: Type.Optional(TermsGiven),
};

export const AccountCreate = Type.Object({
  email: Type.Optional({
    ...Email,
    description: 'Required of a Hosted account without entityType; ignored of a NonHosted one',
  }),
  onboardingFlow: Type.Optional(OnboardingFlow),
  entityType: Type.Optional(EntityType),
  business: Type.Optional(BusinessGiven),
  individual: Type.Optional(IndividualGiven),
  ...common,
});
export type AccountCreate = Static<typeof AccountCreate>;

/** A change of an account; the block that does not go with its entity type is ignored. */
export const AccountUpdate = Type.Object({
  entityType: Type.Optional(EntityType),
  business: Type.Optional(BusinessChange),
  individual: Type.Optional(IndividualChange),
  documents: Type.Optional({
    ...DocumentsGiven,
    description: 'The same as `documents` of the block there is',
  }),
  ...common,
});
export type AccountUpdate = Static<typeof AccountUpdate>;

/** An account, the platform's or that of a shop linked to it: Spec §2.3. */
export const Account = Type.Object(
  {
    id: Id('account'),
    type: Type.Enum(['Standard', 'Sub'], { description: 'Standard is the platform itself' }),
    status: Type.Enum(['ActionRequired', 'Unverified', 'VerificationPending', 'Verified'], {
      description: 'ActionRequired while verification asks for something or no payout method is Valid',
    }),
    actionsRequired: Type.Array(
      Type.Object({
        action: Type.Enum([
          'PayoutDetailsRequired',
          'PayoutMethodRequired',
          'PayoutMethodInvalid',
          'VerificationRequired',
          'AccountLocked',
        ]),
        description: Type.String(),
      }),
      { deprecated: true, description: 'Rather look at frozen, verification.status and the payout methods' },
    ),
    frozen: Type.Boolean({ description: 'Payments are taken, payouts are not made' }),
    email: Type.Optional(Email),
    onboardingFlow: OnboardingFlow,
    entityType: Type.Optional(EntityType),
    business: Type.Optional(Business),
    individual: Type.Optional(Individual),
    verification: AccountVerification,
    metadata: Metadata(ACCOUNT_METADATA_MAX),
    settings: Type.Object({ payouts: Type.Object({ schedule: Type.Object({ type: PayoutSchedule }) }) }),
    capabilities: Type.Object(capabilitiesOf(Capability)),
    termsOfService: Type.Optional(
      Type.Object({ acceptance: Type.Object({ ...acceptance, when: Timestamp }) }),
    ),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'Account' },
);
export type AccountShown = Static<typeof Account>;
