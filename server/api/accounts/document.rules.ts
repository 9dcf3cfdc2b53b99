import { toTimestamp } from '../../../protocol/clock.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import {
  DOCUMENT_CATEGORIES,
  type Document,
  type DocumentCategory,
  type DocumentInput,
  type DocumentType,
} from './document.schema.ts';
import { entriesOf } from '../../../protocol/tables.ts';

const TWO_SIDED: readonly DocumentType[] = ['DriversLicense', 'NationalId'];

const categories = new Map<DocumentType, DocumentCategory>(
  entriesOf(DOCUMENT_CATEGORIES).flatMap(([category, types]) =>
    types.map((type) => [type, category] as const),
  ),
);

/** Returns the category of a document type: what it proves. */
export function categoryOf(type: DocumentType): DocumentCategory {
  return categories.get(type)!;
}

/**
 * Merges new documents into the present ones: one of each type, a new one replaces the old whatever its status
 * (Spec §2.3). New documents are `Pending`.
 * @throws Refusal `document_country` for a proof of identity without a country.
 */
export function mergeDocuments(
  present: readonly Document[],
  given: readonly DocumentInput[],
  nowMs: number,
): Document[] {
  const byType = new Map(present.map((document) => [document.type, document]));
  const now = toTimestamp(nowMs);
  for (const { type, front, back, country } of given) {
    const category = categoryOf(type);
    if (category === 'ProofOfIdentity' && !country) throw new Refusal('document_country', { type });
    byType.set(type, {
      type,
      front,
      ...(back === undefined ? {} : { back }),
      ...(country === undefined ? {} : { country }),
      category,
      status: 'Pending',
      assignedTimestamp: now,
      lastUpdatedTimestamp: now,
    });
  }
  return [...byType.values()];
}

/** Returns whether a document meets a requirement: not `Invalid`, and with both sides if it is two-sided. */
export function isAcceptable(document: Document): boolean {
  return document.status !== 'Invalid' && hasAllSides(document);
}

/** Returns whether a document waits for its check: `Pending`, and with both sides if it is two-sided. */
export function needsCheck(document: Document): boolean {
  return document.status === 'Pending' && hasAllSides(document);
}

function hasAllSides({ type, back }: Document): boolean {
  return back !== undefined || !TWO_SIDED.includes(type);
}

/** Returns the ids of the files of documents. */
export function fileIdsOf(documents: readonly Pick<DocumentInput, 'front' | 'back'>[]): string[] {
  return documents.flatMap(({ front, back }) => (back === undefined ? [front] : [front, back]));
}

/**
 * Applies the result of a check: documents in `refused` become `Invalid`, the other checked ones `Valid`.
 * @param refused Reasons by file id.
 */
export function applyDocumentCheck(
  documents: readonly Document[],
  refused: ReadonlyMap<string, string>,
  nowMs: number,
): Document[] {
  const lastUpdatedTimestamp = toTimestamp(nowMs);
  return documents.map((document) => {
    const reason = fileIdsOf([document])
      .map((id) => refused.get(id))
      .find((each) => each !== undefined);
    if (reason !== undefined) {
      return { ...document, status: 'Invalid', invalidReason: reason, lastUpdatedTimestamp };
    }
    return needsCheck(document) ? { ...document, status: 'Valid', lastUpdatedTimestamp } : document;
  });
}

/** Returns whether a file name asks for its document to be refused (docs/choices.md, Verification). */
export function isRefusedByFileName(fileName: string): boolean {
  return fileName.toLowerCase().includes('invalid');
}
