import { fileNames } from '../files/file.records.ts';
import type { Services } from '../../platform/services.ts';
import type { Queries } from '../../platform/store/store.ts';
import { documentsOf } from './account-profile.ts';
import { ACCOUNT_GUARDS, accounts, profileOf } from './account.records.ts';
import { needsCheck, fileIdsOf, isRefusedByFileName } from './document.rules.ts';
import type { Document } from './document.schema.ts';
import { listPersons, lockPerson, personOf } from './person.records.ts';
import { completeAccountCheck, completePersonCheck, type VerificationResult } from './verification-result.ts';
import { ACCOUNT_CHECK_JOB, CHECK_MS, PERSON_CHECK_JOB } from './verification.ts';
import type { VerificationError } from './verification.schema.ts';

/** Checks documents: one is refused if the name of its file asks for that (docs/choices.md, Verification). */
async function checkDocuments(queries: Queries, documents: readonly Document[]): Promise<VerificationResult> {
  const pending = documents.filter(needsCheck);
  const names = await fileNames(queries, fileIdsOf(pending));
  const errors = pending.flatMap((document): VerificationError[] => {
    const id = fileIdsOf([document]).find((each) => isRefusedByFileName(names.get(each) ?? ''));
    if (id === undefined) return [];
    return [{ code: 'InvalidDocument', id, description: 'The document cannot be read' }];
  });
  return { outcome: errors.length > 0 ? 'failed' : 'passed', errors };
}

/** Registers the jobs that check accounts and persons `CHECK_MS` after submission (docs/choices.md, Verification). */
export function registerVerificationJobs(services: Services): void {
  const { clock, jobs, store } = services;
  jobs.handle(PERSON_CHECK_JOB, (job) =>
    store.transaction(async (tx) => {
      // The account before the job, in the order of a request that cancels the job.
      const row = await lockPerson(tx, job.key);
      await jobs.finish(tx, job, 'done');
      if (!row) return;
      const person = personOf(row);
      if (person.verification.phase !== 'pendingVerification') return;
      await completePersonCheck(tx, services, person, await checkDocuments(tx, person.documents));
    }, ACCOUNT_GUARDS),
  );
  jobs.handle(ACCOUNT_CHECK_JOB, (job) =>
    store.transaction(async (tx) => {
      tx.lockRow('accounts', job.key);
      const row = await accounts.findAny(tx, job.key);
      const profile = row && profileOf(row);
      const persons = await listPersons(tx, job.key);
      // An account is verified after its persons.
      if (persons.some(({ verification }) => verification.phase === 'pendingVerification')) {
        return jobs.finish(tx, job, { again: clock.nowMs() + CHECK_MS });
      }
      await jobs.finish(tx, job, 'done');
      if (profile?.verification.phase !== 'pendingVerification') return;
      await completeAccountCheck(tx, services, job.key, await checkDocuments(tx, documentsOf(profile)));
    }, ACCOUNT_GUARDS),
  );
}
