import { isDeepStrictEqual } from 'node:util';
import { raise } from '../webhooks/event-log.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { ownersOf } from './account-service.ts';
import { documentsOf } from './account-profile.ts';
import { findAccountRow, type AccountRow, profileOf } from './account.records.ts';
import { deleteAttachedFiles, refuseUnusableFiles } from './attached-files.ts';
import { withDocuments } from './document.rules.ts';
import {
  deletePerson,
  findAnyPerson,
  insertPerson,
  listPersons,
  personOf,
  savePerson,
  showPerson,
  type KeptPerson,
  type PersonRow,
} from './person.records.ts';
import { refuseDeletingInVerification, refusePersonLimits, refuseWithoutBusiness } from './person.rules.ts';
import type { Person, PersonCreate, PersonUpdate } from './person.schema.ts';
import { changingAccount, NOT_BEGUN, reviewedPerson } from './verification.ts';
import { openErrors } from './verification.rules.ts';

/**
 * Adds a person to a Business account.
 * @throws Refusal `persons_of_business`, `persons_limit`, `not_found` and `file_category` for the documents.
 */
export async function addPerson(
  tx: Transaction,
  services: Services,
  accountId: string,
  given: PersonCreate,
): Promise<Person> {
  const account = (await findAccountRow(tx, accountId))!;
  refuseWithoutBusiness(account);
  const nowMs = services.clock.nowMs();
  const { businessRoles: roles, documents = [], metadata = {}, ...details } = given;
  const person: KeptPerson = {
    id: services.ids.make('person'),
    accountId,
    details,
    roles,
    documents: withDocuments([], documents, nowMs),
    kept: NOT_BEGUN,
    metadata,
  };
  refusePersonLimits([...(await listPersons(tx, accountId)), person]);
  await refuseUnusableFiles(tx, ownersOf(account), documents);
  return changingAccount(tx, services, accountId, async () => {
    await insertPerson(tx, await reviewedPerson(tx, services, person), nowMs);
    const data = showPerson((await findAnyPerson(tx, person.id))!);
    raise(tx, services, { type: 'Person.created', accountId, data });
    return data;
  });
}

/** @throws Refusal `persons_limit`, `not_found` and `file_category` for the documents. */
export async function changePerson(
  tx: Transaction,
  services: Services,
  account: AccountRow,
  personId: string,
  change: PersonUpdate,
): Promise<Person> {
  const row = await stillThere(tx, personId);
  const person = changedPerson(personOf(row), change, services.clock.nowMs());
  const others = (await listPersons(tx, account.id)).filter(({ id }) => id !== personId);
  refusePersonLimits([...others, person]);
  await refuseUnusableFiles(tx, ownersOf(account), change.documents ?? []);
  return changingAccount(tx, services, account.id, async () => {
    const reviewed = await reviewedPerson(tx, services, person);
    const before = personOf(row);
    if (isDeepStrictEqual(reviewed, before)) return showPerson(row);
    const data = showPerson(await savePerson(tx, reviewed, services.clock.nowMs()));
    raise(tx, services, { type: 'Person.updated', accountId: account.id, data });
    return data;
  });
}

// Found before the transaction; another one can have taken the person away since.
async function stillThere(tx: Transaction, personId: string): Promise<PersonRow> {
  const row = await findAnyPerson(tx, personId);
  if (!row) throw new Refusal('not_found', { what: 'person' });
  return row;
}

function changedPerson(person: KeptPerson, change: PersonUpdate, nowMs: number): KeptPerson {
  const { businessRoles: roles = person.roles, documents: given = [], metadata, ...details } = change;
  const documents = withDocuments(person.documents, given, nowMs);
  const errors = openErrors(person.kept.errors, Object.keys(change), documents);
  return {
    ...person,
    details: { ...person.details, ...details },
    roles,
    documents,
    kept: { ...person.kept, errors },
    metadata: metadata ?? person.metadata,
  };
}

/**
 * Takes a person away, with the files of their documents (Spec §4.4).
 * @throws Refusal `person_in_verification`.
 */
export async function removePerson(
  tx: Transaction,
  services: Services,
  accountId: string,
  personId: string,
): Promise<Person> {
  const row = await stillThere(tx, personId);
  const person = personOf(row);
  refuseDeletingInVerification(person);
  const nowMs = services.clock.nowMs();
  return changingAccount(tx, services, accountId, async () => {
    await deletePerson(tx, personId, nowMs);
    const others = (await listPersons(tx, accountId)).flatMap(({ documents }) => documents);
    const entity = documentsOf(profileOf((await findAccountRow(tx, accountId))!));
    await deleteAttachedFiles(tx, person.documents, [...others, ...entity], nowMs);
    const data = showPerson(row);
    raise(tx, services, { type: 'Person.deleted', accountId, data });
    return data;
  });
}
