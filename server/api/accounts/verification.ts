import { isDeepStrictEqual } from 'node:util';
import { raise } from '../webhooks/event-log.ts';
import { emitStep } from '../../platform/activities.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { documentsOf, type AccountProfile } from './account-profile.ts';
import { verificationInputOf, readAccountResourceById } from './account-view.ts';
import { accounts, requireAccount, saveProfile, profileOf, savePaidOut } from './account.records.ts';
import type { AccountResource } from './account.schema.ts';
import { needsCheck } from './document.rules.ts';
import type { Document } from './document.schema.ts';
import { listPersons, type StoredPerson } from './person.records.ts';
import { verificationStep, type VerificationEvent } from './verification.machine.ts';
import {
  isAccountVerificationRequired,
  isPersonVerificationRequired,
  isIncomplete,
  accountRequirements,
  personRequirements,
  type StoredVerification,
  type VerificationRequirements,
} from './verification.rules.ts';
import { isCurrency } from '../../../protocol/money.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import { parseSettings } from './account-settings.ts';

/** Time between submission and the end of a check (docs/choices.md, Verification). */
export const CHECK_MS = 5_000;
export const ACCOUNT_CHECK_JOB = 'account.verification';
export const PERSON_CHECK_JOB = 'person.verification';

export const INITIAL_VERIFICATION: StoredVerification = {
  phase: 'notRequired',
  errors: [],
  waived: false,
  demanded: false,
};

/** The account or person that is verified: the kind of its job, and its id. */
export interface VerifiedObject {
  job: typeof ACCOUNT_CHECK_JOB | typeof PERSON_CHECK_JOB;
  id: string;
}

/** Applies one event to a verification, and adds or cancels the job that checks what was submitted. */
export async function applyVerificationEvent(
  tx: Transaction,
  services: Services,
  { job, id }: VerifiedObject,
  verification: StoredVerification,
  event: VerificationEvent,
): Promise<StoredVerification> {
  const { jobs, clock } = services;
  const step = verificationStep(verification, event);
  if (!step) return verification;
  const { state, context, effects } = step;
  const [machineId, from] = ['verification', verification.phase];
  if (state !== from) emitStep(tx, services, { machineId, objectId: id, event: event.type, from, state });
  for (const { type } of effects) {
    if (type === 'withdraw') await jobs.cancel(tx, job, id);
    else await jobs.add(tx, { kind: job, key: id, dueMs: clock.nowMs() + CHECK_MS });
  }
  return { ...verification, phase: state, waived: context.waived };
}

/** Applies to a verification the events that follow from what is present now. */
async function review(
  tx: Transaction,
  services: Services,
  object: VerifiedObject,
  verification: StoredVerification,
  seen: { demanded: boolean; requirements: VerificationRequirements; documents: readonly Document[] },
): Promise<StoredVerification> {
  const updated = await applyVerificationEvent(tx, services, object, verification, {
    type: seen.demanded ? 'requirement.added' : 'requirement.removed',
  });
  const event: VerificationEvent = isIncomplete(seen.requirements)
    ? { type: 'details.missing' }
    : { type: 'details.completed', unchecked: seen.documents.some(needsCheck) };
  return applyVerificationEvent(tx, services, object, updated, event);
}

/** Returns a person with the verification that follows from their details. Does not save it. */
export async function reviewPerson(
  tx: Transaction,
  services: Services,
  person: StoredPerson,
): Promise<StoredPerson> {
  const verification = await review(
    tx,
    services,
    { job: PERSON_CHECK_JOB, id: person.id },
    person.verification,
    {
      demanded: isPersonVerificationRequired(person),
      requirements: personRequirements(person),
      documents: person.documents,
    },
  );
  return { ...person, verification };
}

/** Returns a profile with the verification that follows from it and from the account's persons. Does not save it. */
async function reviewProfile(
  tx: Transaction,
  services: Services,
  accountId: string,
  profile: AccountProfile,
): Promise<AccountProfile> {
  const input = verificationInputOf(profile, await listPersons(tx, accountId));
  const verification = await review(
    tx,
    services,
    { job: ACCOUNT_CHECK_JOB, id: accountId },
    input.verification,
    {
      demanded: isAccountVerificationRequired(input),
      requirements: accountRequirements(input),
      documents: documentsOf(profile),
    },
  );
  return { ...profile, verification };
}

/** Updates the verification of an account from its details and persons, and saves it if it changed. */
export async function reviewAccount(tx: Transaction, services: Services, accountId: string): Promise<void> {
  const profile = profileOf(await requireAccount(tx, accountId));
  const reviewed = await reviewProfile(tx, services, accountId, profile);
  if (!isDeepStrictEqual(reviewed, profile)) {
    await saveProfile(tx, accountId, reviewed, services.clock.nowMs());
  }
}

/**
 * Runs a change of an account, its persons or its payout methods, which the transaction has locked, updates its verification, and records
 * `Account.updated` and `Account.verification_status_updated` if the API then shows the account differently.
 */
export async function applyAccountChange<T>(
  tx: Transaction,
  services: Services,
  accountId: string,
  change: () => Promise<T>,
): Promise<T> {
  tx.requireRowLock('accounts', accountId);
  const before = await readAccountResourceById(tx, accountId);
  const result = await change();
  await reviewAccount(tx, services, accountId);
  if (isDeepStrictEqual(comparable(await readAccountResourceById(tx, accountId)), comparable(before)))
    return result;

  await accounts.update(tx, accountId, {}, services.clock.nowMs());
  const data = await readAccountResourceById(tx, accountId);
  raise(tx, services, { type: 'Account.updated', accountId, data });
  if (data.verification.status !== before.verification.status) {
    raise(tx, services, { type: 'Account.verification_status_updated', accountId, data });
  }
  return result;
}

/** Returns an account without the timestamp that every write changes. */
function comparable({ lastUpdatedTimestamp: _time, ...shown }: AccountResource): object {
  return shown;
}

/** Total of payouts above which an Individual must be verified, minor units of any currency. */
const VERIFY_ABOVE_MINOR = 250_000;

/**
 * Adds a completed payout to the total of an Individual, and requires verification once the total is above the
 * threshold (Spec §2.3; docs/choices.md, Verification). Call it in the transaction that completes the payout.
 */
export async function recordPaidOut(
  tx: Transaction,
  services: Services,
  accountId: string,
  { currency, amountMinor }: { currency: string; amountMinor: number },
): Promise<void> {
  const row = await accounts.findAny(tx, accountId);
  if (row?.entity_type !== 'Individual') return;
  const paidOut = parseJson(row.paid_out);
  const total = (paidOut[currency] ?? 0) + amountMinor;
  await savePaidOut(tx, accountId, { ...paidOut, [currency]: total });
  const { verifyAboveMinor } = parseSettings(row.settings);
  const aboveMinor = isCurrency(currency) ? verifyAboveMinor?.[currency] : undefined;
  if (total <= (aboveMinor ?? VERIFY_ABOVE_MINOR)) return;
  await applyAccountChange(tx, services, accountId, async () => {
    const profile = profileOf(row);
    const verification = { ...profile.verification, demanded: true };
    await saveProfile(tx, accountId, { ...profile, verification }, services.clock.nowMs());
  });
}
