import type { EntityType } from './account.schema.ts';
import type { Business, Individual } from './account-holder.schema.ts';
import { serves } from './document.rules.ts';
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

/** What is kept of a verification; what is lacking is computed from what is there. */
export interface KeptVerification {
  phase: VerificationState;
  errors: VerificationError[];
  /** Said to be verified, whatever is lacking. */
  waived: boolean;
  /** Asked for of somebody of whom it would not be. */
  demanded: boolean;
}

type RequiredDocument = PersonVerification['requiredDocuments'][number];
type RequiredRole = NonNullable<AccountVerification['persons']>['required'][number];

/** What a verification waits for; nothing when everything was supplied. */
export interface Outstanding {
  fields: string[];
  documents: RequiredDocument[];
  roles: RequiredRole[];
  /** Some person's own verification waits for something. */
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

/** A person with one of these roles is verified; a mere contact is not (docs/choices.md, Verification). */
const VERIFIED_ROLES: readonly BusinessRole[] = ['Director', 'UltimateBeneficialOwner'];

export interface AccountFacts {
  entityType: EntityType | undefined;
  business: Business | undefined;
  individual: Individual | undefined;
  kept: KeptVerification;
  persons: readonly PersonFacts[];
}

export interface PersonFacts {
  roles: readonly BusinessRole[];
  documents: readonly Document[];
  kept: KeptVerification;
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
  const serving = new Set<DocumentType>(documents.filter(serves).map(({ type }) => type));
  return required.filter(({ types }) => !types.some((type) => serving.has(type)));
}

/** Fields that were refused are asked for again. */
function refusedFields(errors: readonly VerificationError[]): string[] {
  return errors.filter(({ code }) => code === 'InvalidField').map(({ id }) => id);
}

function missingRoles(persons: readonly PersonFacts[]): RequiredRole[] {
  return BUSINESS_ROLES.filter((role) => !persons.some(({ roles }) => roles.includes(role))).map((role) => ({
    role,
    quantity: 1,
  }));
}

/** What the verification of a person waits for. */
export function outstandingOfPerson({ documents, kept }: PersonFacts): Outstanding {
  return {
    fields: refusedFields(kept.errors),
    documents: missingDocuments(IDENTITY_DOCUMENTS, documents),
    roles: [],
    persons: false,
  };
}

/** What the verification of an account waits for. */
export function outstandingOfAccount(account: AccountFacts): Outstanding {
  const { entityType, kept, persons } = account;
  if (!entityType) return { fields: ['entityType'], documents: [], roles: [], persons: false };
  const isBusiness = entityType === 'Business';
  const block = (isBusiness ? account.business : account.individual) ?? {};
  const fields = new Set([...missingFields(entityType, block), ...refusedFields(kept.errors)]);
  return {
    fields: [...fields],
    documents: missingDocuments(isBusiness ? BUSINESS_DOCUMENTS : IDENTITY_DOCUMENTS, block.documents ?? []),
    roles: isBusiness ? missingRoles(persons) : [],
    persons: isBusiness && persons.some((person) => person.kept.phase === 'required'),
  };
}

export function isLacking({ fields, documents, roles, persons }: Outstanding): boolean {
  return fields.length > 0 || documents.length > 0 || roles.length > 0 || persons;
}

export function isDemandedOfAccount({
  entityType,
  kept,
}: Pick<AccountFacts, 'entityType' | 'kept'>): boolean {
  return entityType !== 'Individual' || kept.demanded;
}

export function isDemandedOfPerson({ roles, kept }: Pick<PersonFacts, 'roles' | 'kept'>): boolean {
  return kept.demanded || roles.some((role) => VERIFIED_ROLES.includes(role));
}

function show(kept: KeptVerification, outstanding: Outstanding): PersonVerification {
  const asks = kept.phase === 'required' || kept.phase === 'pendingVerification';
  return {
    status: statusOfVerification(kept.phase),
    requiredFields: asks ? outstanding.fields.map((name) => ({ name })) : [],
    requiredDocuments: asks ? outstanding.documents : [],
    errors: kept.errors,
  };
}

export function showPersonVerification(person: PersonFacts): PersonVerification {
  return show(person.kept, outstandingOfPerson(person));
}

export function showAccountVerification(account: AccountFacts): AccountVerification {
  const { entityType, kept, persons } = account;
  const outstanding = outstandingOfAccount(account);
  const shown = show(kept, outstanding);
  if (entityType !== 'Business') return { ...shown, persons: { status: 'NotRequired', required: [] } };
  const required = kept.waived ? [] : outstanding.roles;
  return { ...shown, persons: { status: statusOfPersons(kept.waived, persons, required), required } };
}

function statusOfPersons(
  waived: boolean,
  persons: readonly PersonFacts[],
  required: readonly RequiredRole[],
): VerificationStatus {
  if (waived) return 'Verified';
  const phases = persons.map(({ kept }) => kept.phase);
  if (required.length > 0 || phases.includes('required')) return 'Required';
  return phases.includes('pendingVerification') ? 'PendingVerification' : 'Verified';
}

/** Errors that are still so after fields were supplied, by their paths, and documents were given. */
export function openErrors(
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
