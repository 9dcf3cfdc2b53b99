import { Refusal } from '../../platform/http/refusals.ts';
import type { AccountRow } from './account.records.ts';
import type { PersonFacts } from './verification.rules.ts';
import type { BusinessRole } from './verification.schema.ts';

// Spec §4.4.
const PERSONS_MAX = 9;
const ROLE_MAX: Record<BusinessRole, number> = {
  Director: 5,
  UltimateBeneficialOwner: 4,
  BusinessContact: 1,
};

export function refuseWithoutBusiness({ entity_type }: Pick<AccountRow, 'entity_type'>): void {
  if (entity_type !== 'Business') throw new Refusal('persons_of_business');
}

/** How many persons an account would have, and in which roles (Spec §4.4, §8). */
export function refusePersonLimits(persons: readonly Pick<PersonFacts, 'roles'>[]): void {
  if (persons.length > PERSONS_MAX)
    throw new Refusal('persons_limit', { most: PERSONS_MAX, what: 'persons' });
  for (const [role, most] of Object.entries(ROLE_MAX) as [BusinessRole, number][]) {
    const having = persons.filter(({ roles }) => roles.includes(role)).length;
    if (having > most) {
      throw new Refusal('persons_limit', {
        most,
        what: `${most === 1 ? 'person' : 'persons'} with the role ${role}`,
      });
    }
  }
}

/** Only somebody whom nobody has looked at yet can be taken away (Spec §4.4). */
export function refuseDeletingInVerification({ kept }: Pick<PersonFacts, 'kept'>): void {
  if (kept.phase !== 'notRequired' && kept.phase !== 'required') throw new Refusal('person_in_verification');
}
