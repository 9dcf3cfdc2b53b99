import { Refusal } from '../../platform/http/refusals.ts';
import { BusinessChange, IndividualChange, type EntityType } from './account-holder.schema.ts';
import { fileIdsOf } from './document.rules.ts';
import type { Document } from './document.schema.ts';
import { PersonCreate } from './person.schema.ts';
import {
  isIncomplete,
  accountRequirements,
  personRequirements,
  type AccountVerificationInput,
  type PersonVerificationInput,
} from './verification.rules.ts';
import type { VerificationError } from './verification.schema.ts';

/** The field that a failed check refuses when it names none and nothing is missing: it must require something. */
const DEFAULT_ERROR_FIELD: Record<EntityType | 'Person', string> = {
  Business: 'business.registrationNumber',
  Individual: 'individual.dateOfBirth',
  Person: 'dateOfBirth',
};

function defaultErrors(kind: EntityType | 'Person'): VerificationError[] {
  return [{ code: 'InvalidField', id: DEFAULT_ERROR_FIELD[kind], description: 'It could not be confirmed' }];
}

/**
 * Returns the errors of a failed check of an account, with a default one if it would require nothing.
 * @throws Refusal `check_names_nothing` for an error about a field or file that the account does not have.
 */
export function accountCheckErrors(
  account: AccountVerificationInput,
  errors: readonly VerificationError[],
): readonly VerificationError[] {
  const { entityType } = account;
  const isBusiness = entityType === 'Business';
  const fields = isBusiness ? names('business', BusinessChange) : names('individual', IndividualChange);
  const { documents = [] } = (isBusiness ? account.business : account.individual) ?? {};
  refuseUnknownErrorIds(errors, entityType ? fields : [], documents);
  const requiresSomething = errors.length > 0 || isIncomplete(accountRequirements(account));
  return entityType && !requiresSomething ? defaultErrors(entityType) : errors;
}

/**
 * Returns the errors of a failed check of a person, with a default one if it would require nothing.
 * @throws Refusal `check_names_nothing` for an error about a field or file that the person does not have.
 */
export function personCheckErrors(
  person: PersonVerificationInput,
  errors: readonly VerificationError[],
): readonly VerificationError[] {
  const fields = Object.keys(PersonCreate.properties).filter(
    (name) => name !== 'documents' && name !== 'metadata',
  );
  refuseUnknownErrorIds(errors, fields, person.documents);
  return errors.length === 0 && !isIncomplete(personRequirements(person)) ? defaultErrors('Person') : errors;
}

function names(block: string, { properties }: { properties: object }): string[] {
  return Object.keys(properties)
    .filter((name) => name !== 'documents')
    .map((name) => `${block}.${name}`);
}

function refuseUnknownErrorIds(
  errors: readonly VerificationError[],
  fields: readonly string[],
  documents: readonly Document[],
): void {
  const files = fileIdsOf(documents);
  for (const { code, id } of errors) {
    const isField = code === 'InvalidField';
    const known = isField
      ? fields.some((field) => id === field || id.startsWith(`${field}.`))
      : files.includes(id);
    if (!known) throw new Refusal('check_names_nothing', { id, what: isField ? 'field' : 'document' });
  }
}
