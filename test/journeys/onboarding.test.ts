import { BANK_ACCOUNT } from '../../cli/trigger/account-paths.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordPaidOut } from '../../server/api/accounts/verification.ts';
import { upload } from '../kit/form.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { business, everyRole, individual, person } from '../server/api/accounts/account-bodies.ts';

let world: World;
let accountId: string;

beforeEach(async () => {
  world = await startWorld();
  const { body } = await world.api.post('/v1/accounts', {
    onboardingFlow: 'NonHosted',
    entityType: 'Business',
    business: { ...business, registrationDate: '2015-03-02', phoneNumber: '+442079460000' },
  });
  accountId = body.id;
});
afterEach(() => world.close());

const account = async () => (await world.api.get(`/v1/accounts/${accountId}`)).body;
const verification = async () => (await account()).verification;

async function fileOf(name: string): Promise<string> {
  return (await upload(world.api.as(accountId), 'VerificationDocument', { name })).body.id;
}

async function supplyRegistration(name = 'registration.png') {
  const documents = [{ type: 'BusinessRegistration', front: await fileOf(name) }];
  return (await world.api.patch(`/v1/accounts/${accountId}`, { business: { documents } })).body;
}

async function addPerson(name = 'passport.png') {
  const documents = [{ type: 'Passport', country: 'GB', front: await fileOf(name) }];
  const body = { ...person, businessRoles: everyRole, documents };
  return (await world.api.post(`/v1/accounts/${accountId}/persons`, body)).body;
}

async function addPayoutMethod() {
  await world.api.post(`/v1/accounts/${accountId}/payout-methods`, BANK_ACCOUNT);
}

test(
  'onboarding: a business that supplies everything is verified automatically, with its events',
  { tags: ['spec:2.3/automatic-verification'] },
  async () => {
    const platform = await world.listen('platform', [
      'Account.verification_status_updated',
      'Person.updated',
    ]);
    await addPayoutMethod();
    const { id: personId } = await addPerson();
    expect(await verification()).toMatchObject({
      status: 'Required',
      requiredFields: [],
      requiredDocuments: [{ category: 'ProofOfBusiness' }],
      persons: { status: 'PendingVerification', required: [] },
    });
    expect((await supplyRegistration()).status).toBe('VerificationPending');

    await world.advance({ seconds: 10 });
    expect(await account()).toMatchObject({
      status: 'Verified',
      actionsRequired: [],
      business: { documents: [{ status: 'Valid' }] },
      verification: { status: 'Verified', persons: { status: 'Verified', required: [] } },
    });
    expect(
      platform.deliveries
        .map(({ event }) => [event.eventType, event.accountId, event.data.verification.status])
        .sort(),
    ).toEqual([
      ['Account.verification_status_updated', undefined, 'PendingVerification'],
      ['Account.verification_status_updated', undefined, 'Verified'],
      ['Person.updated', accountId, 'Verified'],
    ]);
    const shown = await world.api.get(`/v1/accounts/${accountId}/persons/${personId}`);
    expect(shown.body.documents).toMatchObject([{ status: 'Valid' }]);
  },
);

test(
  'onboarding: a document that cannot be read is refused, and another one is accepted',
  { tags: ['spec:2.3/document-refused'] },
  async () => {
    await addPerson();
    await supplyRegistration('registration-invalid.png');
    await world.advance({ seconds: 10 });
    const refused = await account();
    const [document] = refused.business.documents;
    expect(document).toMatchObject({ status: 'Invalid', invalidReason: 'The document cannot be read' });
    expect(refused.verification).toMatchObject({
      status: 'Required',
      requiredDocuments: [{ category: 'ProofOfBusiness', types: ['BusinessRegistration'], quantity: 1 }],
      errors: [{ code: 'InvalidDocument', id: document.front, description: 'The document cannot be read' }],
    });

    expect((await supplyRegistration()).verification).toMatchObject({
      status: 'PendingVerification',
      errors: [],
    });
    await world.advance({ seconds: 10 });
    expect(await verification()).toMatchObject({ status: 'Verified' });
  },
);

test('onboarding: an unreadable document of a person keeps the account from being verified', async () => {
  await supplyRegistration();
  const { id } = await addPerson('invalid.png');
  expect(await verification()).toMatchObject({ status: 'PendingVerification' });
  await world.advance({ seconds: 10 });
  expect(await verification()).toMatchObject({ status: 'Required', persons: { status: 'Required' } });
  const path = `/v1/accounts/${accountId}/persons/${id}`;
  expect((await world.api.get(path)).body.verification).toMatchObject({
    status: 'Required',
    requiredDocuments: [{ category: 'ProofOfIdentity' }],
    errors: [{ code: 'InvalidDocument' }],
  });

  const documents = [{ type: 'Passport', country: 'GB', front: await fileOf('passport.png') }];
  await world.api.patch(path, { documents });
  await world.advance({ seconds: 10 });
  expect(await verification()).toMatchObject({ status: 'Verified', persons: { status: 'Verified' } });
});

test('onboarding: a verified business that adds a director has to verify the director', async () => {
  await supplyRegistration();
  await addPerson();
  await world.advance({ seconds: 10 });
  await world.api.post(`/v1/accounts/${accountId}/persons`, person);
  expect(await verification()).toMatchObject({
    status: 'Required',
    persons: { status: 'Required', required: [] },
  });
});

test('onboarding: a verification in progress continues after a restart of the server', async () => {
  await supplyRegistration();
  await addPerson();
  await world.restartServer();
  await world.advance({ seconds: 10 });
  expect(await verification()).toMatchObject({ status: 'Verified' });
});

test('onboarding: the holder of a Hosted account completes it on the page', async () => {
  const { body: hosted } = await world.api.post('/v1/accounts', { email: 'ana@corner.example' });
  const { body: link } = await world.api.post('/v1/account-links', {
    accountId: hosted.id,
    redirectUrl: 'https://shop.example/back',
  });
  const l = new URL(link.url).searchParams.get('l')!;
  const answers = {
    'business.name': 'Corner Goods',
    'business.type': 'PrivateCompany',
    'business.registrationNumber': '01234567',
    'business.registrationDate': '2015-03-02',
    'business.contactEmail': 'office@corner.example',
    'business.phoneNumber': '+442079460000',
    'person.firstName': 'Ana',
    'person.lastName': 'Reid',
    'person.email': 'ana@corner.example',
    'person.phoneNumber': '+447700900123',
    'person.dateOfBirth': '1990-04-01',
    'person.gender': 'Female',
    'person.nationalities': 'GB, IE',
    ...Object.fromEntries(
      ['business.registeredAddress', 'person.address'].flatMap((path) => [
        [`${path}.lineOne`, '1 High St'],
        [`${path}.city`, 'Leeds'],
        [`${path}.country`, 'GB'],
        [`${path}.postalCode`, 'LS1 1AA'],
      ]),
    ),
    documents: 'good',
    'payout.currency': 'GBP',
    'payout.bankId': '000001',
    'payout.accountNumber': '00000111',
    terms: 'yes',
  };
  const form = new URLSearchParams({ l, as: 'Business', ...answers });
  const done = await world.api.raw('POST', '/join', form.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect([done.status, done.headers['location']]).toEqual([303, 'https://shop.example/back']);
  await world.advance({ seconds: 10 });
  expect((await world.api.get(`/v1/accounts/${hosted.id}`)).body).toMatchObject({
    status: 'Verified',
    verification: { status: 'Verified' },
  });
});

test('onboarding: an individual is verified once enough was paid out', async () => {
  const { body } = await world.api.post('/v1/accounts', {
    onboardingFlow: 'NonHosted',
    entityType: 'Individual',
    individual,
  });
  accountId = body.id;
  const { services } = world.server;
  const payOut = (currency: string, amountMinor: number) =>
    services.store.transaction((tx) => recordPaidOut(tx, services, accountId, { currency, amountMinor }));
  await payOut('GBP', 250_000);
  await payOut('EUR', 200_000);
  expect(await verification()).toMatchObject({ status: 'NotRequired' });
  await payOut('GBP', 1);
  expect(await verification()).toMatchObject({
    status: 'Required',
    requiredFields: [{ name: 'individual.phoneNumber' }],
    requiredDocuments: [{ category: 'ProofOfIdentity' }],
  });

  const documents = [{ type: 'Passport', country: 'GB', front: await fileOf('passport.png') }];
  await world.api.patch(`/v1/accounts/${accountId}`, {
    individual: { documents, phoneNumber: '+447700900123' },
  });
  await world.advance({ seconds: 10 });
  expect(await verification()).toMatchObject({ status: 'Verified' });
});

test('onboarding: the amount paid out before an individual is verified is a setting', async () => {
  const { body } = await world.api.post('/v1/accounts', { entityType: 'Individual', individual });
  accountId = body.id;
  await world.api.patch(`/sandbox/accounts/${accountId}/settings`, { verifyAboveMinor: { GBP: 1_000 } });
  const { services } = world.server;
  await services.store.transaction((tx) =>
    recordPaidOut(tx, services, accountId, { currency: 'GBP', amountMinor: 1_001 }),
  );
  expect(await verification()).toMatchObject({ status: 'Required' });
});

test('account: freezing shows in the account and in an event', async () => {
  const platform = await world.listen('platform', ['Account.updated']);
  await world.api.patch(`/sandbox/accounts/${accountId}/settings`, { frozen: true });
  const frozen = await account();
  expect(frozen).toMatchObject({ frozen: true });
  expect(frozen.actionsRequired).toContainEqual({ action: 'AccountLocked', description: expect.any(String) });
  await world.settled();
  expect(platform.deliveries.map(({ event }) => event.data)).toEqual([frozen]);
});
