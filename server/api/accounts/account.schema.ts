import {
  CreatedTimestamp,
  Email,
  Id,
  LastUpdatedTimestamp,
  Metadata,
  Timestamp,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { Text } from './details.schema.ts';
import { DocumentsInput } from './document.schema.ts';
import { AccountVerification } from './verification.schema.ts';
import {
  Business,
  BusinessChange,
  BusinessInput,
  Individual,
  IndividualChange,
  IndividualInput,
} from './account-holder.schema.ts';
import { Capabilities, CapabilitiesRequest } from './capability.schema.ts';

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
export const EntityType = Type.Enum(['Business', 'Individual'], {
  description:
    'Whether the account belongs to a business or to an individual, which decides the block of details it has. Can change until verification starts.',
});
export type EntityType = Static<typeof EntityType>;

/** What can be said of an account at any time. */
const common = {
  metadata: Type.Optional(Metadata(ACCOUNT_METADATA_MAX)),
  settings: Type.Optional(
    Type.Object(
      {
        payouts: Type.Optional(
          Type.Object(
            {
              schedule: Type.Optional(
                Type.Object(
                  { type: Type.Optional(PayoutSchedule) },
                  { description: 'When payouts are made' },
                ),
              ),
            },
            { description: 'Settings of the payouts of the account' },
          ),
        ),
      },
      { description: 'Settings of the account' },
    ),
  ),
  capabilities: Type.Optional(
    Type.Partial(CapabilitiesRequest, {
      description:
        'Capabilities to request. On update, a capability that is not named stays as it is; on creation it takes the value of the platform.',
    }),
  ),
  termsOfService: Type.Optional(withDescription(TermsOfServiceInput, 'Acceptance of the terms of service')),
};

export const AccountCreate = Type.Object({
  email: Type.Optional(
    withDescription(
      Email,
      'Email address of the account. Required for a `Hosted` account without `entityType`; ignored for a `NonHosted` account.',
    ),
  ),
  onboardingFlow: Type.Optional(OnboardingFlow),
  entityType: Type.Optional(EntityType),
  business: Type.Optional(BusinessInput),
  individual: Type.Optional(IndividualInput),
  ...common,
});
export type AccountCreate = Static<typeof AccountCreate>;

/** A change of an account; the block that does not go with its entity type is ignored. */
export const AccountUpdate = Type.Object({
  entityType: Type.Optional(EntityType),
  business: Type.Optional(BusinessChange),
  individual: Type.Optional(IndividualChange),
  documents: Type.Optional(
    withDescription(
      DocumentsInput,
      'Documents to add to the block that the entity type selects, like its own `documents`',
    ),
  ),
  ...common,
});
export type AccountUpdate = Static<typeof AccountUpdate>;

/** An account, the platform's or that of a shop linked to it: Spec §2.3. */
export const Account = Type.Object(
  {
    id: Id('account'),
    type: Type.Enum(['Standard', 'Sub'], {
      description: '`Standard` for the platform account, `Sub` for a sub account',
    }),
    status: Type.Enum(['ActionRequired', 'Unverified', 'VerificationPending', 'Verified'], {
      description:
        '`ActionRequired` while verification is `Required` or no payout method is `Valid`, `VerificationPending` while details are being checked, `Verified` once they are accepted, `Unverified` otherwise',
    }),
    actionsRequired: Type.Array(
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
    ),
    frozen: Type.Boolean({ description: 'Whether payouts are disabled. Payments can still be taken.' }),
    email: Type.Optional(withDescription(Email, 'Main email address of the account')),
    onboardingFlow: OnboardingFlow,
    entityType: Type.Optional(EntityType),
    business: Type.Optional(Business),
    individual: Type.Optional(Individual),
    verification: AccountVerification,
    metadata: Metadata(ACCOUNT_METADATA_MAX),
    settings: Type.Object(
      {
        payouts: Type.Object(
          { schedule: Type.Object({ type: PayoutSchedule }, { description: 'When payouts are made' }) },
          { description: 'Settings of the payouts of the account' },
        ),
      },
      { description: 'Settings of the account' },
    ),
    capabilities: Capabilities,
    termsOfService: Type.Optional(
      Type.Object(
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
      ),
    ),
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: LastUpdatedTimestamp,
  },
  { title: 'Account', description: 'An account: the platform, or a sub account linked to it' },
);
export type AccountResource = Static<typeof Account>;
