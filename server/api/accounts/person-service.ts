import { isDeepStrictEqual } from 'node:util';
import { raise } from '../webhooks/event-log.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { fileOwnerIds } from './account-service.ts';
import { documentsOf } from './account-profile.ts';
import { lockAccount, requireAccount, type AccountRow, profileOf } from './account.records.ts';
import { deleteAttachedFiles, refuseUnusableDocumentFiles } from './attached-files.ts';
import { mergeDocuments } from './document.rules.ts';
import {
  insertPerson,
  listPersons,
  personOf,
  requirePerson,
  persons,
  savePerson,
  toPerson,
  type StoredPerson,
} from './person.records.ts';
import { refuseDeletionDuringVerification, refusePersonLimits, refuseNonBusiness } from './person.rules.ts';
import type { Person, PersonCreate, PersonUpdate } from './person.schema.ts';
import { applyAccountChange, INITIAL_VERIFICATION, reviewPerson } from './verification.ts';
import { unresolvedErrors } from './verification.rules.ts';

/**
 * Adds a person to a Business account and records `Person.created`.
 * @throws Refusal `persons_of_business`, `persons_limit`, `not_found` and `file_category` for the documents.
 */
export async function addPerson(
  tx: Transaction,
  services: Services,
  accountId: string,
  given: PersonCreate,
): Promise<Person> {
  const account = await lockAccount(tx, accountId);
  refuseNonBusiness(account);
  const nowMs = services.clock.nowMs();
  const { businessRoles: roles, documents = [], metadata = {}, ...details } = given;
  const person: StoredPerson = {
    id: services.ids.make('person'),
    accountId,
    details,
    roles,
    documents: mergeDocuments([], documents, nowMs),
    verification: INITIAL_VERIFICATION,
    metadata,
  };
  refusePersonLimits([...(await listPersons(tx, accountId)), person]);
  await refuseUnusableDocumentFiles(tx, fileOwnerIds(account), documents);
  return applyAccountChange(tx, services, accountId, async () => {
    const data = toPerson(await insertPerson(tx, await reviewPerson(tx, services, person), nowMs));
    raise(tx, services, { type: 'Person.created', accountId, data });
    return data;
  });
}

/**
 * Updates a person, and records `Person.updated` if that changes anything.
 * @throws Refusal `persons_limit`, `not_found` and `file_category` for the documents.
 */
export async function changePerson(
  tx: Transaction,
  services: Services,
  account: AccountRow,
  personId: string,
  change: PersonUpdate,
): Promise<Person> {
  tx.lockRow('accounts', account.id);
  const row = await requirePerson(tx, personId);
  const person = changedPerson(personOf(row), change, services.clock.nowMs());
  const others = (await listPersons(tx, account.id)).filter(({ id }) => id !== personId);
  refusePersonLimits([...others, person]);
  await refuseUnusableDocumentFiles(tx, fileOwnerIds(account), change.documents ?? []);
  return applyAccountChange(tx, services, account.id, async () => {
    const reviewed = await reviewPerson(tx, services, person);
    const before = personOf(row);
    if (isDeepStrictEqual(reviewed, before)) return toPerson(row);
    const data = toPerson(await savePerson(tx, reviewed, services.clock.nowMs()));
    raise(tx, services, { type: 'Person.updated', accountId: account.id, data });
    return data;
  });
}

function changedPerson(person: StoredPerson, change: PersonUpdate, nowMs: number): StoredPerson {
  const { businessRoles: roles = person.roles, documents: given = [], metadata, ...details } = change;
  const documents = mergeDocuments(person.documents, given, nowMs);
  const errors = unresolvedErrors(person.verification.errors, Object.keys(change), documents);
  return {
    ...person,
    details: { ...person.details, ...details },
    roles,
    documents,
    verification: { ...person.verification, errors },
    metadata: metadata ?? person.metadata,
  };
}

/**
 * Deletes a person and the files of their documents, and records `Person.deleted` (Spec §4.4).
 * @throws Refusal `person_in_verification`.
 */
export async function removePerson(
  tx: Transaction,
  services: Services,
  accountId: string,
  personId: string,
): Promise<Person> {
  tx.lockRow('accounts', accountId);
  const row = await requirePerson(tx, personId);
  const person = personOf(row);
  refuseDeletionDuringVerification(person);
  const nowMs = services.clock.nowMs();
  return applyAccountChange(tx, services, accountId, async () => {
    await persons.delete(tx, person.id, nowMs);
    const others = (await listPersons(tx, accountId)).flatMap(({ documents }) => documents);
    const entity = documentsOf(profileOf(await requireAccount(tx, accountId)));
    await deleteAttachedFiles(tx, person.documents, [...others, ...entity], nowMs);
    const data = toPerson(row);
    raise(tx, services, { type: 'Person.deleted', accountId, data });
    return data;
  });
}
