import type { RequestStep, Step, TriggerPath } from './trigger-path.ts';

const ADDRESS = { lineOne: '1 High Street', city: 'London', country: 'GB', postalCode: 'N1 1AA' };

const HOLDER = {
  firstName: 'Ana',
  lastName: 'Reid',
  email: 'ana@example.com',
  dateOfBirth: '1990-04-01',
  gender: 'Female',
  nationalities: ['GB'],
  address: ADDRESS,
};

/** Creates a sub account that can take payments, and is paid out by request only. */
export const INDIVIDUAL: RequestStep = {
  name: 'account',
  request: 'POST /v1/accounts',
  body: {
    onboardingFlow: 'NonHosted',
    entityType: 'Individual',
    individual: HOLDER,
    settings: { payouts: { schedule: { type: 'Manual' } } },
  },
};

const BUSINESS: RequestStep = {
  name: 'account',
  request: 'POST /v1/accounts',
  body: {
    onboardingFlow: 'NonHosted',
    entityType: 'Business',
    business: {
      name: 'Corner Shop',
      type: 'PrivateCompany',
      registrationNumber: '01234567',
      registeredAddress: ADDRESS,
      contactEmail: 'office@example.com',
    },
  },
};

const PERSON: RequestStep = {
  name: 'person',
  request: 'POST /v1/accounts/{account.id}/persons',
  body: { ...HOLDER, phoneNumber: '+447700900123', businessRoles: ['Director'] },
};

/** A bank account in sterling that payouts are made to. */
export const BANK_ACCOUNT = {
  type: 'BankAccount',
  currency: 'GBP',
  country: 'GB',
  bankAccount: {
    accountNumberType: 'UnitedKingdom',
    accountNumber: '00000111',
    bankIdType: 'SortCode',
    bankId: '000001',
  },
} as const;

/** Adds a bank account to a sub account. */
export const PAYOUT_METHOD: RequestStep = {
  name: 'payoutMethod',
  request: 'POST /v1/accounts/{account.id}/payout-methods',
  body: BANK_ACCOUNT,
};

const PERSON_PATH = '/v1/accounts/{account.id}/persons/{person.id}';
const PAYOUT_METHOD_PATH = '/v1/accounts/{account.id}/payout-methods/{payoutMethod.id}';

const ofAccount = (...steps: Step[]): TriggerPath => ({ main: 'account', steps });
const ofPerson = (...steps: Step[]): TriggerPath => ({
  main: 'person',
  owner: '{account.id}',
  steps: [BUSINESS, PERSON, ...steps],
});
const ofPayoutMethod = (...steps: Step[]): TriggerPath => ({
  main: 'payoutMethod',
  owner: '{account.id}',
  steps: [INDIVIDUAL, PAYOUT_METHOD, ...steps],
});

/** How each event of a sub account, its persons and its payout methods comes about. */
export const ACCOUNT_PATHS = {
  'Account.created': ofAccount(INDIVIDUAL),
  'Account.updated': ofAccount(INDIVIDUAL, {
    name: 'update',
    request: 'PATCH /v1/accounts/{account.id}',
    body: { metadata: { reference: '{unique}' } },
  }),
  'Account.verification_status_updated': ofAccount(BUSINESS, {
    name: 'verification',
    request: 'POST /sandbox/accounts/{account.id}/verification',
    body: { outcome: 'Verified' },
  }),
  'Person.created': ofPerson(),
  'Person.updated': ofPerson({
    name: 'update',
    request: `PATCH ${PERSON_PATH}`,
    body: { firstName: 'Alex' },
  }),
  'Person.deleted': ofPerson({ name: 'deletion', request: `DELETE ${PERSON_PATH}` }),
  'PayoutMethod.created': ofPayoutMethod(),
  'PayoutMethod.updated': ofPayoutMethod({
    name: 'update',
    request: `PATCH ${PAYOUT_METHOD_PATH}`,
    body: { displayName: 'Main account' },
  }),
  'PayoutMethod.deleted': ofPayoutMethod({ name: 'deletion', request: `DELETE ${PAYOUT_METHOD_PATH}` }),
} as const satisfies Record<string, TriggerPath>;
