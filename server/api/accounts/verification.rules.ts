import type { Business, EntityType, Individual } from './account-holder.schema.ts';
import { isAcceptable } from './document.rules.ts';
import { DOCUMENT_CATEGORIES, type Document, type DocumentType } from './document.schema.ts';
import { statusOfVerification, type VerificationState } from './verification.machine.ts';
import {
  BUSINESS_ROLES,
  type AccountVerification,
  type BusinessRole,
  type PersonVerification,
  type VerificationError,
  type VerificationStatus,
} from './verification.schema.ts';

/** A verification as stored; its requirements are computed. */
export interface StoredVerification {
  phase: VerificationState;
  errors: VerificationError[];
  /** Verified by a sandbox control, whatever is missing. */
  waived: boolean;
  /** Required although the entity type or the roles do not require it. */
  demanded: boolean;
}

type RequiredDocument = PersonVerification['requiredDocuments'][number];
type RequiredRole = NonNullable<AccountVerification['persons']>['required'][number];

/** What a verification still requires. */
export interface VerificationRequirements {
  fields: string[];
  documents: RequiredDocument[];
  roles: RequiredRole[];
  /** Whether the verification of a person still requires something. */
  persons: boolean;
}

const ADDRESS_MEMBERS = ['lineOne', 'city', 'country', 'postalCode'] as const;

const REQUIRED_FIELDS: Record<EntityType, readonly string[]> = {
  Business: ['name', 'type', 'registrationNumber', 'registrationDate', 'contactEmail', 'phoneNumber'],
  Individual: ['firstName', 'lastName', 'email', 'dateOfBirth', 'gender', 'nationalities', 'phoneNumber'],
};
const REQUIRED_ADDRESS: Record<EntityType, string> = { Business: 'registeredAddress', Individual: 'address' };

// The sets of documents: docs/choices.md, Verification.
const BUSINESS_DOCUMENTS: RequiredDocument[] = [
  { category: 'ProofOfBusiness', types: ['BusinessRegistration'], quantity: 1 },
];
const IDENTITY_DOCUMENTS: RequiredDocument[] = [
  { category: 'ProofOfIdentity', types: [...DOCUMENT_CATEGORIES.ProofOfIdentity], quantity: 1 },
];

/** Roles whose persons must be verified; a contact need not be (docs/choices.md, Verification). */
const VERIFIED_ROLES: readonly BusinessRole[] = ['Director', 'UltimateBeneficialOwner'];

export interface AccountVerificationInput {
  entityType: EntityType | undefined;
  business: Business | undefined;
  individual: Individual | undefined;
  verification: StoredVerification;
  persons: readonly PersonVerificationInput[];
}

export interface PersonVerificationInput {
  roles: readonly BusinessRole[];
  documents: readonly Document[];
  verification: StoredVerification;
}

function missingFields(entityType: EntityType, block: object): string[] {
  const prefix = entityType === 'Business' ? 'business' : 'individual';
  const fields = block as Record<string, unknown>;
  const address = REQUIRED_ADDRESS[entityType];
  const given = (fields[address] ?? {}) as Record<string, unknown>;
  return [
    ...REQUIRED_FIELDS[entityType].filter((name) => fields[name] === undefined),
    ...ADDRESS_MEMBERS.filter((name) => given[name] === undefined).map((name) => `${address}.${name}`),
  ].map((name) => `${prefix}.${name}`);
}

function missingDocuments(
  required: readonly RequiredDocument[],
  documents: readonly Document[],
): RequiredDocument[] {
  const serving = new Set<DocumentType>(documents.filter(isAcceptable).map(({ type }) => type));
  return required.filter(({ types }) => !types.some((type) => serving.has(type)));
}

/** Returns the fields that a check refused, which are required again. */
function refusedFields(errors: readonly VerificationError[]): string[] {
  return errors.filter(({ code }) => code === 'InvalidField').map(({ id }) => id);
}

function missingRoles(persons: readonly PersonVerificationInput[]): RequiredRole[] {
  return BUSINESS_ROLES.filter((role) => !persons.some(({ roles }) => roles.includes(role))).map((role) => ({
    role,
    quantity: 1,
  }));
}

/** Returns what the verification of a person still requires. */
export function personRequirements({
  documents,
  verification,
}: PersonVerificationInput): VerificationRequirements {
  return {
    fields: refusedFields(verification.errors),
    documents: missingDocuments(IDENTITY_DOCUMENTS, documents),
    roles: [],
    persons: false,
  };
}

/** Returns what the verification of an account still requires. */
export function accountRequirements(account: AccountVerificationInput): VerificationRequirements {
  const { entityType, verification, persons } = account;
  if (!entityType) return { fields: ['entityType'], documents: [], roles: [], persons: false };
  const isBusiness = entityType === 'Business';
  const block = (isBusiness ? account.business : account.individual) ?? {};
  const fields = new Set([...missingFields(entityType, block), ...refusedFields(verification.errors)]);
  return {
    fields: [...fields],
    documents: missingDocuments(isBusiness ? BUSINESS_DOCUMENTS : IDENTITY_DOCUMENTS, block.documents ?? []),
    roles: isBusiness ? missingRoles(persons) : [],
    persons: isBusiness && persons.some((person) => person.verification.phase === 'required'),
  };
}

/** Returns whether anything is still required. */
export function isIncomplete({ fields, documents, roles, persons }: VerificationRequirements): boolean {
  return fields.length > 0 || documents.length > 0 || roles.length > 0 || persons;
}

/** Returns whether an account must be verified: a Business always, an Individual once it was demanded. */
export function isAccountVerificationRequired({
  entityType,
  verification,
}: Pick<AccountVerificationInput, 'entityType' | 'verification'>): boolean {
  return entityType !== 'Individual' || verification.demanded;
}

/** Returns whether a person must be verified: by role, or once it was demanded. */
export function isPersonVerificationRequired({
  roles,
  verification,
}: Pick<PersonVerificationInput, 'roles' | 'verification'>): boolean {
  return verification.demanded || roles.some((role) => VERIFIED_ROLES.includes(role));
}

function toVerification(
  verification: StoredVerification,
  requirements: VerificationRequirements,
): PersonVerification {
  const isOpen = verification.phase === 'required' || verification.phase === 'pendingVerification';
  return {
    status: statusOfVerification(verification.phase),
    requiredFields: isOpen ? requirements.fields.map((name) => ({ name })) : [],
    requiredDocuments: isOpen ? requirements.documents : [],
    errors: verification.errors,
  };
}

/** Returns the verification of a person as the API shows it. */
export function toPersonVerification(person: PersonVerificationInput): PersonVerification {
  return toVerification(person.verification, personRequirements(person));
}

/** Returns the verification of an account as the API shows it. */
export function toAccountVerification(account: AccountVerificationInput): AccountVerification {
  const { entityType, verification, persons } = account;
  const requirements = accountRequirements(account);
  const shown = toVerification(verification, requirements);
  if (entityType !== 'Business') return { ...shown, persons: { status: 'NotRequired', required: [] } };
  const required = verification.waived ? [] : requirements.roles;
  return { ...shown, persons: { status: statusOfPersons(verification.waived, persons, required), required } };
}

function statusOfPersons(
  waived: boolean,
  persons: readonly PersonVerificationInput[],
  required: readonly RequiredRole[],
): VerificationStatus {
  if (waived) return 'Verified';
  const phases = persons.map(({ verification }) => verification.phase);
  if (required.length > 0 || phases.includes('required')) return 'Required';
  return phases.includes('pendingVerification') ? 'PendingVerification' : 'Verified';
}

/**
 * Returns the errors that remain after an update.
 * @param supplied Paths of the fields in the update.
 * @param documents All documents after the update.
 */
export function unresolvedErrors(
  errors: readonly VerificationError[],
  supplied: readonly string[],
  documents: readonly Document[],
): VerificationError[] {
  return errors.filter(({ code, id }) =>
    code === 'InvalidField'
      ? !supplied.some((path) => id === path || id.startsWith(`${path}.`))
      : documents.some(({ status, front, back }) => status === 'Invalid' && (front === id || back === id)),
  );
}
