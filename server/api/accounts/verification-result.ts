import { raise } from '../webhooks/event-log.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { documentsOf, replaceDocuments } from './account-profile.ts';
import { requireAccount, saveProfile, profileOf } from './account.records.ts';
import { applyDocumentCheck } from './document.rules.ts';
import type { Document } from './document.schema.ts';
import { savePerson, toPerson, type StoredPerson } from './person.records.ts';
import {
  ACCOUNT_CHECK_JOB,
  applyAccountChange,
  applyVerificationEvent,
  PERSON_CHECK_JOB,
  type VerifiedObject,
} from './verification.ts';
import { unresolvedErrors, type StoredVerification } from './verification.rules.ts';
import type { VerificationError } from './verification.schema.ts';

/** Result of an identity check. */
export interface VerificationResult {
  /** `passed`: what was submitted is good. `waived`: verified although something may be missing. `failed`: see `errors`. */
  outcome: 'passed' | 'waived' | 'failed';
  errors: readonly VerificationError[];
}

interface Checked {
  verification: StoredVerification;
  documents: Document[];
}

/** Returns a verification and its documents after a check. Does not save them. */
async function checked(
  tx: Transaction,
  services: Services,
  object: VerifiedObject,
  { verification, documents }: Checked,
  { outcome, errors }: VerificationResult,
): Promise<Checked> {
  const reasons = errors
    .filter(({ code }) => code === 'InvalidDocument')
    .map(({ id, description }) => [id, description] as const);
  const seen = applyDocumentCheck(documents, new Map(reasons), services.clock.nowMs());
  const newIds = new Set(errors.map(({ id }) => id));
  const before = unresolvedErrors(verification.errors, [], seen).filter(({ id }) => !newIds.has(id));
  const next = await applyVerificationEvent(tx, services, object, verification, {
    type: `check.${outcome}`,
  });
  return {
    verification: {
      ...next,
      errors: outcome === 'failed' ? [...before, ...errors] : [],
      demanded: verification.demanded || outcome === 'failed',
    },
    documents: seen,
  };
}

/** Applies the result of a check to an account and its documents, and records the events of the change. */
export async function completeAccountCheck(
  tx: Transaction,
  services: Services,
  accountId: string,
  result: VerificationResult,
): Promise<void> {
  await applyAccountChange(tx, services, accountId, async () => {
    const profile = profileOf(await requireAccount(tx, accountId));
    const before = { verification: profile.verification, documents: documentsOf(profile) };
    const after = await checked(tx, services, { job: ACCOUNT_CHECK_JOB, id: accountId }, before, result);
    const updated = replaceDocuments({ ...profile, verification: after.verification }, after.documents);
    await saveProfile(tx, accountId, updated, services.clock.nowMs());
  });
}

/** Applies the result of a check to a person, and records the events of the person and the account. */
export async function completePersonCheck(
  tx: Transaction,
  services: Services,
  person: StoredPerson,
  result: VerificationResult,
): Promise<void> {
  const { id, accountId } = person;
  await applyAccountChange(tx, services, accountId, async () => {
    const { verification, documents } = await checked(
      tx,
      services,
      { job: PERSON_CHECK_JOB, id },
      person,
      result,
    );
    const row = await savePerson(tx, { ...person, verification, documents }, services.clock.nowMs());
    raise(tx, services, { type: 'Person.updated', accountId, data: toPerson(row) });
  });
}
