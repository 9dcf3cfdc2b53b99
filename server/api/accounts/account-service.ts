import { toTimestamp } from '../../../protocol/clock.ts';
import { raise } from '../webhooks/event-log.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { capabilitiesLike, type AccountProfile, type KeptCapabilities } from './account-profile.ts';
import { readAccount } from './account-view.ts';
import {
  defaultSettings,
  findAccountRow,
  findCapabilities,
  insertAccount,
  saveProfile,
  type AccountRow,
  profileOf,
} from './account.records.ts';
import { refuseLateChange, refuseUntypedBlocks, withoutOtherBlock } from './account.rules.ts';
import type { AccountCreate, AccountShown, AccountUpdate } from './account.schema.ts';
import { CAPABILITIES } from './capability.schema.ts';
import type { Business, BusinessChange, Individual, IndividualChange } from './account-holder.schema.ts';
import { refuseUnusableFiles } from './attached-files.ts';
import { withDocuments } from './document.rules.ts';
import { listPersons } from './person.records.ts';
import { changingAccount, NOT_BEGUN, reviewAccount } from './verification.ts';
import { openErrors } from './verification.rules.ts';

/**
 * Makes a sub account; what it has to say was found complete.
 * @throws Refusal `not_found` and `file_category` for its documents.
 * @throws UniqueViolation when another sub account signs in with its e-mail address.
 */
export async function createAccount(
  tx: Transaction,
  services: Services,
  platformId: string,
  given: AccountCreate,
): Promise<AccountShown> {
  const nowMs = services.clock.nowMs();
  const id = services.ids.make('account');
  const { onboardingFlow = 'Hosted', entityType, business, individual } = given;
  const email = given.email ?? business?.contactEmail ?? individual?.email;
  const empty: AccountProfile = {
    onboardingFlow,
    // A NonHosted account has nobody who signs in (Spec §2.3, email).
    email: onboardingFlow === 'Hosted' ? email : undefined,
    entityType,
    metadata: {},
    payoutSchedule: 'Automatic',
    capabilities: capabilitiesLike(await findCapabilities(tx, platformId), nowMs),
    verification: NOT_BEGUN,
  };
  const profile = changedProfile(empty, given, nowMs);
  const name = nameOf(profile);
  await refuseUnusableFiles(
    tx,
    [platformId],
    [...(business?.documents ?? []), ...(individual?.documents ?? [])],
  );
  const account = { id, platformId, type: 'Sub', name, settings: defaultSettings(name) } as const;
  await insertAccount(tx, account, nowMs, profile);
  await reviewAccount(tx, services, id);
  const data = await readAccount(tx, (await findAccountRow(tx, id))!);
  raise(tx, services, { type: 'Account.created', accountId: id, data });
  return data;
}

/**
 * Changes what an account has to say of itself, whoever says it: the API of a NonHosted one, the page of a Hosted.
 * @throws Refusal of the change, and `not_found` and `file_category` for its documents.
 */
export async function changeAccount(
  tx: Transaction,
  services: Services,
  accountId: string,
  asked: AccountUpdate,
): Promise<void> {
  await changingAccount(tx, services, accountId, async () => {
    const row = (await findAccountRow(tx, accountId))!;
    const profile = profileOf(row);
    const entityType = asked.entityType ?? profile.entityType;
    refuseUntypedBlocks(entityType, asked);
    const change = withoutOtherBlock(entityType, asked);
    const persons = await listPersons(tx, accountId);
    refuseLateChange(profile, change.entityType, { hasPersons: persons.length > 0 });
    const documents = [change.documents, change.business?.documents, change.individual?.documents];
    await refuseUnusableFiles(
      tx,
      ownersOf(row),
      documents.flatMap((each) => each ?? []),
    );
    const nowMs = services.clock.nowMs();
    await saveProfile(tx, accountId, changedProfile(profile, change, nowMs), nowMs);
  });
}

/** Whose files an account may show: its own, and those that its platform uploaded for it. */
export function ownersOf({ id, platform_id: platformId }: Pick<AccountRow, 'id' | 'platform_id'>): string[] {
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
    terms: terms
      ? { acceptance: { ...terms.acceptance, when: terms.acceptance.when ?? toTimestamp(nowMs) } }
      : profile.terms,
  };
  return { ...next, verification: isOther ? NOT_BEGUN : withOpenErrors(next, change) };
}

/** What was refused and is now supplied anew is refused no more. */
function withOpenErrors(profile: AccountProfile, change: AccountUpdate): AccountProfile['verification'] {
  const { verification, business, individual } = profile;
  const supplied = [
    ...Object.keys(change.business ?? {}).map((name) => `business.${name}`),
    ...Object.keys(change.individual ?? {}).map((name) => `individual.${name}`),
  ];
  const documents = [...(business?.documents ?? []), ...(individual?.documents ?? [])];
  return { ...verification, errors: openErrors(verification.errors, supplied, documents) };
}

type Given = NonNullable<AccountUpdate['documents']>;

function changedBlock(
  past: Business | undefined,
  change: BusinessChange,
  more: Given,
  nowMs: number,
): Business;
function changedBlock(
  past: Individual | undefined,
  change: IndividualChange,
  more: Given,
  nowMs: number,
): Individual;
function changedBlock(
  past: Business | Individual | undefined,
  change: BusinessChange | IndividualChange,
  more: Given,
  nowMs: number,
): Business | Individual {
  const { documents = [], ...fields } = change;
  const all = withDocuments(past?.documents ?? [], [...documents, ...more], nowMs);
  return { ...past, ...fields, ...(all.length > 0 && { documents: all }) };
}

function changedCapabilities(
  kept: KeptCapabilities,
  asked: NonNullable<AccountUpdate['capabilities']>,
  nowMs: number,
): KeptCapabilities {
  const entries = CAPABILITIES.map((name) => {
    const requested = asked[name]?.requested;
    const same = requested === undefined || requested === kept[name].requested;
    return [name, same ? kept[name] : { requested, sinceMs: nowMs }];
  });
  return Object.fromEntries(entries) as KeptCapabilities;
}

/** What an account is called where the API shows no name: in its settings and on statements. */
function nameOf({ business, individual, email }: AccountProfile): string {
  const person = [individual?.firstName, individual?.lastName].filter((name) => name !== undefined).join(' ');
  return business?.tradingName ?? business?.name ?? (person || (email ?? 'Sub account'));
}
