import { Refusal } from '../../platform/http/refusals.ts';
import { documentsOf, type AccountProfile } from './account-profile.ts';
import type { EntityType } from './account-holder.schema.ts';
import type { AccountCreate, AccountUpdate } from './account.schema.ts';

const BLOCKS: Record<EntityType, 'business' | 'individual'> = {
  Business: 'business',
  Individual: 'individual',
};

/**
 * Validates a new account by its onboarding flow and entity type (Spec §2.3).
 * @throws Refusal `email_required`, `block_required`, `block_mismatch` or `entity_type_required`.
 */
export function refuseIncomplete(account: AccountCreate): void {
  const { onboardingFlow = 'Hosted', entityType, email } = account;
  refuseUntypedBlocks(entityType, account);
  refuseOtherBlock(entityType, account);
  if (onboardingFlow === 'NonHosted') return;
  if (!entityType) {
    if (email === undefined) throw new Refusal('email_required');
    return;
  }
  const block = BLOCKS[entityType];
  if (!account[block]) throw new Refusal('block_required', { block, entityType });
}

type Blocks = Pick<AccountUpdate, 'business' | 'individual' | 'documents'>;

/** @throws Refusal `entity_type_required` for blocks of an account without an entity type (Spec §4.3). */
export function refuseUntypedBlocks(entityType: EntityType | undefined, blocks: Blocks): void {
  if (entityType) return;
  const [block] = blocksIn(blocks);
  if (block) throw new Refusal('entity_type_required', { block });
}

function blocksIn({ business, individual, documents }: Blocks): string[] {
  // One client library sends an empty list of documents with every update.
  return [business && 'business', individual && 'individual', documents?.length && 'documents'].filter(
    (block) => typeof block === 'string',
  );
}

function refuseOtherBlock(entityType: EntityType | undefined, account: AccountCreate): void {
  if (!entityType) return;
  const block = entityType === 'Business' ? 'individual' : 'business';
  if (account[block]) throw new Refusal('block_mismatch', { block, entityType });
}

/** Returns the names of the blocks that an update of an account of this entity type ignores, also when they are malformed. */
export function otherBlocks(entityType: unknown): readonly string[] {
  if (entityType === 'Business') return [BLOCKS.Individual];
  return entityType === 'Individual' ? [BLOCKS.Business] : [];
}

/** Returns an update without the block of the other entity type. Samples of client libraries send both. */
export function dropOtherEntityBlock(
  entityType: EntityType | undefined,
  change: AccountUpdate,
): AccountUpdate {
  const { business, individual, ...rest } = change;
  return {
    ...rest,
    ...(entityType === 'Business' && business && { business }),
    ...(entityType === 'Individual' && individual && { individual }),
  };
}

/** @throws Refusal `entity_type_final` once verification has begun (docs/choices.md, Entity type). */
export function refuseEntityTypeChange(
  profile: AccountProfile,
  entityType: EntityType | undefined,
  { hasPersons }: { hasPersons: boolean },
): void {
  if (!entityType || !profile.entityType || entityType === profile.entityType) return;
  const { phase } = profile.verification;
  const begun = phase === 'pendingVerification' || phase === 'verified';
  if (begun || hasPersons || documentsOf(profile).length > 0) throw new Refusal('entity_type_final');
}

/** @throws Refusal `invalid_field` for a redirect URL that is not https (docs/choices.md, Account links). */
export function refuseInsecureUrl(redirectUrl: string): void {
  if (!URL.canParse(redirectUrl) || !redirectUrl.startsWith('https://')) {
    throw new Refusal('invalid_field', { field: 'redirectUrl', problem: 'must be an https URL' });
  }
}
