import { expect, test } from 'vitest';
import {
  needsCheck,
  categoryOf,
  applyDocumentCheck,
  fileIdsOf,
  isRefusedByFileName,
  mergeDocuments,
} from '../../../../server/api/accounts/document.rules.ts';
import { DOCUMENT_TYPES } from '../../../../server/api/accounts/document.schema.ts';

const bill = { type: 'UtilityBill', front: 'fl_1' } as const;

test('categoryOf: every document type has a category of proof', () => {
  expect(DOCUMENT_TYPES.map((type) => [type, categoryOf(type)])).toEqual([
    ['Passport', 'ProofOfIdentity'],
    ['DriversLicense', 'ProofOfIdentity'],
    ['NationalId', 'ProofOfIdentity'],
    ['BankStatement', 'ProofOfAddress'],
    ['CreditCardStatement', 'ProofOfAddress'],
    ['OfficialGovernmentLetter', 'ProofOfAddress'],
    ['PropertyTaxAssessment', 'ProofOfAddress'],
    ['TaxReturn', 'ProofOfAddress'],
    ['UtilityBill', 'ProofOfAddress'],
    ['BusinessRegistration', 'ProofOfBusiness'],
    ['ArticlesOfIncorporation', 'ProofOfBusiness'],
    ['LetterOfAuthorization', 'Authorization'],
  ]);
});

test(
  'mergeDocuments: a new document of a type replaces the old one, whatever its status; others stay',
  { tags: ['spec:2.4/document-replaced'] },
  () => {
    const first = mergeDocuments([], [bill, { type: 'TaxReturn', front: 'fl_2' }], 1_000);
    const valid = applyDocumentCheck(first, new Map(), 2_000);
    const second = mergeDocuments(valid, [{ ...bill, front: 'fl_3' }], 3_000);
    expect(second).toMatchObject([
      { type: 'UtilityBill', front: 'fl_3', status: 'Pending', assignedTimestamp: 3 },
      { type: 'TaxReturn', front: 'fl_2', status: 'Valid', assignedTimestamp: 1, lastUpdatedTimestamp: 2 },
    ]);
  },
);

test('mergeDocuments: of two new documents of one type the last is taken', () => {
  expect(mergeDocuments([], [bill, { ...bill, front: 'fl_2' }], 0)).toMatchObject([{ front: 'fl_2' }]);
});

test.each(['Passport', 'DriversLicense', 'NationalId'] as const)(
  'document: a %s needs the country of its issuer',
  (type) => {
    expect(() => mergeDocuments([], [{ type, front: 'fl_1' }], 0)).toThrow(
      `documents: country is required for ${type}`,
    );
    expect(mergeDocuments([], [{ type, front: 'fl_1', country: 'IE' }], 0)).toMatchObject([
      { country: 'IE' },
    ]);
  },
);

test('document check: accepts complete documents, refuses the named ones, and leaves incomplete ones', () => {
  const documents = mergeDocuments(
    [],
    [
      bill,
      { type: 'NationalId', front: 'fl_2', back: 'fl_3', country: 'GB' },
      { type: 'DriversLicense', front: 'fl_4', country: 'GB' },
    ],
    0,
  );
  expect(documents.map(needsCheck)).toEqual([true, true, false]);
  const checked = applyDocumentCheck(documents, new Map([['fl_3', 'too dark']]), 5_000);
  expect(checked).toMatchObject([
    { status: 'Valid', lastUpdatedTimestamp: 5 },
    { status: 'Invalid', invalidReason: 'too dark', lastUpdatedTimestamp: 5 },
    { status: 'Pending', lastUpdatedTimestamp: 0 },
  ]);
});

test('documents: their files are the fronts and backs', () => {
  expect(fileIdsOf([bill, { front: 'fl_2', back: 'fl_3' }])).toEqual(['fl_1', 'fl_2', 'fl_3']);
});

test.each([
  ['passport.png', false],
  ['passport-invalid.png', true],
  ['INVALID.pdf', true],
  ['', false],
])('document file: a file named %j is refused: %s', (name, refused) => {
  expect(isRefusedByFileName(name)).toBe(refused);
});
