import { Refusal } from '../../platform/http/refusals.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { RowOf } from '../../platform/store/stored-property.ts';
import type { Document } from './document.schema.ts';
import { PERSON, type Person, type PersonDetails } from './person.schema.ts';
import {
  toPersonVerification,
  type StoredVerification,
  type PersonVerificationInput,
} from './verification.rules.ts';
import type { BusinessRole } from './verification.schema.ts';
import { withNullLines } from './details.schema.ts';

export type PersonRow = RowOf<typeof PERSON>;

export const persons = storedObjects({ table: 'persons', deletable: {} }, PERSON);

/** A person as stored. */
export interface StoredPerson extends PersonVerificationInput {
  id: string;
  accountId: string;
  details: PersonDetails;
  roles: BusinessRole[];
  documents: Document[];
  verification: StoredVerification;
  metadata: Record<string, string>;
}

/** Parses a person from its row. */
export function personOf(row: PersonRow): StoredPerson {
  return {
    id: row.id,
    accountId: row.account_id,
    details: parseJson(row.details),
    roles: parseJson(row.roles),
    documents: parseJson(row.documents),
    verification: parseJson(row.verification),
    metadata: parseJson(row.metadata),
  };
}

/** Returns a person as the API shows it. */
export function toPerson(row: PersonRow): Person {
  const person = personOf(row);
  return persons.show(row, {
    ...person.details,
    address: withNullLines(person.details.address),
    verification: toPersonVerification(person),
  });
}

/** Returns all persons of an account, oldest first. */
export async function listPersons(queries: Queries, accountId: string): Promise<StoredPerson[]> {
  return (await persons.allOf(queries, accountId)).map(personOf);
}

/** Returns a person that the request has found. @throws Refusal `not_found` when it was deleted since then */
export async function requirePerson(tx: Transaction, id: string): Promise<PersonRow> {
  const row = await persons.findAny(tx, id);
  if (!row) throw new Refusal('not_found', { what: 'person' });
  return row;
}

/** Locks the account of a person, and returns the person as it is then; undefined when it is deleted. */
export async function lockPerson(tx: Transaction, id: string): Promise<PersonRow | undefined> {
  const found = await persons.findAny(tx, id);
  if (!found) return undefined;
  tx.lockRow('accounts', found.account_id);
  return persons.findAny(tx, id);
}

export function insertPerson(tx: Transaction, person: StoredPerson, nowMs: number): Promise<PersonRow> {
  const { roles: businessRoles, verification: storedVerification, ...rest } = person;
  return persons.insert(tx, { ...rest, businessRoles, storedVerification }, nowMs);
}

export async function savePerson(tx: Transaction, person: StoredPerson, nowMs: number): Promise<PersonRow> {
  const { id, details, roles: businessRoles, documents, verification: storedVerification, metadata } = person;
  const change = { details, businessRoles, documents, storedVerification, metadata };
  return (await persons.update(tx, id, change, nowMs))!;
}
