import { Type, type Static } from '../../../protocol/schema.ts';
import { DOCUMENT_CATEGORIES, DOCUMENT_TYPES, type DocumentCategory } from './document.schema.ts';

export const VerificationStatus = Type.Enum(['NotRequired', 'Required', 'PendingVerification', 'Verified']);
export type VerificationStatus = Static<typeof VerificationStatus>;

export const BUSINESS_ROLES = ['BusinessContact', 'Director', 'UltimateBeneficialOwner'] as const;
export type BusinessRole = (typeof BUSINESS_ROLES)[number];

export const VerificationError = Type.Object(
  {
    code: Type.Enum(['InvalidDocument', 'InvalidField']),
    id: Type.String({ description: 'The id of the file, or the path of the field, that was refused' }),
    description: Type.String(),
  },
  { title: 'VerificationError' },
);
export type VerificationError = Static<typeof VerificationError>;

export const RequiredField = Type.Object({ name: Type.String({ description: 'Dotted path of a field' }) });

export const RequiredDocument = Type.Object({
  category: Type.Enum(Object.keys(DOCUMENT_CATEGORIES) as DocumentCategory[]),
  types: Type.Array(Type.Enum(DOCUMENT_TYPES), { description: 'Any of these types serves' }),
  quantity: Type.Integer(),
});

const members = {
  status: VerificationStatus,
  requiredFields: Type.Array(RequiredField, { description: 'Fields to supply, or to supply anew' }),
  requiredDocuments: Type.Array(RequiredDocument, { description: 'Documents to supply, or to supply anew' }),
  errors: Type.Array(VerificationError, { description: 'What was supplied and refused' }),
};

/** How far the verification of a person has come: Spec §2.4. */
export const PersonVerification = Type.Object(members, { title: 'PersonVerification' });
export type PersonVerification = Static<typeof PersonVerification>;

/** How far the verification of an account has come: Spec §2.3. */
export const AccountVerification = Type.Object(
  {
    ...members,
    persons: Type.Object(
      {
        status: VerificationStatus,
        required: Type.Array(
          Type.Object({ role: Type.Enum([...BUSINESS_ROLES]), quantity: Type.Integer() }),
          { description: 'Persons to add; one person can have more than one role' },
        ),
      },
      { description: 'NotRequired, with an empty list, unless the account is a Business' },
    ),
  },
  { title: 'AccountVerification' },
);
export type AccountVerification = Static<typeof AccountVerification>;
