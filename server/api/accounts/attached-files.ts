import { files } from '../files/file.records.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import { fileIdsOf } from './document.rules.ts';
import type { Document, DocumentInput } from './document.schema.ts';

/**
 * Checks that the files of documents exist and were uploaded as verification documents, by one of the owners.
 * @throws Refusal `not_found` or `file_category`.
 */
export async function refuseUnusableDocumentFiles(
  queries: Queries,
  ownerIds: readonly string[],
  documents: readonly DocumentInput[],
): Promise<void> {
  for (const id of new Set(fileIdsOf(documents))) {
    const found = await Promise.all(ownerIds.map((ownerId) => files.find(queries, ownerId, id)));
    const file = found.find((each) => each !== undefined);
    if (!file) throw new Refusal('not_found', { what: 'file' });
    if (file.category !== 'VerificationDocument') throw new Refusal('file_category', { id });
  }
}

/** Deletes the files of removed documents, except those that a remaining document uses (Spec §4.4). */
export async function deleteAttachedFiles(
  tx: Transaction,
  gone: readonly Document[],
  remaining: readonly Document[],
  nowMs: number,
): Promise<void> {
  const needed = new Set(fileIdsOf(remaining));
  for (const id of fileIdsOf(gone)) if (!needed.has(id)) await files.delete(tx, id, nowMs);
}
