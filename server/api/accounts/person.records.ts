import { toTimestamp } from '../../../protocol/clock.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import { withNullLines } from './address.schema.ts';
import type { Document } from './document.schema.ts';
import type { Person, PersonDetails } from './person.schema.ts';
import {
  toPersonVerification,
  type StoredVerification,
  type PersonVerificationInput,
} from './verification.rules.ts';
import type { BusinessRole } from './verification.schema.ts';

export interface PersonRow extends Row {
  id: string;
  account_id: string;
  details: JsonText<PersonDetails>;
  roles: JsonText<BusinessRole[]>;
  documents: JsonText<Document[]>;
  verification: JsonText<StoredVerification>;
  metadata: JsonText<Person['metadata']>;
  created_ms: number;
  updated_ms: number;
}

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
  return {
    id: person.id,
    ...person.details,
    address: withNullLines(person.details.address),
    businessRoles: person.roles,
    documents: person.documents,
    verification: toPersonVerification(person),
    metadata: person.metadata,
    createdTimestamp: toTimestamp(row.created_ms),
    lastUpdatedTimestamp: toTimestamp(row.updated_ms),
  };
}

export const PERSON_LIST = (accountId: string): PageSource => ({
  table: 'persons',
  owned: { where: 'account_id = ?', parameters: [accountId] },
  shown: { where: 'deleted = 0', parameters: [] },
});

export function findPerson(queries: Queries, accountId: string, id: string): Promise<PersonRow | undefined> {
  return queries.get<PersonRow>(
    `SELECT * FROM persons WHERE id = ? AND account_id = ? AND deleted = 0`,
    id,
    accountId,
  );
}

/** Returns a person by id, of any account. */
export function findAnyPerson(queries: Queries, id: string): Promise<PersonRow | undefined> {
  return queries.get<PersonRow>(`SELECT * FROM persons WHERE id = ? AND deleted = 0`, id);
}

/** Returns all persons of an account, oldest first. */
export async function listPersons(queries: Queries, accountId: string): Promise<StoredPerson[]> {
  const rows = await queries.all<PersonRow>(
    `SELECT * FROM persons WHERE account_id = ? AND deleted = 0 ORDER BY seq`,
    accountId,
  );
  return rows.map(personOf);
}

export async function insertPerson(tx: Transaction, person: StoredPerson, nowMs: number): Promise<void> {
  await tx.run(
    `INSERT INTO persons (id, account_id, details, roles, documents, verification, metadata, created_ms, updated_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    person.id,
    person.accountId,
    ...columnsOf(person),
    nowMs,
    nowMs,
  );
}

export async function savePerson(tx: Transaction, person: StoredPerson, nowMs: number): Promise<PersonRow> {
  const row = await tx.get<PersonRow>(
    `UPDATE persons SET details = ?, roles = ?, documents = ?, verification = ?, metadata = ?, updated_ms = ?
     WHERE id = ? RETURNING *`,
    ...columnsOf(person),
    nowMs,
    person.id,
  );
  return row!;
}

function columnsOf(person: StoredPerson): string[] {
  const { details, roles, documents, verification, metadata } = person;
  return [details, roles, documents, verification, metadata].map((each) => JSON.stringify(each));
}

export async function deletePerson(tx: Transaction, id: string, nowMs: number): Promise<void> {
  await tx.run(`UPDATE persons SET deleted = 1, updated_ms = ? WHERE id = ?`, nowMs, id);
}
