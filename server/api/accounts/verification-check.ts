import { fileNames } from '../files/file.records.ts';
import type { Services } from '../../platform/services.ts';
import type { Queries } from '../../platform/store/store.ts';
import { documentsOf } from './account-profile.ts';
import { findAccountRow, profileOf } from './account.records.ts';
import { awaitsCheck, fileIdsOf, isRefusedByName } from './document.rules.ts';
import type { Document } from './document.schema.ts';
import { findAnyPerson, listPersons, personOf } from './person.records.ts';
import { judgeAccount, judgePerson, type Verdict } from './verification-result.ts';
import { ACCOUNT_CHECK_JOB, CHECK_MS, PERSON_CHECK_JOB } from './verification.ts';
import type { VerificationError } from './verification.schema.ts';

/** What a look at the documents finds: one whose file's name says so is refused (docs/choices.md, Verification). */
async function findingOn(queries: Queries, documents: readonly Document[]): Promise<Verdict> {
  const seen = documents.filter(awaitsCheck);
  const names = await fileNames(queries, fileIdsOf(seen));
  const errors = seen.flatMap((document): VerificationError[] => {
    const id = fileIdsOf([document]).find((each) => isRefusedByName(names.get(each) ?? ''));
    if (id === undefined) return [];
    return [{ code: 'InvalidDocument', id, description: 'The document cannot be read' }];
  });
  return { finding: errors.length > 0 ? 'refused' : 'passed', errors };
}

/** Looks at what was submitted, a little later (docs/choices.md, Verification). */
export function watchVerifications(services: Services): void {
  const { clock, jobs, store } = services;
  jobs.handle(PERSON_CHECK_JOB, (job) =>
    store.transaction(async (tx) => {
      await jobs.finish(tx, job, 'done');
      const row = await findAnyPerson(tx, job.subject);
      if (!row) return;
      const person = personOf(row);
      if (person.kept.phase !== 'pendingVerification') return;
      await judgePerson(tx, services, person, await findingOn(tx, person.documents));
    }),
  );
  jobs.handle(ACCOUNT_CHECK_JOB, (job) =>
    store.transaction(async (tx) => {
      const row = await findAccountRow(tx, job.subject);
      const profile = row && profileOf(row);
      const persons = await listPersons(tx, job.subject);
      // An account is verified when its persons are.
      if (persons.some(({ kept }) => kept.phase === 'pendingVerification')) {
        return jobs.finish(tx, job, { again: clock.nowMs() + CHECK_MS });
      }
      await jobs.finish(tx, job, 'done');
      if (profile?.verification.phase !== 'pendingVerification') return;
      await judgeAccount(tx, services, job.subject, await findingOn(tx, documentsOf(profile)));
    }),
  );
}
