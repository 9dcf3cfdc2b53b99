import { Refusal } from '../../platform/http/refusals.ts';
import type { AccountRow } from './account.records.ts';
import type { PersonVerificationInput } from './verification.rules.ts';
import type { BusinessRole } from './verification.schema.ts';
import { entriesOf } from '../../../protocol/tables.ts';

// Spec §4.4.
const PERSONS_MAX = 9;
const ROLE_MAX: Record<BusinessRole, number> = {
  Director: 5,
  UltimateBeneficialOwner: 4,
  BusinessContact: 1,
};

/** @throws Refusal `persons_of_business` for an account that is not a Business. */
export function refuseNonBusiness({ entity_type }: Pick<AccountRow, 'entity_type'>): void {
  if (entity_type !== 'Business') throw new Refusal('persons_of_business');
}

/** @throws Refusal `persons_limit` for too many persons, or too many with one role (Spec §4.4, §8). */
export function refusePersonLimits(persons: readonly Pick<PersonVerificationInput, 'roles'>[]): void {
  if (persons.length > PERSONS_MAX)
    throw new Refusal('persons_limit', { most: PERSONS_MAX, what: 'persons' });
  for (const [role, most] of entriesOf(ROLE_MAX)) {
    const having = persons.filter(({ roles }) => roles.includes(role)).length;
    if (having > most) {
      throw new Refusal('persons_limit', {
        most,
        what: `${most === 1 ? 'person' : 'persons'} with the role ${role}`,
      });
    }
  }
}

/** @throws Refusal `person_in_verification` once the check of a person has begun (Spec §4.4). */
export function refuseDeletionDuringVerification({
  verification,
}: Pick<PersonVerificationInput, 'verification'>): void {
  if (verification.phase !== 'notRequired' && verification.phase !== 'required')
    throw new Refusal('person_in_verification');
}
