import { deleteFile, findFile } from '../files/file.records.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import { fileIdsOf } from './document.rules.ts';
import type { Document, DocumentGiven } from './document.schema.ts';

/**
 * Documents show files that were uploaded as verification documents, for the account or by its platform.
 * @throws Refusal `not_found` and `file_category`.
 */
export async function refuseUnusableFiles(
  queries: Queries,
  ownerIds: readonly string[],
  documents: readonly DocumentGiven[],
): Promise<void> {
  for (const id of new Set(fileIdsOf(documents))) {
    const found = await Promise.all(ownerIds.map((ownerId) => findFile(queries, ownerId, id)));
    const file = found.find((each) => each !== undefined);
    if (!file) throw new Refusal('not_found', { what: 'file' });
    if (file.category !== 'VerificationDocument') throw new Refusal('file_category', { id });
  }
}

/** Deletes the files of documents that are gone, but for those that another document still shows (Spec §4.4). */
export async function deleteAttachedFiles(
  tx: Transaction,
  gone: readonly Document[],
  kept: readonly Document[],
  nowMs: number,
): Promise<void> {
  const needed = new Set(fileIdsOf(kept));
  for (const id of fileIdsOf(gone)) if (!needed.has(id)) await deleteFile(tx, id, nowMs);
}
