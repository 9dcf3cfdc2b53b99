import { toTimestamp } from '../../../protocol/clock.ts';
import type { PageSource } from '../../platform/http/paging.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import { showAddress } from './address.schema.ts';
import type { Document } from './document.schema.ts';
import type { Person, PersonDetails } from './person.schema.ts';
import { showPersonVerification, type KeptVerification, type PersonFacts } from './verification.rules.ts';
import type { BusinessRole } from './verification.schema.ts';

export interface PersonRow extends Row {
  id: string;
  account_id: string;
  details: JsonText<PersonDetails>;
  roles: JsonText<BusinessRole[]>;
  documents: JsonText<Document[]>;
  verification: JsonText<KeptVerification>;
  metadata: JsonText<Person['metadata']>;
  created_ms: number;
  updated_ms: number;
}

/** What is kept of a person. */
export interface KeptPerson extends PersonFacts {
  id: string;
  accountId: string;
  details: PersonDetails;
  roles: BusinessRole[];
  documents: Document[];
  kept: KeptVerification;
  metadata: Record<string, string>;
}

export function personOf(row: PersonRow): KeptPerson {
  return {
    id: row.id,
    accountId: row.account_id,
    details: parseJson(row.details),
    roles: parseJson(row.roles),
    documents: parseJson(row.documents),
    kept: parseJson(row.verification),
    metadata: parseJson(row.metadata),
  };
}

/** A row as the API shows it. */
export function showPerson(row: PersonRow): Person {
  const person = personOf(row);
  return {
    id: person.id,
    ...person.details,
    address: showAddress(person.details.address),
    businessRoles: person.roles,
    documents: person.documents,
    verification: showPersonVerification(person),
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

/** By id alone: for the job that looks at a person's documents. */
export function findAnyPerson(queries: Queries, id: string): Promise<PersonRow | undefined> {
  return queries.get<PersonRow>(`SELECT * FROM persons WHERE id = ? AND deleted = 0`, id);
}

export async function listPersons(queries: Queries, accountId: string): Promise<KeptPerson[]> {
  const rows = await queries.all<PersonRow>(
    `SELECT * FROM persons WHERE account_id = ? AND deleted = 0 ORDER BY seq`,
    accountId,
  );
  return rows.map(personOf);
}

export async function insertPerson(tx: Transaction, person: KeptPerson, nowMs: number): Promise<void> {
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

export async function savePerson(tx: Transaction, person: KeptPerson, nowMs: number): Promise<PersonRow> {
  const row = await tx.get<PersonRow>(
    `UPDATE persons SET details = ?, roles = ?, documents = ?, verification = ?, metadata = ?, updated_ms = ?
     WHERE id = ? RETURNING *`,
    ...columnsOf(person),
    nowMs,
    person.id,
  );
  return row!;
}

function columnsOf(person: KeptPerson): string[] {
  const { details, roles, documents, kept, metadata } = person;
  return [details, roles, documents, kept, metadata].map((each) => JSON.stringify(each));
}

export async function deletePerson(tx: Transaction, id: string, nowMs: number): Promise<void> {
  await tx.run(`UPDATE persons SET deleted = 1, updated_ms = ? WHERE id = ?`, nowMs, id);
}
