import { Type, withDescription, type Static } from '../../../protocol/schema.ts';
import { DOCUMENT_CATEGORIES, DOCUMENT_TYPES } from './document.schema.ts';
import { keysOf } from '../../../protocol/tables.ts';

export const VerificationStatus = Type.Enum(['NotRequired', 'Required', 'PendingVerification', 'Verified'], {
  description:
    '`Required` while details or documents are missing, `PendingVerification` while they are being checked, `Verified` once they are accepted, `NotRequired` when none are requested',
});
export type VerificationStatus = Static<typeof VerificationStatus>;

export const BUSINESS_ROLES = ['BusinessContact', 'Director', 'UltimateBeneficialOwner'] as const;
export type BusinessRole = (typeof BUSINESS_ROLES)[number];

export const VerificationError = Type.Object(
  {
    code: Type.Enum(['InvalidDocument', 'InvalidField'], {
      description: 'What was refused: a document or a field',
    }),
    id: Type.String({ description: 'Id of the file, or dotted path of the field, that was refused' }),
    description: Type.String({ description: 'Reason for the refusal' }),
  },
  { title: 'VerificationError', description: 'Reason why a detail or document was refused' },
);
export type VerificationError = Static<typeof VerificationError>;

export const RequiredField = Type.Object({
  name: Type.String({ description: 'Dotted path of the field, such as `business.registrationDate`' }),
});

export const RequiredDocument = Type.Object({
  category: Type.Enum(keysOf(DOCUMENT_CATEGORIES), {
    description: 'What the document has to prove',
  }),
  types: Type.Array(Type.Enum(DOCUMENT_TYPES), {
    description: 'Document types that are accepted; any of them will do',
  }),
  quantity: Type.Integer({ description: 'Number of documents to supply' }),
});

const members = {
  status: VerificationStatus,
  requiredFields: Type.Array(RequiredField, { description: 'Fields to supply, or to supply again' }),
  requiredDocuments: Type.Array(RequiredDocument, { description: 'Documents to supply, or to supply again' }),
  errors: Type.Array(VerificationError, { description: 'Details and documents that were refused' }),
};

/** How far the verification of a person has come: Spec §2.4. */
export const PersonVerification = Type.Object(members, {
  title: 'PersonVerification',
  description: 'Verification of the person',
});
export type PersonVerification = Static<typeof PersonVerification>;

/** How far the verification of an account has come: Spec §2.3. */
export const AccountVerification = Type.Object(
  {
    ...members,
    persons: Type.Object(
      {
        status: withDescription(
          VerificationStatus,
          '`Required` while persons are missing or have details to supply, `PendingVerification` while they are being checked, `Verified` once they are accepted, `NotRequired` when none are requested',
        ),
        required: Type.Array(
          Type.Object({
            role: Type.Enum([...BUSINESS_ROLES], { description: 'Role that a person is missing for' }),
            quantity: Type.Integer({ description: 'Number of persons to add with this role' }),
          }),
          { description: 'Persons to add. One person can have several of the roles.' },
        ),
      },
      {
        description:
          'Verification of the persons behind the business. `NotRequired`, with an empty list, unless the account is a `Business`.',
      },
    ),
  },
  { title: 'AccountVerification', description: 'Verification of the account' },
);
export type AccountVerification = Static<typeof AccountVerification>;
