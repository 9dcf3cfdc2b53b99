import { expect, test } from 'vitest';
import {
  refuseDeletionDuringVerification,
  refusePersonLimits,
  refuseNonBusiness,
} from '../../../../server/api/accounts/person.rules.ts';
import { INITIAL_VERIFICATION } from '../../../../server/api/accounts/verification.ts';
import type { BusinessRole } from '../../../../server/api/accounts/verification.schema.ts';

const persons = (count: number, ...roles: BusinessRole[]) => Array.from({ length: count }, () => ({ roles }));

test.each<[string, { roles: BusinessRole[] }[]]>([
  ['5 directors', persons(5, 'Director')],
  ['4 owners', persons(4, 'UltimateBeneficialOwner')],
  ['1 contact', persons(1, 'BusinessContact')],
  ['9 persons', [...persons(5, 'Director'), ...persons(4, 'UltimateBeneficialOwner')]],
  ['4 who are both', persons(4, 'Director', 'UltimateBeneficialOwner')],
])('refusePersonLimits: accepts %s', (_what, all) => {
  expect(() => refusePersonLimits(all)).not.toThrow();
});

test.each<[string, { roles: BusinessRole[] }[], string]>([
  ['6 directors', persons(6, 'Director'), 'at most 5 persons with the role Director'],
  [
    '5 owners',
    persons(5, 'UltimateBeneficialOwner'),
    'at most 4 persons with the role UltimateBeneficialOwner',
  ],
  ['2 contacts', persons(2, 'BusinessContact'), 'at most 1 person with the role BusinessContact'],
  [
    '10 persons',
    [...persons(5, 'Director'), ...persons(4, 'UltimateBeneficialOwner'), ...persons(1, 'BusinessContact')],
    'at most 9 persons',
  ],
  [
    '5 who are both',
    persons(5, 'Director', 'UltimateBeneficialOwner'),
    'at most 4 persons with the role UltimateBeneficialOwner',
  ],
])('refusePersonLimits: refuses %s', (_what, all, message) => {
  expect(() => refusePersonLimits(all)).toThrow(message);
});

test.each([
  ['notRequired', true],
  ['required', true],
  ['pendingVerification', false],
  ['verified', false],
] as const)(
  'person deletion: allowed with verification %s: %s',
  { tags: ['spec:4.4/delete-before-verification'] },
  (phase, allowed) => {
    const deleting = () =>
      refuseDeletionDuringVerification({ verification: { ...INITIAL_VERIFICATION, phase } });
    if (allowed) expect(deleting).not.toThrow();
    else expect(deleting).toThrow('only be deleted while verification.status is NotRequired or Required');
  },
);

test('person: only a business has persons', () => {
  expect(() => refuseNonBusiness({ entity_type: 'Business' })).not.toThrow();
  expect(() => refuseNonBusiness({ entity_type: 'Individual' })).toThrow('only a Business account');
  expect(() => refuseNonBusiness({ entity_type: null })).toThrow('only a Business account');
});
