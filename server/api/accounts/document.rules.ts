import { toTimestamp } from '../../../protocol/clock.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import {
  DOCUMENT_CATEGORIES,
  type Document,
  type DocumentCategory,
  type DocumentGiven,
  type DocumentType,
} from './document.schema.ts';

const TWO_SIDED: readonly DocumentType[] = ['DriversLicense', 'NationalId'];

const categories = new Map<DocumentType, DocumentCategory>(
  Object.entries(DOCUMENT_CATEGORIES).flatMap(([category, types]) =>
    types.map((type) => [type, category as DocumentCategory] as const),
  ),
);

/** What a document of this type proves. */
export function categoryOf(type: DocumentType): DocumentCategory {
  return categories.get(type)!;
}

/**
 * The documents there are after some were given: one of each type, a new one in place of the old whatever its
 * status (Spec §2.3). Nobody has looked at a new one yet.
 * @throws Refusal `document_country` for a proof of identity that does not say who issued it.
 */
export function withDocuments(
  present: readonly Document[],
  given: readonly DocumentGiven[],
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

/** Whether a document can be looked at and was not refused: a two-sided one needs both its sides. */
export function serves(document: Document): boolean {
  return document.status !== 'Invalid' && hasItsSides(document);
}

/** Whether nobody has looked at a document that can be looked at. */
export function awaitsCheck(document: Document): boolean {
  return document.status === 'Pending' && hasItsSides(document);
}

function hasItsSides({ type, back }: Document): boolean {
  return back !== undefined || !TWO_SIDED.includes(type);
}

export function fileIdsOf(documents: readonly Pick<DocumentGiven, 'front' | 'back'>[]): string[] {
  return documents.flatMap(({ front, back }) => (back === undefined ? [front] : [front, back]));
}

/** Documents after a check that refused some, by the id of a file, and found the others that it saw good. */
export function checkedDocuments(
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
    return awaitsCheck(document) ? { ...document, status: 'Valid', lastUpdatedTimestamp } : document;
  });
}

/** A file by whose name a test says that its document is to be refused (docs/choices.md, Verification). */
export function isRefusedByName(fileName: string): boolean {
  return fileName.toLowerCase().includes('invalid');
}
