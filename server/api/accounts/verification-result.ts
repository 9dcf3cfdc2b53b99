import { raise } from '../webhooks/event-log.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { documentsOf, withDocumentsOf } from './account-profile.ts';
import { findAccountRow, saveProfile, profileOf } from './account.records.ts';
import { checkedDocuments } from './document.rules.ts';
import type { Document } from './document.schema.ts';
import { savePerson, showPerson, type KeptPerson } from './person.records.ts';
import {
  ACCOUNT_CHECK_JOB,
  changingAccount,
  applyVerificationEvent,
  PERSON_CHECK_JOB,
  type Subject,
} from './verification.ts';
import { openErrors, type KeptVerification } from './verification.rules.ts';
import type { VerificationError } from './verification.schema.ts';

/** What somebody says who has looked at a verification. */
export interface Verdict {
  /** `passed` when what there is was good; `waived` when it is to count as good, whatever there is. */
  finding: 'passed' | 'waived' | 'refused';
  errors: readonly VerificationError[];
}

interface Checked {
  kept: KeptVerification;
  documents: Document[];
}

/** A verification and its documents after a verdict. Not written yet. */
async function checked(
  tx: Transaction,
  services: Services,
  subject: Subject,
  { kept, documents }: Checked,
  { finding, errors }: Verdict,
): Promise<Checked> {
  const reasons = errors
    .filter(({ code }) => code === 'InvalidDocument')
    .map(({ id, description }) => [id, description] as const);
  const seen = checkedDocuments(documents, new Map(reasons), services.clock.nowMs());
  const told = new Set(errors.map(({ id }) => id));
  const before = openErrors(kept.errors, [], seen).filter(({ id }) => !told.has(id));
  const next = await applyVerificationEvent(tx, services, subject, kept, { type: `check.${finding}` });
  return {
    kept: {
      ...next,
      errors: finding === 'refused' ? [...before, ...errors] : [],
      demanded: kept.demanded || finding === 'refused',
    },
    documents: seen,
  };
}

/** Gives a verdict on an account, and tells what became of it. */
export async function judgeAccount(
  tx: Transaction,
  services: Services,
  accountId: string,
  verdict: Verdict,
): Promise<void> {
  await changingAccount(tx, services, accountId, async () => {
    const profile = profileOf((await findAccountRow(tx, accountId))!);
    const before = { kept: profile.verification, documents: documentsOf(profile) };
    const after = await checked(tx, services, { job: ACCOUNT_CHECK_JOB, id: accountId }, before, verdict);
    const judged = withDocumentsOf({ ...profile, verification: after.kept }, after.documents);
    await saveProfile(tx, accountId, judged, services.clock.nowMs());
  });
}

/** Gives a verdict on a person, and tells what became of the person and the account. */
export async function judgePerson(
  tx: Transaction,
  services: Services,
  person: KeptPerson,
  verdict: Verdict,
): Promise<void> {
  const { id, accountId } = person;
  await changingAccount(tx, services, accountId, async () => {
    const { kept, documents } = await checked(tx, services, { job: PERSON_CHECK_JOB, id }, person, verdict);
    const row = await savePerson(tx, { ...person, kept, documents }, services.clock.nowMs());
    raise(tx, services, { type: 'Person.updated', accountId, data: showPerson(row) });
  });
}
