import { Refusal } from '../../platform/http/refusals.ts';
import type { EntityType } from './account.schema.ts';
import { BusinessChange, IndividualChange } from './account-holder.schema.ts';
import { fileIdsOf } from './document.rules.ts';
import type { Document } from './document.schema.ts';
import { PersonCreate } from './person.schema.ts';
import {
  isLacking,
  outstandingOfAccount,
  outstandingOfPerson,
  type AccountFacts,
  type PersonFacts,
} from './verification.rules.ts';
import type { VerificationError } from './verification.schema.ts';

/** What is refused when a refusal names nothing and nothing is lacking: it has to ask for something. */
const USUAL_ERROR: Record<EntityType | 'Person', string> = {
  Business: 'business.registrationNumber',
  Individual: 'individual.dateOfBirth',
  Person: 'dateOfBirth',
};

function usualErrors(kind: EntityType | 'Person'): VerificationError[] {
  return [{ code: 'InvalidField', id: USUAL_ERROR[kind], description: 'It could not be confirmed' }];
}

/** The errors of a refusal of an account. @throws Refusal `check_names_nothing`. */
export function errorsForAccount(
  account: AccountFacts,
  errors: readonly VerificationError[],
): readonly VerificationError[] {
  const { entityType } = account;
  const isBusiness = entityType === 'Business';
  const fields = isBusiness ? names('business', BusinessChange) : names('individual', IndividualChange);
  const { documents = [] } = (isBusiness ? account.business : account.individual) ?? {};
  refuseErrorsAboutNothing(errors, entityType ? fields : [], documents);
  const asksAlready = errors.length > 0 || isLacking(outstandingOfAccount(account));
  return entityType && !asksAlready ? usualErrors(entityType) : errors;
}

/** The errors of a refusal of a person. @throws Refusal `check_names_nothing`. */
export function errorsForPerson(
  person: PersonFacts,
  errors: readonly VerificationError[],
): readonly VerificationError[] {
  const fields = Object.keys(PersonCreate.properties).filter(
    (name) => name !== 'documents' && name !== 'metadata',
  );
  refuseErrorsAboutNothing(errors, fields, person.documents);
  return errors.length === 0 && !isLacking(outstandingOfPerson(person)) ? usualErrors('Person') : errors;
}

function names(block: string, { properties }: { properties: object }): string[] {
  return Object.keys(properties)
    .filter((name) => name !== 'documents')
    .map((name) => `${block}.${name}`);
}

function refuseErrorsAboutNothing(
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
