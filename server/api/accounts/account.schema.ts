import { Email, Id, Timestamp, Type, withDescription, type Static } from '../../../protocol/schema.ts';
import { Text } from './details.schema.ts';
import { DocumentsInput } from './document.schema.ts';
import { AccountVerification } from './verification.schema.ts';
import {
  Business,
  BusinessChange,
  BusinessInput,
  EntityType,
  Individual,
  IndividualChange,
  IndividualInput,
  toBusiness,
  toIndividual,
} from './account-holder.schema.ts';
import type { AccountSettings } from './account-settings.ts';
import {
  Capabilities,
  CapabilitiesRequest,
  toCapabilities,
  type StoredCapabilities,
} from './capability.schema.ts';
import type { StoredVerification } from './verification.rules.ts';
import {
  CREATED,
  CreateSchema,
  metadataProperty,
  ObjectSchema,
  UPDATED,
  UpdateSchema,
} from '../../platform/http/openapi/object-schemas.ts';
import type { Properties } from '../../platform/store/stored-property.ts';

export const ACCOUNT_METADATA_MAX = 5; // Spec §2.1

export const PayoutSchedule = Type.Enum(['Automatic', 'Manual'], {
  description:
    '`Automatic` pays the available balance out on each business day. `Manual` pays out only when a payout is created, and is for `NonHosted` sub accounts.',
});
export type PayoutSchedule = Static<typeof PayoutSchedule>;

const acceptance = {
  ipAddress: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'IP address from which the terms were accepted',
  }),
  userAgent: Type.Optional(Text('User agent of the browser in which the terms were accepted', 500)),
};

const TermsOfServiceInput = Type.Object({
  acceptance: Type.Object(
    {
      ...acceptance,
      when: Type.Optional(
        Type.Integer({
          minimum: 0,
          description:
            'Time at which the terms were accepted: a Unix timestamp, in seconds. Defaults to the current time.',
        }),
      ),
    },
    { description: 'Acceptance of the terms by the account holder' },
  ),
});

const OnboardingFlow = Type.Enum(['Hosted', 'NonHosted'], {
  description:
    '`Hosted`: the account holder enters the details on a page of this server. `NonHosted`: the platform supplies them with the API.',
});

const TermsOfService = Type.Object(
  {
    acceptance: Type.Object(
      {
        ...acceptance,
        when: withDescription(
          Timestamp,
          'Time at which the terms were accepted: a Unix timestamp, in seconds',
        ),
      },
      { description: 'When, and from where, the terms were accepted' },
    ),
  },
  { description: 'Terms of service that the account holder accepted; absent until then' },
);

const AccountStatus = Type.Enum(['ActionRequired', 'Unverified', 'VerificationPending', 'Verified'], {
  description:
    '`ActionRequired` while verification is `Required` or no payout method is `Valid`, `VerificationPending` while details are being checked, `Verified` once they are accepted, `Unverified` otherwise',
});

const ActionsRequired = Type.Array(
  Type.Object({
    action: Type.Enum(
      [
        'PayoutDetailsRequired',
        'PayoutMethodRequired',
        'PayoutMethodInvalid',
        'VerificationRequired',
        'AccountLocked',
      ],
      { description: 'Code of the action' },
    ),
    description: Type.String({ description: 'Explanation of the action' }),
  }),
  {
    deprecated: true,
    description:
      'Actions that the account holder has to take. Check `frozen`, `verification.status` and the status of the payout methods instead.',
  },
);

const SettingsInput = Type.Object(
  {
    payouts: Type.Optional(
      Type.Object(
        {
          schedule: Type.Optional(
            Type.Object({ type: Type.Optional(PayoutSchedule) }, { description: 'When payouts are made' }),
          ),
        },
        { description: 'Settings of the payouts of the account' },
      ),
    ),
  },
  { description: 'Settings of the account' },
);

const CapabilitiesInput = Type.Partial(CapabilitiesRequest, {
  description:
    'Capabilities to request. On update, a capability that is not named stays as it is; on creation it takes the value of the platform.',
});

const TermsAccepted = withDescription(TermsOfServiceInput, 'Acceptance of the terms of service');

/** An account, the platform's or that of a shop linked to it: Spec §2.3. */
export const ACCOUNT = {
  type: {
    schema: Type.Enum(['Standard', 'Sub'], {
      description: '`Standard` for the platform account, `Sub` for a sub account',
    }),
    column: 'type',
    always: true,
    fixed: true,
  },
  /** The platform that a sub account is linked to; null for a platform. */
  platformId: { schema: Id('account'), column: 'platform_id', owner: true, fixed: true, reply: 'hidden' },
  name: { schema: Type.String(), column: 'name', always: true, fixed: true, reply: 'hidden', searched: true },
  /** What a sandbox control sets. */
  accountSettings: {
    schema: Type.Unsafe<AccountSettings>(Type.Object({})),
    column: 'settings',
    always: true,
    reply: 'hidden',
  },
  status: { reply: AccountStatus },
  actionsRequired: { reply: ActionsRequired },
  frozen: {
    reply: Type.Boolean({ description: 'Whether payouts are disabled. Payments can still be taken.' }),
  },
  email: {
    schema: withDescription(Email, 'Main email address of the account'),
    column: 'email',
    create: Type.Optional(
      withDescription(
        Email,
        'Email address of the account. Required for a `Hosted` account without `entityType`; ignored for a `NonHosted` account.',
      ),
    ),
    searched: true,
  },
  /** The address with which the holder of a Hosted account signs in, in the form in which it is compared. */
  emailKey: { schema: Type.String(), column: 'email_key', reply: 'hidden' },
  onboardingFlow: { schema: OnboardingFlow, column: 'onboarding_flow', create: 'optional', always: true },
  entityType: { schema: EntityType, column: 'entity_type', create: 'optional', update: 'set' },
  business: {
    schema: Type.Unsafe<Business>(Type.Object({})),
    column: 'business',
    create: Type.Optional(BusinessInput),
    update: BusinessChange,
    reply: Business,
    toReply: toBusiness,
  },
  individual: {
    schema: Type.Unsafe<Individual>(Type.Object({})),
    column: 'individual',
    create: Type.Optional(IndividualInput),
    update: IndividualChange,
    reply: Individual,
    toReply: toIndividual,
  },
  documents: {
    update: withDescription(
      DocumentsInput,
      'Documents to add to the block that the entity type selects, like its own `documents`',
    ),
    reply: 'hidden',
  },
  verificationState: {
    schema: Type.Unsafe<StoredVerification>(Type.Object({})),
    column: 'verification',
    always: true,
    reply: 'hidden',
  },
  verification: { reply: AccountVerification },
  metadata: metadataProperty(ACCOUNT_METADATA_MAX),
  payoutSchedule: { schema: PayoutSchedule, column: 'payout_schedule', always: true, reply: 'hidden' },
  settings: {
    create: Type.Optional(SettingsInput),
    update: SettingsInput,
    reply: Type.Object(
      {
        payouts: Type.Object(
          { schedule: Type.Object({ type: PayoutSchedule }, { description: 'When payouts are made' }) },
          { description: 'Settings of the payouts of the account' },
        ),
      },
      { description: 'Settings of the account' },
    ),
  },
  capabilities: {
    schema: Type.Unsafe<StoredCapabilities>(Type.Object({})),
    column: 'capabilities',
    always: true,
    create: Type.Optional(CapabilitiesInput),
    update: CapabilitiesInput,
    reply: Capabilities,
    toReply: toCapabilities,
  },
  termsOfService: {
    schema: TermsOfService,
    column: 'terms',
    create: Type.Optional(TermsAccepted),
    update: TermsAccepted,
  },
  /** What an Individual has been paid out, minor units by currency. */
  paidOut: {
    schema: Type.Unsafe<Partial<Record<string, number>>>(Type.Object({})),
    column: 'paid_out',
    initial: {},
    fixed: true,
    reply: 'hidden',
  },
  createdTimestamp: CREATED,
  lastUpdatedTimestamp: UPDATED,
} as const satisfies Properties;

export const Account = ObjectSchema('account', ACCOUNT, {
  title: 'Account',
  description: 'An account: the platform, or a sub account linked to it',
});
export type AccountResource = Static<typeof Account>;

export const AccountCreate = CreateSchema(ACCOUNT);
export type AccountCreate = Static<typeof AccountCreate>;

/** A change of an account; the block that does not go with its entity type is ignored. */
export const AccountUpdate = UpdateSchema(ACCOUNT);
export type AccountUpdate = Static<typeof AccountUpdate>;
