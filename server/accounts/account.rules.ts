import { Refusal } from '../http/refusals.ts';
import { documentsOf, type AccountProfile } from './account-profile.ts';
import type { AccountCreate, AccountUpdate, EntityType } from './account.schema.ts';

const BLOCKS: Record<EntityType, 'business' | 'individual'> = {
  Business: 'business',
  Individual: 'individual',
};

/** What a new account has to say of itself, by its flow and its entity type (Spec §2.3). */
export function refuseIncomplete(account: AccountCreate): void {
  const { onboardingFlow = 'Hosted', entityType, email } = account;
  refuseStrayBlocks(entityType, account);
  if (onboardingFlow === 'NonHosted') return;
  if (!entityType) {
    if (email === undefined) throw new Refusal('email_required');
    return;
  }
  const block = BLOCKS[entityType];
  if (!account[block]) throw new Refusal('block_required', { block, entityType });
}

/** A block goes with its entity type and with no other (Spec §4.3). */
export function refuseStrayBlocks(
  entityType: EntityType | undefined,
  { business, individual, documents }: Pick<AccountUpdate, 'business' | 'individual' | 'documents'>,
): void {
  // One client library sends an empty list of documents along with whatever else it changes.
  const given = [business && 'business', individual && 'individual', documents?.length && 'documents'].filter(
    (block) => typeof block === 'string',
  );
  for (const block of given) {
    if (!entityType) throw new Refusal('entity_type_required', { block });
    if (block !== 'documents' && block !== BLOCKS[entityType]) {
      throw new Refusal('block_mismatch', { block, entityType });
    }
  }
}

/** An account stays what it is once somebody could have looked at it (docs/choices.md, Entity type). */
export function refuseLateChange(
  profile: AccountProfile,
  entityType: EntityType | undefined,
  { hasPersons }: { hasPersons: boolean },
): void {
  if (!entityType || !profile.entityType || entityType === profile.entityType) return;
  const { phase } = profile.verification;
  const begun = phase === 'pendingVerification' || phase === 'verified';
  if (begun || hasPersons || documentsOf(profile).length > 0) throw new Refusal('entity_type_final');
}

/** Where somebody goes back to after a page of ours (docs/choices.md, Account links). */
export function refuseInsecure(redirectUrl: string): void {
  if (!URL.canParse(redirectUrl) || !redirectUrl.startsWith('https://')) {
    throw new Refusal('invalid_field', { field: 'redirectUrl', problem: 'must be an https URL' });
  }
}
