import { beforeEach, expect, test } from 'vitest';
import { accountServer, type AccountServer } from './account-server.ts';
import { address, business, everyRole, individual, person } from './account-bodies.ts';

let server: AccountServer;
let accountId: string;

beforeEach(async () => {
  server = await accountServer();
  accountId = (await server.create({ onboardingFlow: 'NonHosted', entityType: 'Business', business })).body
    .id;
});

const persons = () => `/v1/accounts/${accountId}/persons`;
const add = (change: object = {}) => server.call(`POST ${persons()}`, { body: { ...person, ...change } });
const patch = (id: string, body: object) => server.call(`PATCH ${persons()}/${id}`, { body });
const account = async () => (await server.call(`GET /v1/accounts/${accountId}`)).body;

async function passport(name?: string) {
  return { type: 'Passport', country: 'GB', front: await server.upload(name ? { name } : {}, accountId) };
}

test(
  'POST /accounts/{id}/persons: a director needs a proof of identity',
  { tags: ['spec:4.4/POST/accounts/{id}/persons'] },
  async () => {
    const { status, body } = await add({ metadata: { desk: '3' } });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^per_[0-9A-Z]{26}$/),
        ...person,
        address: { ...address, lineTwo: null, region: null },
        documents: [],
        verification: {
          status: 'Required',
          requiredFields: [],
          requiredDocuments: [
            { category: 'ProofOfIdentity', types: ['Passport', 'DriversLicense', 'NationalId'], quantity: 1 },
          ],
          errors: [],
        },
        metadata: { desk: '3' },
        createdTimestamp: body.createdTimestamp,
        lastUpdatedTimestamp: body.createdTimestamp,
      },
    ]);
    expect((await server.call(`GET ${persons()}/${body.id}`)).body).toEqual(body);
    expect((await account()).verification.persons).toEqual({
      status: 'Required',
      required: [
        { role: 'BusinessContact', quantity: 1 },
        { role: 'UltimateBeneficialOwner', quantity: 1 },
      ],
    });
  },
);

test.each([
  [['BusinessContact'], 'NotRequired'],
  [['Director'], 'Required'],
  [['UltimateBeneficialOwner'], 'Required'],
  [everyRole, 'Required'],
])(
  'POST /accounts/{id}/persons: verification of a person with the roles %j is %s',
  async (businessRoles, status) => {
    expect((await add({ businessRoles })).body.verification.status).toBe(status);
  },
);

test.each([
  'firstName',
  'lastName',
  'email',
  'dateOfBirth',
  'gender',
  'nationalities',
  'address',
  'phoneNumber',
  'businessRoles',
])('POST /accounts/{id}/persons: needs %s', async (member) => {
  const { status, body } = await add({ [member]: null });
  expect([status, body.errors[0]]).toEqual([
    400,
    { code: 'invalid_field', message: `${member} is required` },
  ]);
});

test.each([
  [{ businessRoles: [] }, 'businessRoles'],
  [{ businessRoles: ['Owner'] }, 'businessRoles.0'],
  [{ businessRoles: ['Director', 'Director'] }, 'businessRoles'],
  [{ nationalities: [] }, 'nationalities'],
  [{ dateOfBirth: '1990-13-01' }, 'dateOfBirth'],
  [{ documents: [{ type: 'Diary', front: 'fl_1' }] }, 'documents.0.type'],
  [{ documents: [{ type: 'Passport' }] }, 'documents.0.front'],
  [{ metadata: { a: '1', b: '2', c: '3', d: '4', e: '5', f: '6' } }, 'metadata'],
])(
  'POST /accounts/{id}/persons: refuses %j',
  {
    tags: [
      'spec:2.1/metadata-of-persons',
      'spec:2.1/phone-numbers',
      'spec:2.1/calendar-dates',
      'spec:2.4/person-validation',
    ],
  },
  async (change, field) => {
    const { status, body } = await add(change);
    expect([status, body.errors[0].code]).toEqual([400, 'invalid_field']);
    expect(body.errors[0].message).toMatch(new RegExp(`^${field.replaceAll('.', '\\.')} `));
  },
);

test(
  'POST /accounts/{id}/persons: at most nine persons, five directors, four owners, one contact',
  { tags: ['spec:4.4/person-limits'] },
  async () => {
    const refusal = async (...businessRoles: string[]) =>
      (await add({ businessRoles })).body.errors[0].message;
    for (let made = 0; made < 5; made++) expect((await add()).status).toBe(200);
    expect(await refusal('Director')).toBe('an account can have at most 5 persons with the role Director');
    for (let made = 0; made < 3; made++)
      expect((await add({ businessRoles: ['UltimateBeneficialOwner'] })).status).toBe(200);
    const contact = (await add({ businessRoles: ['BusinessContact', 'UltimateBeneficialOwner'] })).body;
    expect(await refusal('UltimateBeneficialOwner')).toBe('an account can have at most 9 persons');

    const list = await server.call(`GET ${persons()}?limit=5&ascending=true`);
    const director = list.body.items[0].id;
    const changed = await patch(director, { businessRoles: ['BusinessContact'] });
    expect([changed.status, changed.body.errors[0]]).toEqual([
      400,
      { code: 'bad_request', message: 'an account can have at most 1 person with the role BusinessContact' },
    ]);
    expect((await patch(contact.id, { businessRoles: ['UltimateBeneficialOwner'] })).status).toBe(200);
    expect((await patch(director, { businessRoles: ['BusinessContact'] })).status).toBe(200);
  },
);

test(
  'POST /accounts/{id}/persons: two concurrent requests do not create two contacts',
  { tags: ['spec:8/person-limits-when-concurrent'] },
  async () => {
    const both = await Promise.all([
      add({ businessRoles: ['BusinessContact'] }),
      add({ businessRoles: ['BusinessContact'] }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  },
);

test(
  'GET /accounts/{id}/persons: returns pages, newest first',
  { tags: ['spec:4.4/GET/accounts/{id}/persons'] },
  async () => {
    const ids: string[] = [];
    for (const firstName of ['Ana', 'Ben', 'Cleo']) ids.push((await add({ firstName })).body.id);
    const first = (await server.call(`GET ${persons()}?limit=2`)).body;
    expect(first).toMatchObject({
      items: [{ firstName: 'Cleo' }, { firstName: 'Ben' }],
      paginationToken: ids[1],
    });
    const rest = await server.call(`GET ${persons()}?limit=2&startsAfter=${first.paginationToken}`);
    expect(rest.body).toMatchObject({ items: [{ firstName: 'Ana' }], paginationToken: null });
    expect((await server.call(`GET ${persons()}?limit=51`)).status).toBe(400);
    expect((await server.call(`GET ${persons()}?startsAfter=per_none`)).status).toBe(400);
  },
);

test(
  'POST /accounts/{id}/persons: refused unless the account is a business',
  { tags: ['spec:4.4/business-only'] },
  async () => {
    const one = (await server.create({ entityType: 'Individual', individual })).body;
    const { status, body } = await server.call(`POST /v1/accounts/${one.id}/persons`, { body: person });
    expect([status, body.errors[0].code]).toEqual([400, 'bad_request']);
    expect((await server.call(`GET /v1/accounts/${one.id}/persons`)).body).toEqual({
      items: [],
      paginationToken: null,
    });
  },
);

test(
  'GET /accounts/{id}/persons/{personId}: finds a person under its own account only',
  { tags: ['spec:4.4/GET/accounts/{id}/persons/{personId}'] },
  async () => {
    const { body } = await add();
    const other = `/v1/accounts/${server.subAccountId}/persons/${body.id}`;
    for (const operation of [`GET ${other}`, `PATCH ${other}`, `DELETE ${other}`]) {
      const answer = await server.call(operation, { body: {} });
      expect([answer.status, answer.body.errors[0].message]).toEqual([404, 'no such person']);
    }
    const nowhere = await server.call(`GET /v1/accounts/ac_none/persons/${body.id}`);
    expect([nowhere.status, nowhere.body.errors[0].message]).toEqual([404, 'no such account']);
  },
);

test(
  'PATCH /accounts/{id}/persons/{personId}: a proof of identity starts verification; other roles change what is required',
  { tags: ['spec:4.4/PATCH/accounts/{id}/persons/{personId}'] },
  async () => {
    const { id } = (await add()).body;
    const supplied = await patch(id, { documents: [await passport()] });
    expect(supplied.body).toMatchObject({
      documents: [{ type: 'Passport', status: 'Pending' }],
      verification: { status: 'PendingVerification', requiredDocuments: [] },
    });
    const released = await patch(id, { businessRoles: ['BusinessContact'] });
    expect(released.body.verification.status).toBe('NotRequired');
    const asked = await patch(id, { businessRoles: ['Director'] });
    expect(asked.body.verification.status).toBe('PendingVerification');
  },
);

test('POST /accounts/{id}/persons: a person with documents is submitted at once', async () => {
  const { body } = await add({ documents: [await passport()] });
  expect(body.verification.status).toBe('PendingVerification');
});

test(
  'DELETE /accounts/{id}/persons/{personId}: deletes an unverified person, with files that no other document uses',
  { tags: ['spec:4.4/DELETE/accounts/{id}/persons/{personId}', 'spec:4.4/delete-with-files'] },
  async () => {
    const license = { type: 'DriversLicense', country: 'GB', front: await server.upload({}, accountId) };
    const shared = { type: 'UtilityBill', front: await server.upload({}, accountId) };
    const { body: director } = await add({ documents: [license, shared] });
    await add({ businessRoles: ['BusinessContact'], documents: [shared] });

    const { status, body } = await server.call(`DELETE ${persons()}/${director.id}`, { body: {} });
    expect([status, body]).toEqual([200, director]);
    expect((await server.call(`GET ${persons()}/${director.id}`)).status).toBe(404);
    expect((await server.call(`DELETE ${persons()}/${director.id}`)).status).toBe(404);
    const headers = { account: accountId };
    expect((await server.call(`GET /v1/files/${license.front}`, { headers })).status).toBe(404);
    expect((await server.call(`GET /v1/files/${shared.front}`, { headers })).status).toBe(200);
    expect((await account()).verification.persons.required).toContainEqual({ role: 'Director', quantity: 1 });
  },
);

test('DELETE /accounts/{id}/persons/{personId}: refused during and after verification', async () => {
  const { body } = await add({ documents: [await passport()] });
  const remove = () => server.call(`DELETE ${persons()}/${body.id}`);
  expect([(await remove()).status, (await remove()).body.errors[0].code]).toEqual([400, 'bad_request']);
  const control = `/sandbox/accounts/${accountId}/persons/${body.id}/verification`;
  await server.call(`POST ${control}`, { body: { outcome: 'Verified' } });
  expect((await remove()).status).toBe(400);
  await server.call(`POST ${control}`, { body: { outcome: 'Required' } });
  expect((await remove()).status).toBe(200);
});

test('person events: recorded under the account, those of the account on the platform', async () => {
  const { id } = (await add()).body;
  await patch(id, { firstName: 'Anna' });
  await patch(id, { firstName: 'Anna' });
  await server.call(`DELETE ${persons()}/${id}`);
  expect(await server.eventsOf(id)).toEqual(['Person.created', 'Person.updated', 'Person.deleted']);
  expect(await server.eventsOf(accountId)).toEqual(['Account.created', 'Account.updated', 'Account.updated']);
  const { body } = await server.call('GET /v1/events', { headers: { account: accountId } });
  expect(body.items).toMatchObject([
    { eventType: 'Person.deleted', accountId, data: { id, firstName: 'Anna' } },
    { eventType: 'Person.updated', accountId },
    { eventType: 'Person.created', accountId },
  ]);
});
