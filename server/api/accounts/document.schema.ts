import {
  CountryCode,
  LastUpdatedTimestamp,
  Timestamp,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { keysOf } from '../../../protocol/tables.ts';

/** What each kind of document proves (docs/choices.md, Documents). */
export const DOCUMENT_CATEGORIES = {
  ProofOfIdentity: ['Passport', 'DriversLicense', 'NationalId'],
  ProofOfAddress: [
    'BankStatement',
    'CreditCardStatement',
    'OfficialGovernmentLetter',
    'PropertyTaxAssessment',
    'TaxReturn',
    'UtilityBill',
  ],
  ProofOfBusiness: ['BusinessRegistration', 'ArticlesOfIncorporation'],
  Authorization: ['LetterOfAuthorization'],
} as const;

export type DocumentCategory = keyof typeof DOCUMENT_CATEGORIES;
export type DocumentType = (typeof DOCUMENT_CATEGORIES)[DocumentCategory][number];

const CATEGORY_NAMES = keysOf(DOCUMENT_CATEGORIES);
export const DOCUMENT_TYPES: DocumentType[] = Object.values(DOCUMENT_CATEGORIES).flat();

const members = {
  type: Type.Enum(DOCUMENT_TYPES, {
    description: 'Type of the document. There is at most one document of each type: a new one replaces it.',
  }),
  front: Type.String({
    description: 'Id of the file that shows the front. The file has category `VerificationDocument`.',
  }),
  back: Type.Optional(
    Type.String({
      description:
        'Id of the file that shows the back; verification requires it for a document with two sides',
    }),
  ),
  country: Type.Optional(
    withDescription(CountryCode, 'Country that issued the document, as a two-letter ISO 3166-1 alpha-2 code'),
  ),
};

export const DocumentInput = Type.Object(
  {
    ...members,
    country: Type.Optional(
      withDescription(
        CountryCode,
        'Country that issued the document, as a two-letter ISO 3166-1 alpha-2 code; required for a proof of identity',
      ),
    ),
  },
  { title: 'DocumentInput', description: 'Document to supply for verification' },
);
export type DocumentInput = Static<typeof DocumentInput>;

/** A document of a business, an individual or a person: Spec §2.3. */
export const Document = Type.Object(
  {
    ...members,
    category: Type.Enum(CATEGORY_NAMES, { description: 'What a document of this type proves' }),
    status: Type.Enum(['Pending', 'Valid', 'Invalid'], {
      description: '`Pending` until the document is checked, then `Valid` or `Invalid`',
    }),
    invalidReason: Type.Optional(
      Type.String({ description: 'Reason why the document is `Invalid`; absent otherwise' }),
    ),
    assignedTimestamp: withDescription(
      Timestamp,
      'Time at which the document was assigned to its owner: a Unix timestamp, in seconds',
    ),
    lastUpdatedTimestamp: LastUpdatedTimestamp,
  },
  { title: 'Document', description: 'Document that was supplied for verification' },
);
export type Document = Static<typeof Document>;

export const Documents = Type.Array(Document, {
  description: 'Documents supplied so far, at most one of each type',
});
export const DocumentsInput = Type.Array(DocumentInput, {
  maxItems: 2 * DOCUMENT_TYPES.length,
  description: 'Documents to add. A document replaces the one of the same type.',
});
