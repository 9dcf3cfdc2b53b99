import { toTimestamp } from '../../../protocol/clock.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { File, FileCategory, FileType } from './file.schema.ts';

export interface FileRow extends Row {
  id: string;
  account_id: string;
  name: string;
  type: FileType;
  category: FileCategory;
  /** SHA-256 of the content, hexadecimal; the content itself is not stored (docs/choices.md, Files). */
  digest: string;
  size_bytes: number;
  metadata: JsonText<File['metadata']>;
  created_ms: number;
  updated_ms: number;
}

interface NewFile {
  id: string;
  accountId: string;
  name: string;
  type: FileType;
  category: FileCategory;
  digest: string;
  sizeBytes: number;
  metadata?: Record<string, string> | undefined;
}

/** Returns a file as the API shows it. */
export function toFile(row: FileRow): File {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    category: row.category,
    metadata: parseJson(row.metadata),
    sizeInBytes: row.size_bytes,
    createdTimestamp: toTimestamp(row.created_ms),
    lastUpdatedTimestamp: toTimestamp(row.updated_ms),
  };
}

export const FILE_LIST = (accountId: string, category?: FileCategory): PageSource => ({
  table: 'files',
  owned: { where: 'account_id = ?', parameters: [accountId] },
  shown: {
    where: category ? 'deleted = 0 AND category = ?' : 'deleted = 0',
    parameters: category ? [category] : [],
  },
});

/** Returns a file of an account. */
export function findFile(queries: Queries, accountId: string, id: string): Promise<FileRow | undefined> {
  return queries.get<FileRow>(
    `SELECT * FROM files WHERE id = ? AND account_id = ? AND deleted = 0`,
    id,
    accountId,
  );
}

export async function insertFile(tx: Transaction, file: NewFile, nowMs: number): Promise<FileRow> {
  const row = await tx.get<FileRow>(
    `INSERT INTO files (id, account_id, name, type, category, digest, size_bytes, metadata, created_ms, updated_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
    file.id,
    file.accountId,
    file.name,
    file.type,
    file.category,
    file.digest,
    file.sizeBytes,
    JSON.stringify(file.metadata ?? {}),
    nowMs,
    nowMs,
  );
  return row!;
}

export async function deleteFile(tx: Transaction, id: string, nowMs: number): Promise<void> {
  await tx.run(`UPDATE files SET deleted = 1, updated_ms = ? WHERE id = ?`, nowMs, id);
}

/** The names of files, by their ids; one that is gone has none. */
export async function fileNames(queries: Queries, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const marks = ids.map(() => '?').join(', ');
  const rows = await queries.all<Pick<FileRow, 'id' | 'name'>>(
    `SELECT id, name FROM files WHERE id IN (${marks})`,
    ...ids,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
