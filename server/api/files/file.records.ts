import { listWhere, type PageSource } from '../../platform/store/page-source.ts';
import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { RowOf } from '../../platform/store/stored-property.ts';
import type { Queries } from '../../platform/store/store.ts';
import { FILE, type FileCategory } from './file.schema.ts';

export type FileRow = RowOf<typeof FILE>;

export const files = storedObjects({ table: 'files', deletable: {} }, FILE);

export function fileList(accountId: string, category?: FileCategory): PageSource {
  const list = files.listOf(accountId);
  if (category === undefined) return list;
  return listWhere(list, { where: 'category = ?', parameters: [category] });
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
