import { toTimestamp } from '../../../protocol/clock.ts';
import { raise } from '../webhooks/event-log.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { inheritCapabilities, type AccountProfile } from './account-profile.ts';
import { defaultSettings } from './account-settings.ts';
import { readAccountResource } from './account-view.ts';
import {
  findCapabilities,
  insertAccount,
  requireAccount,
  saveProfile,
  type AccountRow,
  profileOf,
} from './account.records.ts';
import { refuseEntityTypeChange, refuseUntypedBlocks, dropOtherEntityBlock } from './account.rules.ts';
import type { AccountCreate, AccountResource, AccountUpdate } from './account.schema.ts';
import { CAPABILITIES, type StoredCapabilities } from './capability.schema.ts';
import type { Business, BusinessChange, Individual, IndividualChange } from './account-holder.schema.ts';
import type { DocumentInput } from './document.schema.ts';
import { refuseUnusableDocumentFiles } from './attached-files.ts';
import { mergeDocuments } from './document.rules.ts';
import { listPersons } from './person.records.ts';
import { applyAccountChange, INITIAL_VERIFICATION, reviewAccount } from './verification.ts';
import { unresolvedErrors } from './verification.rules.ts';
import { tableOf } from '../../../protocol/tables.ts';

/**
 * Creates a sub account and records `Account.created`. The caller has validated the input.
 * @throws Refusal `not_found` and `file_category` for its documents.
 * @throws UniqueViolation when another Hosted sub account has its e-mail address.
 */
export async function createAccount(
  tx: Transaction,
  services: Services,
  platformId: string,
  given: AccountCreate,
): Promise<AccountResource> {
  const nowMs = services.clock.nowMs();
  const id = services.ids.make('account');
  const { onboardingFlow = 'Hosted', entityType, business, individual } = given;
  // Its documents name files.
  tx.delayReset();
  const capabilities = await findCapabilities(tx, platformId);
  const email = given.email ?? business?.contactEmail ?? individual?.email;
  const empty: AccountProfile = {
    onboardingFlow,
    // Nobody signs in to a NonHosted account (Spec §2.3, email).
    email: onboardingFlow === 'Hosted' ? email : undefined,
    entityType,
    metadata: {},
    payoutSchedule: 'Automatic',
    capabilities: inheritCapabilities(capabilities, nowMs),
    verification: INITIAL_VERIFICATION,
  };
  const profile = changedProfile(empty, given, nowMs);
  const name = nameOf(profile);
  await refuseUnusableDocumentFiles(
    tx,
    [platformId],
    [...(business?.documents ?? []), ...(individual?.documents ?? [])],
  );
  const account = { id, platformId, type: 'Sub', name, settings: defaultSettings(name) } as const;
  await insertAccount(tx, account, nowMs, profile);
  tx.lockRow('accounts', id);
  await reviewAccount(tx, services, id);
  const data = await readAccountResource(tx, await requireAccount(tx, id));
  raise(tx, services, { type: 'Account.created', accountId: id, data });
  return data;
}

/**
 * Updates the details of an account, from the API (NonHosted) or the onboarding page (Hosted).
 * @throws Refusal `entity_type_required`, `entity_type_final`, `document_country`, and `not_found` and
 *   `file_category` for its documents.
 */
export async function changeAccount(
  tx: Transaction,
  services: Services,
  accountId: string,
  update: AccountUpdate,
): Promise<void> {
  tx.lockRow('accounts', accountId);
  await applyAccountChange(tx, services, accountId, async () => {
    const row = await requireAccount(tx, accountId);
    const profile = profileOf(row);
    const entityType = update.entityType ?? profile.entityType;
    refuseUntypedBlocks(entityType, update);
    const change = dropOtherEntityBlock(entityType, update);
    const persons = await listPersons(tx, accountId);
    refuseEntityTypeChange(profile, change.entityType, { hasPersons: persons.length > 0 });
    const documents = [change.documents, change.business?.documents, change.individual?.documents];
    await refuseUnusableDocumentFiles(
      tx,
      fileOwnerIds(row),
      documents.flatMap((each) => each ?? []),
    );
    const nowMs = services.clock.nowMs();
    await saveProfile(tx, accountId, changedProfile(profile, change, nowMs), nowMs);
  });
}

/** Returns the accounts whose files an account may use as documents: itself and its platform. */
export function fileOwnerIds({
  id,
  platform_id: platformId,
}: Pick<AccountRow, 'id' | 'platform_id'>): string[] {
  return platformId === null ? [id] : [id, platformId];
}

function changedProfile(profile: AccountProfile, change: AccountUpdate, nowMs: number): AccountProfile {
  const { entityType = profile.entityType, settings, capabilities, termsOfService: terms } = change;
  const isOther = profile.entityType !== undefined && entityType !== profile.entityType;
  const past = isOther ? { ...profile, business: undefined, individual: undefined } : profile;
  const documents = change.documents ?? [];
  const { business, individual } = change;
  const next: AccountProfile = {
    ...past,
    entityType,
    ...(entityType === 'Business' &&
      (business || documents.length > 0) && {
        business: changedBlock(past.business, business ?? {}, documents, nowMs),
      }),
    ...(entityType === 'Individual' &&
      (individual || documents.length > 0) && {
        individual: changedBlock(past.individual, individual ?? {}, documents, nowMs),
      }),
    metadata: change.metadata ?? profile.metadata,
    payoutSchedule: settings?.payouts?.schedule?.type ?? profile.payoutSchedule,
    capabilities: changedCapabilities(profile.capabilities, capabilities ?? {}, nowMs),
    termsOfService: terms
      ? { acceptance: { ...terms.acceptance, when: terms.acceptance.when ?? toTimestamp(nowMs) } }
      : profile.termsOfService,
  };
  return { ...next, verification: isOther ? INITIAL_VERIFICATION : withOpenErrors(next, change) };
}

/** Returns the verification without the errors of fields and documents that the change supplies again. */
function withOpenErrors(profile: AccountProfile, change: AccountUpdate): AccountProfile['verification'] {
  const { verification, business, individual } = profile;
  const supplied = [
    ...Object.keys(change.business ?? {}).map((name) => `business.${name}`),
    ...Object.keys(change.individual ?? {}).map((name) => `individual.${name}`),
  ];
  const documents = [...(business?.documents ?? []), ...(individual?.documents ?? [])];
  return { ...verification, errors: unresolvedErrors(verification.errors, supplied, documents) };
}

function changedBlock(
  past: Business | undefined,
  change: BusinessChange,
  accountDocuments: readonly DocumentInput[],
  nowMs: number,
): Business;
function changedBlock(
  past: Individual | undefined,
  change: IndividualChange,
  accountDocuments: readonly DocumentInput[],
  nowMs: number,
): Individual;
function changedBlock(
  past: Business | Individual | undefined,
  change: BusinessChange | IndividualChange,
  accountDocuments: readonly DocumentInput[],
  nowMs: number,
): Business | Individual {
  const { documents = [], ...fields } = change;
  const all = mergeDocuments(past?.documents ?? [], [...documents, ...accountDocuments], nowMs);
  return { ...past, ...fields, ...(all.length > 0 && { documents: all }) };
}

function changedCapabilities(
  current: StoredCapabilities,
  update: NonNullable<AccountUpdate['capabilities']>,
  nowMs: number,
): StoredCapabilities {
  return tableOf(CAPABILITIES, (name) => {
    const requested = update[name]?.requested;
    const same = requested === undefined || requested === current[name].requested;
    return same ? current[name] : { requested, sinceMs: nowMs };
  });
}

/** Returns the name of an account for its settings and statements; the API has no field for it. */
function nameOf({ business, individual, email }: AccountProfile): string {
  const person = [individual?.firstName, individual?.lastName].filter((name) => name !== undefined).join(' ');
  return business?.tradingName ?? business?.name ?? (person || (email ?? 'Sub account'));
}
