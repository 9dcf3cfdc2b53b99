import { beforeEach, expect, test } from 'vitest';
import { accountServer, type AccountServer } from './account-server.ts';
import { business, individual, person } from './account-bodies.ts';

let server: AccountServer;
let accountId: string;

beforeEach(async () => {
  server = await accountServer();
  accountId = (await server.create({ onboardingFlow: 'NonHosted', entityType: 'Business', business })).body
    .id;
});

const judge = (body: object, id = accountId) =>
  server.call(`POST /sandbox/accounts/${id}/verification`, { body });
const patch = (body: object) => server.call(`PATCH /v1/accounts/${accountId}`, { body });

test('POST /sandbox/accounts/{id}/verification: an account set to Verified stays so, whatever is missing', async () => {
  const { status, body } = await judge({ outcome: 'Verified' });
  expect([status, body.verification]).toEqual([
    200,
    {
      status: 'Verified',
      requiredFields: [],
      requiredDocuments: [],
      errors: [],
      persons: { status: 'Verified', required: [] },
    },
  ]);
  await server.call(`POST /v1/accounts/${accountId}/persons`, { body: person });
  expect((await patch({ metadata: { a: '1' } })).body.verification.status).toBe('Verified');
  expect(await server.eventsOf(accountId)).toEqual([
    'Account.created',
    'Account.updated',
    'Account.verification_status_updated',
    'Account.updated',
  ]);
});

test('POST /sandbox/accounts/{id}/verification: a refused account requires the named items until they are supplied again', async () => {
  const front = await server.upload({}, accountId);
  await patch({ documents: [{ type: 'BusinessRegistration', front }] });
  const errors = [
    { code: 'InvalidField', id: 'business.name', description: 'Not in the register' },
    { code: 'InvalidDocument', id: front },
  ];
  const { body } = await judge({ outcome: 'Required', errors });
  expect(body.business.documents).toMatchObject([{ status: 'Invalid', invalidReason: 'It was refused' }]);
  expect(body.verification).toMatchObject({
    status: 'Required',
    errors: [errors[0], { ...errors[1], description: 'It was refused' }],
    requiredFields: expect.arrayContaining([{ name: 'business.name' }]),
    requiredDocuments: [{ category: 'ProofOfBusiness' }],
  });

  const named = await patch({ business: { name: 'Corner Goods Limited' } });
  expect(named.body.verification.errors).toMatchObject([{ id: front }]);
  expect(named.body.verification.requiredFields).not.toContainEqual({ name: 'business.name' });
  const another = await server.upload({}, accountId);
  const whole = await patch({ documents: [{ type: 'BusinessRegistration', front: another }] });
  expect(whole.body.verification).toMatchObject({ errors: [], requiredDocuments: [] });
});

test('POST /sandbox/accounts/{id}/verification: a refusal that names nothing requires a usual item', async () => {
  await judge({ outcome: 'Verified' });
  const { body } = await judge({ outcome: 'Required' });
  expect(body.verification).toMatchObject({ status: 'Required', errors: [] });
  const whole = await server.create({
    onboardingFlow: 'NonHosted',
    entityType: 'Individual',
    individual: {
      ...individual,
      phoneNumber: '+447700900123',
      documents: [{ type: 'Passport', country: 'GB', front: await server.upload() }],
    },
  });
  const refused = await judge({ outcome: 'Required' }, whole.body.id);
  expect(refused.body.verification).toMatchObject({
    status: 'Required',
    requiredFields: [{ name: 'individual.dateOfBirth' }],
    errors: [{ code: 'InvalidField', id: 'individual.dateOfBirth' }],
  });
});

test('POST /sandbox/accounts/{id}/verification: an individual who needs no verification can be made to need it', async () => {
  const { id } = (await server.create({ onboardingFlow: 'NonHosted', entityType: 'Individual', individual }))
    .body;
  const { body } = await judge({ outcome: 'Required' }, id);
  expect(body.verification).toMatchObject({
    status: 'Required',
    requiredFields: [{ name: 'individual.phoneNumber' }],
    requiredDocuments: [{ category: 'ProofOfIdentity' }],
    errors: [],
  });
});

test('POST /sandbox/accounts/{id}/persons/{personId}/verification: verifies and refuses a person in the same way', async () => {
  const { id } = (await server.call(`POST /v1/accounts/${accountId}/persons`, { body: person })).body;
  const judgeOne = (body: object) =>
    server.call(`POST /sandbox/accounts/${accountId}/persons/${id}/verification`, { body });
  expect((await judgeOne({ outcome: 'Verified' })).body.verification).toMatchObject({
    status: 'Verified',
    requiredDocuments: [],
  });
  const errors = [{ code: 'InvalidField', id: 'lastName', description: 'Misspelt' }];
  expect((await judgeOne({ outcome: 'Required', errors })).body.verification).toMatchObject({
    status: 'Required',
    requiredFields: [{ name: 'lastName' }],
    errors,
  });
  expect((await server.call(`GET /v1/accounts/${accountId}`)).body.verification.persons.status).toBe(
    'Required',
  );
  expect(await server.eventsOf(id)).toEqual(['Person.created', 'Person.updated', 'Person.updated']);
});

test.each([
  [{ outcome: 'Maybe' }, 'outcome must be one of'],
  [{}, 'outcome is required'],
  [{ outcome: 'Required', errors: [{ code: 'Other', id: 'x' }] }, 'errors.0.code must be one of'],
  [
    { outcome: 'Required', errors: [{ code: 'InvalidField', id: 'business.shoes' }] },
    'errors: business.shoes is not a field of the account or person',
  ],
  [
    { outcome: 'Required', errors: [{ code: 'InvalidField', id: 'individual.lastName' }] },
    'is not a field of',
  ],
  [
    { outcome: 'Required', errors: [{ code: 'InvalidDocument', id: 'fl_none' }] },
    'fl_none is not a document of',
  ],
])('POST /sandbox/accounts/{id}/verification: refuses %j', async (body, message) => {
  const answer = await judge(body);
  expect([answer.status, answer.body.errors[0].code]).toEqual([400, 'invalid_field']);
  expect(answer.body.errors[0].message).toContain(message);
});

test('POST /sandbox/accounts/{id}/verification: accounts and persons of others are not found', async () => {
  const body = { outcome: 'Verified' };
  expect((await judge(body, 'ac_none')).status).toBe(404);
  expect((await judge(body, server.platformId)).status).toBe(404);
  const one = await server.call(`POST /sandbox/accounts/${accountId}/persons/per_none/verification`, {
    body,
  });
  expect([one.status, one.body.errors[0].code]).toEqual([404, 'not_found']);
});
