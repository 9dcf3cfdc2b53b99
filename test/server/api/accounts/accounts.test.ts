import { expect, test } from 'vitest';
import { accountServer, type AccountServer } from './account-server.ts';
import { address, business, individual } from './account-bodies.ts';

const nonHosted = { onboardingFlow: 'NonHosted' };

async function made(server: AccountServer, body: object) {
  const answer = await server.create(body);
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  return answer.body;
}

async function refused(server: AccountServer, body: object): Promise<string> {
  const answer = await server.create(body);
  expect(answer.status).toBe(400);
  return `${answer.body.errors[0].code}: ${answer.body.errors[0].message}`;
}

test(
  'POST /accounts: a Hosted account needs an e-mail address only, and waits for its holder',
  { tags: ['spec:2.3/hosted-email'] },
  async () => {
    const server = await accountServer();
    const account = await made(server, { email: 'ana@corner.example', metadata: { shop: '7' } });
    expect(account).toEqual({
      id: expect.stringMatching(/^ac_[0-9a-f-]{36}$/),
      type: 'Sub',
      status: 'ActionRequired',
      actionsRequired: [
        { action: 'VerificationRequired', description: expect.any(String) },
        { action: 'PayoutMethodRequired', description: expect.any(String) },
      ],
      frozen: false,
      email: 'ana@corner.example',
      onboardingFlow: 'Hosted',
      verification: {
        status: 'Required',
        requiredFields: [{ name: 'entityType' }],
        requiredDocuments: [],
        errors: [],
        persons: { status: 'NotRequired', required: [] },
      },
      metadata: { shop: '7' },
      settings: { payouts: { schedule: { type: 'Automatic' } } },
      capabilities: {
        visaPayments: enabled(account.createdTimestamp),
        mastercardPayments: enabled(account.createdTimestamp),
        amexPayments: enabled(account.createdTimestamp),
        inPersonPayments: enabled(account.createdTimestamp),
      },
      createdTimestamp: account.createdTimestamp,
      lastUpdatedTimestamp: account.createdTimestamp,
    });
    expect((await server.call(`GET /v1/accounts/${account.id}`)).body).toEqual(account);
  },
);

function enabled(since: number) {
  const lists = { requiredFields: [], requiredDocuments: [] };
  const times = { requestedTimestamp: since, enabledTimestamp: since, lastUpdatedTimestamp: since };
  return { status: 'Enabled', available: true, requested: true, ...lists, ...times };
}

test.each(['', 'ana', 5, {}, ['ana@corner.example']])(
  'POST /accounts: the e-mail %j of a NonHosted account is ignored, and refused of a Hosted one',
  async (email) => {
    const server = await accountServer();
    const account = await made(server, { ...nonHosted, email });
    expect(account).not.toHaveProperty('email');
    const hosted = await server.call('POST /v1/accounts', { body: { email } });
    expect([hosted.status, hosted.body.errors[0].message]).toEqual([
      400,
      expect.stringMatching(/^email must /),
    ]);
  },
);

test('PATCH /accounts/{id}: the block of the other entity type is ignored, also when it is malformed', async () => {
  const server = await accountServer();
  const { id } = await made(server, { ...nonHosted, entityType: 'Business', business });
  const change = (body: object) => server.call(`PATCH /v1/accounts/${id}`, { body });
  for (const other of [{ email: 'ana' }, { nationalities: 5 }, 'ana', []]) {
    const { status, body } = await change({ business: { phoneNumber: '+442079460000' }, individual: other });
    expect([status, body.business.phoneNumber]).toEqual([200, '+442079460000']);
    expect(body).not.toHaveProperty('individual');
  }
  expect((await change({ entityType: 'Individual', individual: { email: 'ana' } })).status).toBe(400);
  expect((await change({ business: { phoneNumber: '5' } })).status).toBe(400);
});

test(
  'POST /accounts: a NonHosted business requires the fields that were not sent',
  { tags: ['spec:4.3/POST/accounts', 'spec:2.3/non-hosted-email'] },
  async () => {
    const server = await accountServer();
    const account = await made(server, {
      ...nonHosted,
      entityType: 'Business',
      business,
      email: 'ignored@x.example',
    });
    expect(account).not.toHaveProperty('email');
    expect(account.business).toEqual({
      ...business,
      registeredAddress: { ...address, lineTwo: null, region: null },
      documents: [],
    });
    expect(account.verification).toEqual({
      status: 'Required',
      requiredFields: [{ name: 'business.registrationDate' }, { name: 'business.phoneNumber' }],
      requiredDocuments: [{ category: 'ProofOfBusiness', types: ['BusinessRegistration'], quantity: 1 }],
      errors: [],
      persons: {
        status: 'Required',
        required: [
          { role: 'BusinessContact', quantity: 1 },
          { role: 'Director', quantity: 1 },
          { role: 'UltimateBeneficialOwner', quantity: 1 },
        ],
      },
    });
  },
);

test('POST /accounts: an individual needs no verification at first', async () => {
  const server = await accountServer();
  const account = await made(server, { entityType: 'Individual', individual });
  expect(account).toMatchObject({
    email: individual.email,
    status: 'ActionRequired',
    verification: { status: 'NotRequired', requiredFields: [], requiredDocuments: [] },
  });
  expect(account.verification.persons).toEqual({ status: 'NotRequired', required: [] });
});

test(
  'POST /accounts: the e-mail address of a Hosted business is that of its block unless one is sent',
  { tags: ['spec:2.3/email-in-block'] },
  async () => {
    const server = await accountServer();
    const hosted = { entityType: 'Business', business };
    expect(await made(server, hosted)).toMatchObject({ email: business.contactEmail });
    expect(await made(server, { ...hosted, email: 'me@corner.example' })).toMatchObject({
      email: 'me@corner.example',
    });
  },
);

test.each([
  [{}, 'invalid_field: email is required for a Hosted account without entityType'],
  [{ onboardingFlow: 'Hosted' }, 'invalid_field: email is required'],
  [{ email: 'nobody' }, 'invalid_field: email must'],
  [{ entityType: 'Business' }, 'invalid_field: business is required when entityType is Business'],
  [{ entityType: 'Individual', email: 'a@b.c' }, 'invalid_field: individual is required'],
  [{ entityType: 'Business', business, individual }, 'invalid_field: individual cannot be combined with'],
  [
    { entityType: 'Individual', business },
    'invalid_field: business cannot be combined with entityType Individual',
  ],
  [{ email: 'a@b.c', business }, 'invalid_field: entityType is required with business'],
  [{ ...nonHosted, individual }, 'invalid_field: entityType is required with individual'],
  [{ ...nonHosted, entityType: 'Charity' }, 'invalid_field: entityType must be one of'],
  [{ onboardingFlow: 'Later' }, 'invalid_field: onboardingFlow must be one of'],
  [{ ...nonHosted, metadata: { a: '1', b: '2', c: '3', d: '4', e: '5', f: '6' } }, 'must have at most 5'],
  [
    { ...nonHosted, settings: { payouts: { schedule: { type: 'Daily' } } } },
    'settings.payouts.schedule.type must',
  ],
  [{ ...nonHosted, capabilities: { amexPayments: { requested: 'yes' } } }, 'amexPayments.requested must'],
  [{ ...nonHosted, termsOfService: { acceptance: {} } }, 'termsOfService.acceptance.ipAddress is required'],
])(
  'POST /accounts: refuses %j',
  { tags: ['spec:2.1/metadata-of-accounts', 'spec:2.3/terms-of-service'] },
  async (body, message) => {
    expect(await refused(await accountServer(), body)).toContain(message);
  },
);

test.each(['name', 'type', 'registrationNumber', 'registeredAddress', 'contactEmail'])(
  'POST /accounts: a business needs its %s',
  async (member) => {
    const body = { ...nonHosted, entityType: 'Business', business: { ...business, [member]: null } };
    expect(await refused(await accountServer(), body)).toBe(`invalid_field: business.${member} is required`);
  },
);

test.each(['firstName', 'lastName', 'email', 'dateOfBirth', 'gender', 'nationalities', 'address'])(
  'POST /accounts: an individual needs %s',
  async (member) => {
    const body = { entityType: 'Individual', individual: { ...individual, [member]: null } };
    expect(await refused(await accountServer(), body)).toBe(
      `invalid_field: individual.${member} is required`,
    );
  },
);

test.each([
  [{ dateOfBirth: '2001-02-29' }, 'individual.dateOfBirth'],
  [{ dateOfBirth: '1.4.1990' }, 'individual.dateOfBirth'],
  [{ nationalities: [] }, 'individual.nationalities'],
  [{ nationalities: ['gb'] }, 'individual.nationalities.0'],
  [{ phoneNumber: '07700 900123' }, 'individual.phoneNumber'],
  [{ countryOfBirth: 'GBR' }, 'individual.countryOfBirth'],
  [{ gender: 'Other' }, 'individual.gender'],
  [{ address: { ...address, country: 'Britain' } }, 'individual.address.country'],
  [{ address: { country: 'GB', postalCode: 'LS1 1AA' } }, 'individual.address.lineOne'],
])('POST /accounts: refuses an individual with %j', async (change, field) => {
  const body = { entityType: 'Individual', individual: { ...individual, ...change } };
  expect(await refused(await accountServer(), body)).toContain(`invalid_field: ${field} `);
});

test('POST /accounts: an e-mail address belongs to one Hosted account, whatever its case', async () => {
  const server = await accountServer();
  await made(server, { email: 'ana@corner.example' });
  const { status, body } = await server.create({ email: 'Ana@Corner.example' });
  expect([status, body.errors[0].code]).toEqual([409, 'conflict']);
  const sameHolder = { ...nonHosted, entityType: 'Individual', individual };
  await made(server, sameHolder);
  await made(server, sameHolder);
});

test(
  'GET /accounts/{id}: returns an account to its platform only',
  { tags: ['spec:4.3/GET/accounts/{id}'] },
  async () => {
    const server = await accountServer();
    expect((await server.call(`GET /v1/accounts/${server.platformId}`)).body).toMatchObject({
      id: server.platformId,
      type: 'Standard',
      status: 'Verified',
      actionsRequired: [],
    });
    expect((await server.call(`GET /v1/accounts/${server.subAccountId}`)).body).toMatchObject({
      type: 'Sub',
      onboardingFlow: 'NonHosted',
      entityType: 'Business',
      verification: { status: 'Verified', persons: { status: 'Verified', required: [] } },
      termsOfService: { acceptance: { ipAddress: '127.0.0.1' } },
    });
    for (const id of ['ac_00000000-0000-4000-8000-000000000000', 'nonsense', '%20']) {
      const { status, body } = await server.call(`GET /v1/accounts/${id}`);
      expect([status, body.errors[0].message]).toEqual([404, 'no such account']);
    }
    const own = await server.call(`PATCH /v1/accounts/${server.platformId}`, { body: {} });
    expect(own.status).toBe(404);
  },
);

test(
  'PATCH /accounts/{id}: replaces the fields that are sent, and keeps the others',
  { tags: ['spec:4.3/PATCH/accounts/{id}', 'spec:2.3/capabilities'] },
  async () => {
    const server = await accountServer();
    const { id } = await made(server, {
      ...nonHosted,
      entityType: 'Business',
      business,
      metadata: { a: '1', b: '2' },
      capabilities: { amexPayments: { requested: false } },
    });
    const change = {
      business: { phoneNumber: '+442079460000', registeredAddress: { ...address, city: 'York' } },
      metadata: { a: '9' },
      settings: { payouts: { schedule: { type: 'Manual' } } },
      capabilities: { amexPayments: { requested: true }, visaPayments: { requested: false } },
      termsOfService: { acceptance: { ipAddress: '192.0.2.7' } },
    };
    await server.clock.advance(5_000);
    const { status, body } = await server.call(`PATCH /v1/accounts/${id}`, { body: change });
    expect(status).toBe(200);
    const now = body.createdTimestamp + 5;
    expect(body).toMatchObject({
      business: { name: business.name, phoneNumber: '+442079460000', registeredAddress: { city: 'York' } },
      metadata: { a: '9' },
      settings: { payouts: { schedule: { type: 'Manual' } } },
      termsOfService: { acceptance: { ipAddress: '192.0.2.7', when: now } },
      verification: { requiredFields: [{ name: 'business.registrationDate' }] },
      lastUpdatedTimestamp: now,
    });
    expect(body.capabilities).toMatchObject({
      amexPayments: enabled(now),
      visaPayments: { status: 'NotRequested', requested: false, lastUpdatedTimestamp: now },
      mastercardPayments: enabled(body.createdTimestamp),
      inPersonPayments: enabled(body.createdTimestamp),
    });
    expect(body.metadata).toEqual({ a: '9' });
  },
);

test('PATCH /accounts/{id}: with both blocks, ignores the one that does not match the entity type', async () => {
  const server = await accountServer();
  const { id } = await made(server, { ...nonHosted, entityType: 'Business', business });
  const documents = [{ type: 'BankStatement', front: 'fl_unknown', country: 'GB' }];
  const both = { business: { name: 'Corner' }, individual: { ...individual, documents } };
  const { status, body } = await server.call(`PATCH /v1/accounts/${id}`, {
    body: { entityType: 'Business', ...both },
  });
  expect([status, body.business.name]).toEqual([200, 'Corner']);
  expect(body).not.toHaveProperty('individual');
  const stray = await server.call(`PATCH /v1/accounts/${id}`, { body: { individual } });
  expect(stray.body).toEqual(body);
});

test('PATCH /accounts/{id}: entityType can be set later, and changed until details were supplied', async () => {
  const server = await accountServer();
  const { id } = await made(server, nonHosted);
  const patch = (body: object) => server.call(`PATCH /v1/accounts/${id}`, { body });
  expect((await patch({ business })).body.errors[0].message).toBe('entityType is required with business');
  const documents = [{ type: 'UtilityBill', front: await server.upload() }];
  expect((await patch({ documents })).body.errors[0].message).toBe('entityType is required with documents');
  expect((await patch({ documents: [], metadata: {} })).status).toBe(200);
  expect((await patch({ entityType: 'Business', business: { name: 'Corner' } })).body).toMatchObject({
    entityType: 'Business',
    business: { name: 'Corner' },
  });

  const changed = await patch({ entityType: 'Individual', individual });
  expect(changed.body).toMatchObject({ entityType: 'Individual', verification: { status: 'NotRequired' } });
  expect(changed.body).not.toHaveProperty('business');

  const front = await server.upload();
  await patch({ individual: { documents: [{ type: 'Passport', front, country: 'GB' }] } });
  const late = await patch({ entityType: 'Business' });
  expect([late.status, late.body.errors[0].code]).toEqual([400, 'bad_request']);
});

test('PATCH /accounts/{id}: entityType cannot change once verification has begun', async () => {
  const server = await accountServer();
  const { status, body } = await server.call(`PATCH /v1/accounts/${server.subAccountId}`, {
    body: { entityType: 'Individual', individual },
  });
  expect([status, body.errors[0].message]).toEqual([
    400,
    expect.stringContaining('entityType cannot change'),
  ]);
});

test(
  'PATCH /accounts/{id}: refused for a Hosted account',
  { tags: ['spec:4.3/patch-non-hosted'] },
  async () => {
    const server = await accountServer();
    const { id } = await made(server, { email: 'ana@corner.example' });
    const { status, body } = await server.call(`PATCH /v1/accounts/${id}`, {
      body: { metadata: { a: '1' } },
    });
    expect([status, body.errors[0].code]).toEqual([400, 'bad_request']);
  },
);

test(
  'POST /accounts/{id}/verify: returns the account of a business, and is refused for individuals',
  { tags: ['spec:4.3/POST/accounts/{id}/verify', 'spec:4.3/verify-business'] },
  async () => {
    const server = await accountServer();
    const shop = await made(server, { ...nonHosted, entityType: 'Business', business });
    const verified = await server.call(`POST /v1/accounts/${shop.id}/verify`, { body: {} });
    expect([verified.status, verified.body]).toEqual([200, shop]);
    const person = await made(server, { ...nonHosted, entityType: 'Individual', individual });
    const refusal = await server.call(`POST /v1/accounts/${person.id}/verify`);
    expect([refusal.status, refusal.body.errors[0].code]).toEqual([400, 'bad_request']);
  },
);

test(
  'account documents: name files of the account or its platform, one document of each type',
  { tags: ['spec:2.3/one-document-per-type'] },
  async () => {
    const server = await accountServer();
    const { id } = await made(server, { ...nonHosted, entityType: 'Business', business });
    const patch = (body: object) => server.call(`PATCH /v1/accounts/${id}`, { body });
    const registration = (front: string) => ({ type: 'BusinessRegistration', front });
    const [own, platforms, foreign] = [
      await server.upload({}, id),
      await server.upload(),
      await server.upload({}, server.subAccountId),
    ];

    const first = await patch({ business: { documents: [registration(own)] } });
    expect(first.body.business.documents).toMatchObject([
      { ...registration(own), category: 'ProofOfBusiness', status: 'Pending' },
    ]);
    expect(first.body.verification.requiredDocuments).toEqual([]);
    const second = await patch({ documents: [registration(platforms), { type: 'TaxReturn', front: own }] });
    expect(second.body.business.documents).toMatchObject([
      { type: 'BusinessRegistration', front: platforms },
      { type: 'TaxReturn', front: own },
    ]);

    const evidence = await server.upload({}, id, 'Evidence');
    const refusals = [];
    for (const front of [foreign, 'fl_none', evidence]) {
      const { status, body } = await patch({ documents: [registration(front)] });
      refusals.push([status, body.errors[0].code]);
    }
    expect(refusals).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
      [400, 'invalid_field'],
    ]);
    const unnamed = await patch({ documents: [{ type: 'Passport', front: own }] });
    expect(unnamed.body.errors[0].message).toBe('documents: country is required for Passport');
  },
);

test('PATCH /accounts/{id}: records one event for a change, and none when nothing changed', async () => {
  const server = await accountServer();
  const { id } = await made(server, { ...nonHosted, entityType: 'Business', business });
  const patch = (body: object) => server.call(`PATCH /v1/accounts/${id}`, { body });
  await patch({ metadata: { a: '1' } });
  await patch({ metadata: { a: '1' } });
  await patch({});
  expect(await server.eventsOf(id)).toEqual(['Account.created', 'Account.updated']);
  const own = await server.call('GET /v1/events');
  expect(own.body.items[0]).toMatchObject({
    eventType: 'Account.updated',
    data: { id, metadata: { a: '1' } },
  });
  expect(own.body.items[0]).not.toHaveProperty('accountId');
});
