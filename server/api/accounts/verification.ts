import { isDeepStrictEqual } from 'node:util';
import { raise } from '../webhooks/event-log.ts';
import { emitStep } from '../../platform/machine-steps.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { documentsOf, type AccountProfile } from './account-profile.ts';
import { factsOf, readAccountById } from './account-view.ts';
import { findAccountRow, saveProfile, touchAccount, profileOf } from './account.records.ts';
import type { AccountShown } from './account.schema.ts';
import { awaitsCheck } from './document.rules.ts';
import type { Document } from './document.schema.ts';
import { listPersons, type KeptPerson } from './person.records.ts';
import { verificationStep, type VerificationEvent } from './verification.machine.ts';
import {
  isDemandedOfAccount,
  isDemandedOfPerson,
  isLacking,
  outstandingOfAccount,
  outstandingOfPerson,
  type KeptVerification,
  type Outstanding,
} from './verification.rules.ts';

/** How long somebody looks at what was submitted (docs/choices.md, Verification). */
export const CHECK_MS = 5_000;
export const ACCOUNT_CHECK_JOB = 'account.verification';
export const PERSON_CHECK_JOB = 'person.verification';

export const NOT_BEGUN: KeptVerification = {
  phase: 'notRequired',
  errors: [],
  waived: false,
  demanded: false,
};

/** Who is verified: by which job, under which id. */
export interface Subject {
  job: typeof ACCOUNT_CHECK_JOB | typeof PERSON_CHECK_JOB;
  id: string;
}

/** Applies one event to a verification, and adds or cancels the job that checks what was submitted. */
export async function applyVerificationEvent(
  tx: Transaction,
  services: Services,
  { job, id }: Subject,
  kept: KeptVerification,
  event: VerificationEvent,
): Promise<KeptVerification> {
  const { jobs, clock } = services;
  const step = verificationStep(kept, event);
  if (!step) return kept;
  const { state, context, effects } = step;
  const [machineId, from] = ['verification', kept.phase];
  if (state !== from) emitStep(tx, services, { machineId, objectId: id, event: event.type, from, state });
  for (const { type } of effects) {
    if (type === 'withdraw') await jobs.cancel(tx, job, id);
    else await jobs.add(tx, { kind: job, subject: id, dueMs: clock.nowMs() + CHECK_MS });
  }
  return { ...kept, phase: state, waived: context.waived };
}

/** Moves a verification to where what is there now leads it. */
async function review(
  tx: Transaction,
  services: Services,
  subject: Subject,
  kept: KeptVerification,
  seen: { demanded: boolean; outstanding: Outstanding; documents: readonly Document[] },
): Promise<KeptVerification> {
  const asked = await applyVerificationEvent(tx, services, subject, kept, {
    type: seen.demanded ? 'verification.demanded' : 'verification.released',
  });
  const event: VerificationEvent = isLacking(seen.outstanding)
    ? { type: 'details.lacking' }
    : { type: 'details.supplied', unchecked: seen.documents.some(awaitsCheck) };
  return applyVerificationEvent(tx, services, subject, asked, event);
}

/** A person as things stand after a change of what is known. Not written yet. */
export async function reviewedPerson(
  tx: Transaction,
  services: Services,
  person: KeptPerson,
): Promise<KeptPerson> {
  const kept = await review(tx, services, { job: PERSON_CHECK_JOB, id: person.id }, person.kept, {
    demanded: isDemandedOfPerson(person),
    outstanding: outstandingOfPerson(person),
    documents: person.documents,
  });
  return { ...person, kept };
}

/** A profile as it stands after a change of it or of the account's persons. Not written yet. */
async function reviewedProfile(
  tx: Transaction,
  services: Services,
  accountId: string,
  profile: AccountProfile,
): Promise<AccountProfile> {
  const facts = factsOf(profile, await listPersons(tx, accountId));
  const verification = await review(tx, services, { job: ACCOUNT_CHECK_JOB, id: accountId }, facts.kept, {
    demanded: isDemandedOfAccount(facts),
    outstanding: outstandingOfAccount(facts),
    documents: documentsOf(profile),
  });
  return { ...profile, verification };
}

/** Takes an account to where its details lead it, and writes that if it is somewhere else. */
export async function reviewAccount(tx: Transaction, services: Services, accountId: string): Promise<void> {
  const profile = profileOf((await findAccountRow(tx, accountId))!);
  const reviewed = await reviewedProfile(tx, services, accountId, profile);
  if (!isDeepStrictEqual(reviewed, profile)) {
    await saveProfile(tx, accountId, reviewed, services.clock.nowMs());
  }
}

/**
 * Makes a change to an account or to what belongs to it (its persons, its payout methods), takes its
 * verification along, and records the events of whatever the API shows differently afterwards.
 */
export async function changingAccount<T>(
  tx: Transaction,
  services: Services,
  accountId: string,
  change: () => Promise<T>,
): Promise<T> {
  const before = await readAccountById(tx, accountId);
  const result = await change();
  await reviewAccount(tx, services, accountId);
  if (isDeepStrictEqual(comparable(await readAccountById(tx, accountId)), comparable(before))) return result;

  await touchAccount(tx, accountId, services.clock.nowMs());
  const data = await readAccountById(tx, accountId);
  raise(tx, services, { type: 'Account.updated', accountId, data });
  if (data.verification.status !== before.verification.status) {
    raise(tx, services, { type: 'Account.verification_status_updated', accountId, data });
  }
  return result;
}

/** An account without the timestamp that every write changes. */
function comparable({ lastUpdatedTimestamp: _time, ...shown }: AccountShown): object {
  return shown;
}
