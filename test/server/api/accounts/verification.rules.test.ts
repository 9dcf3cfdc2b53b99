import { describe, expect, test } from 'vitest';
import type { Business, Individual } from '../../../../server/api/accounts/account-holder.schema.ts';
import { mergeDocuments } from '../../../../server/api/accounts/document.rules.ts';
import type { Document, DocumentInput } from '../../../../server/api/accounts/document.schema.ts';
import { INITIAL_VERIFICATION } from '../../../../server/api/accounts/verification.ts';
import {
  isAccountVerificationRequired,
  isPersonVerificationRequired,
  isIncomplete,
  unresolvedErrors,
  accountRequirements,
  personRequirements,
  toAccountVerification,
  toPersonVerification,
  type AccountVerificationInput,
  type PersonVerificationInput,
} from '../../../../server/api/accounts/verification.rules.ts';

const address = { lineOne: '1 High St', city: 'Leeds', country: 'GB', postalCode: 'LS1 1AA' };
const documents = (...given: DocumentInput[]): Document[] => mergeDocuments([], given, 0);
const passport: DocumentInput = { type: 'Passport', front: 'fl_1', country: 'GB' };
const registration: DocumentInput = { type: 'BusinessRegistration', front: 'fl_2' };

const business: Business = {
  name: 'Corner',
  type: 'PrivateCompany',
  registrationNumber: '01234567',
  registrationDate: '2015-03-02',
  registeredAddress: address,
  contactEmail: 'a@example.com',
  phoneNumber: '+442079460000',
  documents: documents(registration),
};
const individual: Individual = {
  firstName: 'Ana',
  lastName: 'Reid',
  email: 'ana@example.com',
  dateOfBirth: '1990-04-01',
  gender: 'Female',
  nationalities: ['GB'],
  address,
  phoneNumber: '+447700900123',
  documents: documents(passport),
};
const required = { ...INITIAL_VERIFICATION, phase: 'required' } as const;
const everybody: PersonVerificationInput = {
  roles: ['BusinessContact', 'Director', 'UltimateBeneficialOwner'],
  documents: documents(passport),
  verification: { ...INITIAL_VERIFICATION, phase: 'verified' },
};

function account(change: Partial<AccountVerificationInput> = {}): AccountVerificationInput {
  return {
    entityType: 'Business',
    business,
    individual: undefined,
    verification: required,
    persons: [everybody],
    ...change,
  };
}

const nothing = { fields: [], documents: [], roles: [], persons: false };

test('verification rules: a complete business lacks nothing', () => {
  expect(accountRequirements(account())).toEqual(nothing);
  expect(isIncomplete(nothing)).toBe(false);
});

test.each([
  ['name', ['business.name']],
  ['type', ['business.type']],
  ['registrationNumber', ['business.registrationNumber']],
  ['registrationDate', ['business.registrationDate']],
  ['contactEmail', ['business.contactEmail']],
  ['phoneNumber', ['business.phoneNumber']],
  [
    'registeredAddress',
    ['lineOne', 'city', 'country', 'postalCode'].map((name) => `business.registeredAddress.${name}`),
  ],
  ['tradingName', []],
  ['websiteUrl', []],
])('verification rules: a business without its %s needs %j', (member, fields) => {
  const input = account({ business: { ...business, [member]: undefined } });
  expect(accountRequirements(input)).toEqual({ ...nothing, fields });
});

test.each([
  ['firstName', ['individual.firstName']],
  ['lastName', ['individual.lastName']],
  ['email', ['individual.email']],
  ['dateOfBirth', ['individual.dateOfBirth']],
  ['gender', ['individual.gender']],
  ['nationalities', ['individual.nationalities']],
  ['phoneNumber', ['individual.phoneNumber']],
  ['address', ['lineOne', 'city', 'country', 'postalCode'].map((name) => `individual.address.${name}`)],
  ['middleNames', []],
])('verification rules: an individual without %s needs %j', (member, fields) => {
  const input = account({ entityType: 'Individual', individual: { ...individual, [member]: undefined } });
  expect(accountRequirements(input)).toEqual({ ...nothing, fields });
});

test('verification rules: an account without an entity type needs that first', () => {
  const input = account({ entityType: undefined, business: undefined, persons: [] });
  expect(accountRequirements(input)).toEqual({ ...nothing, fields: ['entityType'] });
});

describe('verification rules: documents', () => {
  const proofOfBusiness = [{ category: 'ProofOfBusiness', types: ['BusinessRegistration'], quantity: 1 }];
  const proofOfIdentity = [
    { category: 'ProofOfIdentity', types: ['Passport', 'DriversLicense', 'NationalId'], quantity: 1 },
  ];
  const license: DocumentInput = { type: 'DriversLicense', front: 'fl_1', country: 'GB' };
  const refused = (given: DocumentInput): Document[] => [
    { ...documents(given)[0]!, status: 'Invalid', invalidReason: 'unreadable' },
  ];

  test.each<[string, Document[] | undefined, unknown]>([
    ['none', undefined, proofOfBusiness],
    ['its registration', documents(registration), []],
    ['a registration that was refused', refused(registration), proofOfBusiness],
    ['a document that proves no business', documents({ type: 'TaxReturn', front: 'fl_1' }), proofOfBusiness],
  ])('of a business: %s', (_what, given, lacking) => {
    const input = account({ business: { ...business, documents: given } as Business });
    expect(accountRequirements(input).documents).toEqual(lacking);
  });

  test.each<[string, Document[], unknown]>([
    ['none', [], proofOfIdentity],
    ['a passport', documents(passport), []],
    ['a refused passport', refused(passport), proofOfIdentity],
    ['one side of a license', documents(license), proofOfIdentity],
    ['both sides of a license', documents({ ...license, back: 'fl_3' }), []],
    [
      'a refused passport and an identity card',
      [...refused(passport), ...documents({ ...license, type: 'NationalId', back: 'fl_3' })],
      [],
    ],
    ['a bill', documents({ type: 'UtilityBill', front: 'fl_1' }), proofOfIdentity],
  ])('of a person: %s', (_what, given, lacking) => {
    expect(personRequirements({ ...everybody, documents: given }).documents).toEqual(lacking);
  });
});

describe('verification rules: persons of a business', () => {
  const one = (role: PersonVerificationInput['roles'][number]) => ({ role, quantity: 1 });

  test.each<[string, PersonVerificationInput['roles'][], unknown[]]>([
    ['nobody', [], [one('BusinessContact'), one('Director'), one('UltimateBeneficialOwner')]],
    ['a director', [['Director']], [one('BusinessContact'), one('UltimateBeneficialOwner')]],
    ['one for everything', [everybody.roles], []],
    ['one for each', [['BusinessContact'], ['Director'], ['UltimateBeneficialOwner']], []],
  ])('%s', (_what, roles, lacking) => {
    const persons = roles.map((each) => ({ ...everybody, roles: each }));
    expect(accountRequirements(account({ persons })).roles).toEqual(lacking);
  });

  test.each([
    ['required', true, 'Required'],
    ['pendingVerification', false, 'PendingVerification'],
    ['verified', false, 'Verified'],
    ['notRequired', false, 'Verified'],
  ] as const)('a person who is %s', (phase, holdsUp, status) => {
    const persons = [everybody, { ...everybody, verification: { ...INITIAL_VERIFICATION, phase } }];
    expect(accountRequirements(account({ persons })).persons).toBe(holdsUp);
    expect(toAccountVerification(account({ persons })).persons).toEqual({ status, required: [] });
  });
});

test('verification rules: who has to be verified', () => {
  const demanded = { ...INITIAL_VERIFICATION, demanded: true };
  expect(isAccountVerificationRequired({ entityType: 'Business', verification: INITIAL_VERIFICATION })).toBe(
    true,
  );
  expect(isAccountVerificationRequired({ entityType: undefined, verification: INITIAL_VERIFICATION })).toBe(
    true,
  );
  expect(
    isAccountVerificationRequired({ entityType: 'Individual', verification: INITIAL_VERIFICATION }),
  ).toBe(false);
  expect(isAccountVerificationRequired({ entityType: 'Individual', verification: demanded })).toBe(true);
  expect(
    isPersonVerificationRequired({ roles: ['BusinessContact'], verification: INITIAL_VERIFICATION }),
  ).toBe(false);
  expect(isPersonVerificationRequired({ roles: ['BusinessContact'], verification: demanded })).toBe(true);
  expect(
    isPersonVerificationRequired({
      roles: ['BusinessContact', 'Director'],
      verification: INITIAL_VERIFICATION,
    }),
  ).toBe(true);
  expect(
    isPersonVerificationRequired({ roles: ['UltimateBeneficialOwner'], verification: INITIAL_VERIFICATION }),
  ).toBe(true);
});

test('verification rules: a refused field is required again, and listed once', () => {
  const error = { code: 'InvalidField', id: 'business.phoneNumber', description: 'no answer' } as const;
  const verification = { ...required, errors: [error] };
  expect(accountRequirements(account({ verification })).fields).toEqual(['business.phoneNumber']);
  const { phoneNumber: _, ...unreachable } = business;
  const without = account({ verification, business: unreachable });
  expect(accountRequirements(without).fields).toEqual(['business.phoneNumber']);
});

test('verification rules: an error is cleared when its item is supplied again', () => {
  const field = (id: string) => ({ code: 'InvalidField', id, description: '' }) as const;
  const file = (id: string) => ({ code: 'InvalidDocument', id, description: '' }) as const;
  const errors = [field('business.phoneNumber'), field('business.registeredAddress.city'), file('fl_1')];
  const invalid = { ...documents(passport)[0]!, status: 'Invalid' as const };
  expect(unresolvedErrors(errors, [], [invalid])).toEqual(errors);
  expect(unresolvedErrors(errors, ['business.phoneNumber'], [invalid])).toEqual(errors.slice(1));
  expect(unresolvedErrors(errors, ['business.registeredAddress'], [invalid])).toEqual([errors[0], errors[2]]);
  expect(unresolvedErrors(errors, ['business.phone'], documents({ ...passport, front: 'fl_9' }))).toEqual(
    errors.slice(0, 2),
  );
});

test('verification rules: verified and exempt accounts lack nothing', () => {
  for (const phase of ['verified', 'notRequired'] as const) {
    const person = { ...everybody, documents: [], verification: { ...INITIAL_VERIFICATION, phase } };
    expect(toPersonVerification(person)).toMatchObject({ requiredFields: [], requiredDocuments: [] });
  }
  const waived = { ...INITIAL_VERIFICATION, phase: 'verified', waived: true } as const;
  expect(toAccountVerification(account({ verification: waived, persons: [], business: undefined }))).toEqual({
    status: 'Verified',
    requiredFields: [],
    requiredDocuments: [],
    errors: [],
    persons: { status: 'Verified', required: [] },
  });
});
