import { Timestamp, Type, type Static } from '../../../protocol/schema.ts';
import { CountryCode } from './details.schema.ts';

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

const CATEGORY_NAMES = Object.keys(DOCUMENT_CATEGORIES) as DocumentCategory[];
export const DOCUMENT_TYPES: DocumentType[] = Object.values(DOCUMENT_CATEGORIES).flat();

const members = {
  type: Type.Enum(DOCUMENT_TYPES, {
    description: 'There is one document of each type; a new one takes the place of the old',
  }),
  front: Type.String({ description: 'Id of an uploaded file of category VerificationDocument' }),
  back: Type.Optional(
    Type.String({
      description: 'Id of the file with the other side; verification needs it of two-sided documents',
    }),
  ),
  country: Type.Optional(CountryCode),
};

export const DocumentGiven = Type.Object(
  {
    ...members,
    country: Type.Optional({
      ...CountryCode,
      description: 'Who issued it; required for a proof of identity',
    }),
  },
  { title: 'DocumentGiven' },
);
export type DocumentGiven = Static<typeof DocumentGiven>;

/** A document of a business, an individual or a person: Spec §2.3. */
export const Document = Type.Object(
  {
    ...members,
    category: Type.Enum(CATEGORY_NAMES, { description: 'What documents of this type prove' }),
    status: Type.Enum(['Pending', 'Valid', 'Invalid'], {
      description: 'Pending until somebody has looked at it',
    }),
    invalidReason: Type.Optional(Type.String()),
    assignedTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'Document' },
);
export type Document = Static<typeof Document>;

export const Documents = Type.Array(Document, { description: 'At most one of each type' });
export const DocumentsGiven = Type.Array(DocumentGiven, {
  maxItems: 2 * DOCUMENT_TYPES.length,
  description: 'Added to those there are; one of a type that is there already takes its place',
});
